#include "cuda_stub.cpp"
