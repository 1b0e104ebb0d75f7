set(WARPFOLD_CUDART CUDA::cudart_static)
if(BUILD_SHARED_LIBS)  # otherwise each shared library would have its own CUDA runtime
  set(WARPFOLD_CUDART CUDA::cudart)
endif()

# warpfold_library(FAMILY SOURCES file... [CUDA_SOURCES file...] [DEPENDS family...] [PACKAGES target...]
#                  [PRIVATE_PACKAGES target...])
# Adds the library warpfold::FAMILY, shared if BUILD_SHARED_LIBS is on. SOURCES are always compiled. CUDA_SOURCES are
# compiled if WARPFOLD_CUDA is on. Otherwise the family's cuda_stub.cpp, which says "not compiled", takes their place.
function(warpfold_library family)
  cmake_parse_arguments(ARG "" "" "SOURCES;CUDA_SOURCES;DEPENDS;PACKAGES;PRIVATE_PACKAGES" ${ARGN})
  set(target warpfold_${family})
  if(ARG_CUDA_SOURCES AND NOT WARPFOLD_CUDA)
    set(ARG_CUDA_SOURCES cuda_stub.cpp)
  endif()
  add_library(${target} ${ARG_SOURCES} ${ARG_CUDA_SOURCES})
  add_library(warpfold::${family} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${family} POSITION_INDEPENDENT_CODE ON
    DEFINE_SYMBOL ""  # a definition of its own would prevent shared precompiled headers: see warpfold_precompile
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
           $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${PROJECT_SOURCE_DIR}/src)
  list(TRANSFORM ARG_DEPENDS PREPEND warpfold:: OUTPUT_VARIABLE depends)
  target_link_libraries(${target} PUBLIC ${depends} ${ARG_PACKAGES} PRIVATE ${ARG_PRIVATE_PACKAGES})
  if(ARG_CUDA_SOURCES AND WARPFOLD_CUDA)
    # CUDA's headers are for the family's own sources only. Other files are compiled as in every preset, so that the
    # cache has them.
    target_link_libraries(${target} PRIVATE $<LINK_ONLY:${WARPFOLD_CUDART}>)
    list(FILTER ARG_CUDA_SOURCES INCLUDE REGEX "[.]cpp$")
    list(TRANSFORM CUDAToolkit_INCLUDE_DIRS PREPEND -isystem OUTPUT_VARIABLE headers)
    set_source_files_properties(${ARG_CUDA_SOURCES} PROPERTIES COMPILE_OPTIONS "${headers}")
  endif()
  warpfold_check_layers(${family} DEPENDS ${ARG_DEPENDS})
  warpfold_compile_options(${target})
  warpfold_precompile(${target} libraries)
  if(BUILD_SHARED_LIBS)
    set(ARG_PRIVATE_PACKAGES "")  # a shared library is linked with them itself
  endif()
  set(needs "set(warpfold_${family}_depends ${ARG_DEPENDS})\n")
  string(APPEND needs "set(warpfold_${family}_packages ${ARG_PACKAGES} ${ARG_PRIVATE_PACKAGES})\n")
  set_property(GLOBAL APPEND_STRING PROPERTY WARPFOLD_COMPONENTS "${needs}")
endfunction()

