# warpfold::gpu is for files that nvcc compiles: recurrences of one's own on a GPU (warpfold/interval/recurrence.cuh). It
# brings the kernels' headers, which nobody else includes, and the options that make the device give the CPU's bits.
add_library(warpfold_gpu INTERFACE)
add_library(warpfold::gpu ALIAS warpfold_gpu)
set_target_properties(warpfold_gpu PROPERTIES EXPORT_NAME gpu)
target_include_directories(warpfold_gpu INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/warpfold/gpu>)
target_compile_options(warpfold_gpu INTERFACE
  $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20 --fmad=false --expt-relaxed-constexpr>)
target_link_libraries(warpfold_gpu INTERFACE warpfold::interval $<LINK_ONLY:${WARPFOLD_CUDART}>)
set(WARPFOLD_GPU_COMPONENT gpu)
set_property(GLOBAL APPEND_STRING PROPERTY WARPFOLD_COMPONENTS "set(warpfold_gpu_depends interval)\n")
