# Compiles every installed header alone, warnings being errors.
# cmake -DCOMPILER=... -DFLAGS=-std=... -DPREFIX=... -DSCRATCH=... -P headers.cmake
include(${CMAKE_CURRENT_LIST_DIR}/compiler.cmake)
find_compiler()
string(MD5 folder "${COMPILER} ${FLAGS}")
file(GLOB_RECURSE headers RELATIVE ${PREFIX}/include ${PREFIX}/include/warpfold/*.hpp)
list(FILTER headers EXCLUDE REGEX "^warpfold/(gpu|mpi)/")  # which nvcc compiles, or who has MPI's headers
set(refused "")
foreach(header IN LISTS headers)
  set(source ${SCRATCH}/${folder}/${header}.cpp)
  file(WRITE ${source} "#include \"${header}\"\n")
  execute_process(COMMAND ${ccache} ${compiler} ${FLAGS} -Wall -Wextra -Wconversion -Wshadow -Werror
                          -I${PREFIX}/include -c ${source} -o ${source}.o
                  RESULT_VARIABLE result ERROR_VARIABLE errors)
  if(NOT result EQUAL 0)
    string(APPEND refused "${header}:\n${errors}\n")
  endif()
endforeach()
list(LENGTH headers count)
if(refused OR count EQUAL 0)
  message(FATAL_ERROR "of ${count} headers, ${COMPILER} ${FLAGS} refuses\n${refused}")
endif()