# warpfold_check_layers(FAMILY [FOLDERS folder...] [DEPENDS family...] [BELOW family...])
# Makes the build of warpfold_FAMILY fail if a file of the folders (src/FAMILY and include/warpfold/FAMILY) names a
# family that is not below it, or if none includes a header of a family in DEPENDS. The families below are those of
# DEPENDS and BELOW, and all below these.
function(warpfold_check_layers family)
  cmake_parse_arguments(ARG "" "" "FOLDERS;DEPENDS;BELOW" ${ARGN})
  if(NOT ARG_FOLDERS)
    set(ARG_FOLDERS src/${family} include/warpfold/${family})
  endif()
  set(below ${ARG_DEPENDS} ${ARG_BELOW})
  foreach(depend IN LISTS ARG_DEPENDS ARG_BELOW)
    get_property(further GLOBAL PROPERTY warpfold_below_${depend})
    list(APPEND below ${further})
  endforeach()
  list(REMOVE_DUPLICATES below)
  set_property(GLOBAL PROPERTY warpfold_below_${family} ${below})
  list(TRANSFORM ARG_FOLDERS REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/\\1/*" OUTPUT_VARIABLE patterns)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${patterns})
  set(stamp ${PROJECT_BINARY_DIR}/layers/${family})
  add_custom_command(OUTPUT ${stamp} DEPENDS ${files} ${PROJECT_SOURCE_DIR}/cmake/CheckLayers.cmake
    COMMAND ${CMAKE_COMMAND} -DFAMILY=${family} "-DFOLDERS=${ARG_FOLDERS}" "-DDEPENDS=${ARG_DEPENDS}" "-DBELOW=${below}"
            -DSOURCE=${PROJECT_SOURCE_DIR} -DSTAMP=${stamp} -P ${PROJECT_SOURCE_DIR}/cmake/CheckLayers.cmake
    COMMENT "Checking the layers of ${family}" VERBATIM)
  add_custom_target(warpfold_layers_${family} DEPENDS ${stamp})
  add_dependencies(warpfold_${family} warpfold_layers_${family})
endfunction()

# Sets the warnings, and the rules of arithmetic that make every backend give the same bits
# (docs/explanation/HACKING.md).
function(warpfold_compile_options target)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -ffp-contract=off>
    $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20 --fmad=false --expt-relaxed-constexpr -diag-suppress=186 -Xcompiler=-Wall,-Wextra,-ffp-contract=off>)
  # Highway compiles for SSE4, AVX2, AVX-512 and scalar code; on other processors only for vectors of fixed width. SVE's
  # vectors cannot be array elements. SSSE3 would cost compile time for processors of before 2008.
  set(left_out "HWY_SSSE3|HWY_SVE|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128|HWY_RVV")
  # with sanitizers an instruction set takes minutes to compile, so AVX2 and scalar code represent all
  if(CMAKE_CXX_FLAGS MATCHES "fsanitize")
    string(APPEND left_out "|HWY_SSE4|HWY_AVX3|HWY_AVX3_DL")
    # false positives in such code
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  endif()
  target_compile_definitions(${target} PRIVATE
    "$<$<COMPILE_LANGUAGE:CXX>:HWY_DISABLED_TARGETS=(${left_out})>"
    $<TARGET_PROPERTY:hwy::hwy,INTERFACE_COMPILE_DEFINITIONS>)  # for all targets: see warpfold_precompile
  # GCC 13 warns of what it inlines from its own headers.
  if(WARPFOLD_WERROR AND NOT (CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION MATCHES "^13\\."))
    target_compile_options(${target} PRIVATE
      $<$<COMPILE_LANGUAGE:CXX>:-Werror> $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings>)
  endif()
  if(WARPFOLD_HARDEN)
    set(release $<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>)
    target_compile_options(${target} PRIVATE
      $<${release}:-U_FORTIFY_SOURCE> $<${release}:-D_FORTIFY_SOURCE=3> $<${release}:-fstack-protector-strong>)
    target_link_options(${target} PRIVATE $<$<CONFIG:Release>:LINKER:-z,relro,-z,now>)
  endif()
endfunction()

# warpfold_precompile(TARGET GROUP header...): precompiles the headers that most files include, and header..., once for
# all targets of GROUP. These targets must have the same options and definitions, because compilers reject precompiled
# headers made with others and take the optimization level from them. Each file still includes what it uses: the presets
# that look for errors precompile nothing, so a missing include is found there.
function(warpfold_precompile target group)
  get_property(owner GLOBAL PROPERTY warpfold_precompiled_${group})
  if(owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  else()
    target_precompile_headers(${target} PRIVATE
      <fmt/format.h> <algorithm> <array> <atomic> <bit> <chrono> <cmath> <cstdint> <cstring> <filesystem> <fstream>
      <functional> <limits> <map> <memory> <mutex> <numeric> <optional> <random> <set> <span> <sstream> <stop_token>
      <string> <string_view> <thread> <tuple> <type_traits> <utility> <vector> ${ARGN})
    set_property(GLOBAL PROPERTY warpfold_precompiled_${group} ${target})
  endif()
endfunction()

# warpfold_unite(TARGET [COUNT]): compiles ten (or COUNT) files of the target as one. Their common headers are parsed,
# and their common templates instantiated, once. Names in the unnamed namespaces of the files must differ, or be
# overloads whose types do not convert to each other; otherwise the better match of any file would be called. Files that
# are compiled once for each instruction set stay alone. The presets that look for errors compile each file alone.
function(warpfold_unite target)
  if(CMAKE_DISABLE_PRECOMPILE_HEADERS)
    return()
  endif()
  set(count 10 ${ARGN})
  list(GET count -1 count)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${count})
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    file(STRINGS ${source} dispatch REGEX "^#include <hwy/foreach_target.h>")
    if(dispatch)
      set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
endfunction()

# warpfold_optimize_less(TARGET LEVEL): compiles with -O1 or -Og instead of -O3. For code that only calls the kernels: more
# optimization would cost compile time and gain nothing. -Og takes four fifths of -O1's time. The command line keeps -O1,
# because -Og slows down the commands that read and write much (chain and paths by a seventh).
# Such code is mostly templates. By default GCC begins to free memory at 128 MB. From 512 MB on it takes up to a sixth less
# time and 0.9 instead of 0.7 GB. Kernels gain nothing from that.
function(warpfold_optimize_less target level)
  set(release $<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>)
  set(release_by_gcc $<AND:${release},$<CXX_COMPILER_ID:GNU>>)
  target_compile_options(${target} PRIVATE $<${release}:${level}> $<${release_by_gcc}:--param=ggc-min-heapsize=524288>)
  if(level STREQUAL "-Og")  # false positives in such code
    target_compile_options(${target} PRIVATE $<${release_by_gcc}:-Wno-maybe-uninitialized>)
  endif()
endfunction()
