set(WARPFOLD_CUDART CUDA::cudart_static)
if(BUILD_SHARED_LIBS)  # each of which would have a runtime of its own
  set(WARPFOLD_CUDART CUDA::cudart)
endif()

# warpfold_library(FAMILY SOURCES file... [CUDA_SOURCES file...] [DEPENDS family...] [PACKAGES target...]
#                  [PRIVATE_PACKAGES target...])
# The library warpfold::FAMILY, shared where BUILD_SHARED_LIBS is on. SOURCES are compiled always. CUDA_SOURCES are compiled where WARPFOLD_CUDA is
# on; elsewhere the family's cuda_stub.cpp, which says "not compiled", takes their place.
function(warpfold_library family)
  cmake_parse_arguments(ARG "" "" "SOURCES;CUDA_SOURCES;DEPENDS;PACKAGES;PRIVATE_PACKAGES" ${ARGN})
  set(target warpfold_${family})
  if(ARG_CUDA_SOURCES AND NOT WARPFOLD_CUDA)
    set(ARG_CUDA_SOURCES cuda_stub.cpp)
  endif()
  add_library(${target} ${ARG_SOURCES} ${ARG_CUDA_SOURCES})
  add_library(warpfold::${family} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${family} POSITION_INDEPENDENT_CODE ON
    DEFINE_SYMBOL ""  # a definition that would be one library's own: see warpfold_precompile
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
           $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${PROJECT_SOURCE_DIR}/src)
  list(TRANSFORM ARG_DEPENDS PREPEND warpfold:: OUTPUT_VARIABLE depends)
  target_link_libraries(${target} PUBLIC ${depends} ${ARG_PACKAGES} PRIVATE ${ARG_PRIVATE_PACKAGES})
  if(ARG_CUDA_SOURCES AND WARPFOLD_CUDA)
    # CUDA's headers for its own sources alone: the others are compiled as in every preset, and come from its cache.
    target_link_libraries(${target} PRIVATE $<LINK_ONLY:${WARPFOLD_CUDART}>)
    list(FILTER ARG_CUDA_SOURCES INCLUDE REGEX "[.]cpp$")
    list(TRANSFORM CUDAToolkit_INCLUDE_DIRS PREPEND -isystem OUTPUT_VARIABLE headers)
    set_source_files_properties(${ARG_CUDA_SOURCES} PROPERTIES COMPILE_OPTIONS "${headers}")
  endif()
  warpfold_check_layers(${family} DEPENDS ${ARG_DEPENDS})
  warpfold_compile_options(${target})
  warpfold_precompile(${target} libraries)
  if(BUILD_SHARED_LIBS)
    set(ARG_PRIVATE_PACKAGES "")  # which the library itself is linked with
  endif()
  set(needs "set(warpfold_${family}_depends ${ARG_DEPENDS})\n")
  string(APPEND needs "set(warpfold_${family}_packages ${ARG_PACKAGES} ${ARG_PRIVATE_PACKAGES})\n")
  set_property(GLOBAL APPEND_STRING PROPERTY WARPFOLD_COMPONENTS "${needs}")
endfunction()

# warpfold_check_layers(FAMILY [FOLDERS folder...] [DEPENDS family...] [BELOW family...])
# Building warpfold_FAMILY fails where a file of the folders (src/FAMILY and include/warpfold/FAMILY) names a family that is not below
# it, or where none includes a header of one that it depends on. Below are those of DEPENDS and BELOW, and those below them.
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

# Warnings, and the rules of arithmetic that make every backend give the same bits (docs/explanation/HACKING.md).
function(warpfold_compile_options target)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -ffp-contract=off>
    $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20 --fmad=false --expt-relaxed-constexpr -Xcompiler=-Wall,-Wextra,-ffp-contract=off>)
  # Highway compiles SSE4, AVX2, AVX-512 and the scalar fallback, elsewhere what has a fixed width: SVE's vectors cannot
  # stand in arrays, and SSSE3 would cost compile time for processors of before 2008.
  set(left_out "HWY_SSSE3|HWY_SVE|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128|HWY_RVV")
  if(CMAKE_CXX_FLAGS MATCHES "fsanitize")  # a set takes minutes to compile then: AVX2 and scalar code stand for all
    string(APPEND left_out "|HWY_SSE4|HWY_AVX3|HWY_AVX3_DL")
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)  # it errs about such code
  endif()
  target_compile_definitions(${target} PRIVATE
    "$<$<COMPILE_LANGUAGE:CXX>:HWY_DISABLED_TARGETS=(${left_out})>"
    $<TARGET_PROPERTY:hwy::hwy,INTERFACE_COMPILE_DEFINITIONS>)  # for all alike: see warpfold_precompile
  if(WARPFOLD_WERROR)
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

# warpfold_precompile(TARGET GROUP header...): the headers that most files read, parsed once for all targets of GROUP;
# header... are those that the group reads besides. Its targets share options and definitions: a compiler refuses
# precompiled headers made with others, and takes the level of optimization from them. A file still includes what it uses:
# the presets that look for errors precompile nothing, so that what is missing shows there.
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

# warpfold_unite(TARGET [COUNT]): compiles ten, or so many, files of the target as one: what they all read is parsed, and
# what they all instantiate made, once for the ten. So the names in their unnamed namespaces have to differ, or take
# types that do not convert to each other: what fits better is called, of whichever file. For many small files; the
# presets that look for errors compile each alone.
function(warpfold_unite target)
  set(count 10 ${ARGN})
  list(GET count -1 count)
  if(NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${count})
  endif()
endfunction()

# For what only calls the kernels: more optimization takes longer to compile it and gains nothing.
function(warpfold_optimize_less target)
  target_compile_options(${target} PRIVATE $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:-O1>)
endfunction()
