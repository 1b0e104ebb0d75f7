# Compiles a file against the installed headers without CMake, with the caller's flags, and runs it. If EXPECTED is
# given, compiling must fail with that as the first error.
#   cmake -DCOMPILER=... -DFLAGS="..." -DSOURCE=file.cpp -DPREFIX=... -DSCRATCH=... [-DEXPECTED=...] -P by_hand.cmake
include(${CMAKE_CURRENT_LIST_DIR}/compiler.cmake)
find_compiler()
separate_arguments(flags UNIX_COMMAND "${FLAGS}")
string(MD5 name "${COMPILER} ${FLAGS} ${SOURCE}")
set(object ${SCRATCH}/${name}.o)
file(MAKE_DIRECTORY ${SCRATCH})
execute_process(COMMAND ${ccache} ${compiler} -std=c++20 ${flags} -I${PREFIX}/include -c ${SOURCE} -o ${object}
                RESULT_VARIABLE result ERROR_VARIABLE errors)
if(DEFINED EXPECTED)
  string(REGEX MATCH "error:[^\n]*" first_error "${errors}")
  string(FIND "${first_error}" "${EXPECTED}" place)
  if(result EQUAL 0 OR place EQUAL -1)
    message(FATAL_ERROR "${SOURCE} should be refused with '${EXPECTED}', and the compiler said:\n${errors}")
  endif()
  return()
endif()
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${compiler} ${FLAGS} ${SOURCE}:\n${errors}")
endif()
file(GLOB_RECURSE libraries ${PREFIX}/libwarpfold_*.a)
execute_process(COMMAND ${compiler} ${object} -Wl,--start-group ${libraries} -Wl,--end-group -lfmt -lhwy_contrib -lhwy -pthread
                        -o ${SCRATCH}/${name}
                RESULT_VARIABLE result ERROR_VARIABLE errors)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "linking ${SOURCE}:\n${errors}")
endif()
execute_process(COMMAND ${SCRATCH}/${name} RESULT_VARIABLE result OUTPUT_VARIABLE output)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${compiler} ${FLAGS}: ${SOURCE} says\n${output}")
endif()
