# Compiles every public header with warnings as errors, each alone or (WAY is TogetherBy) all in one file. GENERATED is the
# include folder of the headers that the build has made. Nothing has to be built or installed.
#   cmake -DWAY=AloneBy|TogetherBy -DCOMPILER=... -DFLAGS=-std=... -DINCLUDE=... -DGENERATED=... -DSCRATCH=... -P headers.cmake
include(${CMAKE_CURRENT_LIST_DIR}/compiler.cmake)
find_compiler()
string(MD5 folder "${COMPILER} ${FLAGS}")
file(GLOB_RECURSE headers RELATIVE ${INCLUDE} ${INCLUDE}/warpfold/*.hpp)
list(FILTER headers EXCLUDE REGEX "^warpfold/(gpu|mpi)/")  # they need nvcc or MPI's headers
list(LENGTH headers count)
list(TRANSFORM headers REPLACE "(.+)" "#include \"\\1\"\n" OUTPUT_VARIABLE sources)
if(WAY STREQUAL TogetherBy)
  string(JOIN "" sources ${sources})
endif()
set(refused "")
foreach(source IN LISTS sources)
  string(MD5 name "${source}")
  set(file ${SCRATCH}/${folder}/${name}.cpp)
  file(WRITE ${file} "${source}")
  execute_process(COMMAND ${compiler} ${FLAGS} -Wall -Wextra -Wconversion -Wshadow -Werror -I${INCLUDE} -I${GENERATED} -fsyntax-only ${file}
                  RESULT_VARIABLE result ERROR_VARIABLE errors)
  if(NOT result EQUAL 0)
    string(APPEND refused "${source}${errors}\n")
  endif()
endforeach()
if(refused OR count EQUAL 0)
  message(FATAL_ERROR "of ${count} headers, ${COMPILER} ${FLAGS} refuses\n${refused}")
endif()
