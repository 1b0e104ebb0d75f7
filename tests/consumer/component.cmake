# Builds component/ against an installed tree, without GEOS and nlohmann-json, and runs it. If EXPECTED is given,
# find_package must fail with that message.
#   cmake -DPREFIX=... -DSOURCE=... -DSCRATCH=... -DCOMPILER=... -DCOMPONENT=name [-DEXPECTED=...] -P component.cmake
file(REMOVE_RECURSE ${SCRATCH})
execute_process(
  COMMAND ${CMAKE_COMMAND} -G Ninja -S ${SOURCE} -B ${SCRATCH} -DCMAKE_PREFIX_PATH=${PREFIX} -DCOMPONENT=${COMPONENT}
          -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_DISABLE_FIND_PACKAGE_GEOS=ON
          -DCMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON
  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(DEFINED EXPECTED)
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  if(result EQUAL 0 OR NOT output MATCHES "${EXPECTED}")
    message(FATAL_ERROR "component '${COMPONENT}' should be refused with '${EXPECTED}', and CMake said:\n${output}")
  endif()
  return()
endif()
if(result EQUAL 0)
  execute_process(COMMAND ${CMAKE_COMMAND} --build ${SCRATCH} RESULT_VARIABLE result OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
endif()
if(result EQUAL 0)
  execute_process(COMMAND ${SCRATCH}/component RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
endif()
if(NOT result EQUAL 0 OR NOT output STREQUAL "0 3 8 0\n")
  message(FATAL_ERROR "component ${COMPONENT}: ${result}\n${output}")
endif()
