# warpfold::gpu is for files that nvcc compiles: user-defined recurrences on a GPU (warpfold/interval/recurrence.cuh).
# It adds the kernels' headers, which other targets do not need, and the options that give the CPU's bits on the device.
add_library(warpfold_gpu INTERFACE)
add_library(warpfold::gpu ALIAS warpfold_gpu)
set_target_properties(warpfold_gpu PROPERTIES EXPORT_NAME gpu)
target_include_directories(warpfold_gpu INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/warpfold/gpu>)
target_compile_options(warpfold_gpu INTERFACE
  # 186: the lists of a grammar may be empty, and then loops over them compare with 0
  $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20 --fmad=false --expt-relaxed-constexpr -diag-suppress=186>)
target_link_libraries(warpfold_gpu INTERFACE warpfold::interval $<LINK_ONLY:${WARPFOLD_CUDART}>)
set(WARPFOLD_GPU_COMPONENT gpu)
set_property(GLOBAL APPEND_STRING PROPERTY WARPFOLD_COMPONENTS "set(warpfold_gpu_depends interval)\n")
