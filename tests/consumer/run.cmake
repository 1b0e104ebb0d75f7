# Installs the build into a new prefix, builds the consumer against it, and runs it.
#   cmake -DBUILD=... -DSOURCE=... -DEXAMPLE=file.cpp -DCOMPILER=... -P run.cmake
function(step)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGN}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

set(scratch ${BUILD}/consumer)
file(REMOVE_RECURSE ${scratch})
step(${CMAKE_COMMAND} --install ${BUILD} --prefix ${scratch}/prefix)
step(${CMAKE_COMMAND} -G Ninja -S ${SOURCE} -B ${scratch}/build -DCMAKE_PREFIX_PATH=${scratch}/prefix -DWARPFOLD_EXAMPLE=${EXAMPLE}
     -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_BUILD_TYPE=Release ${CONSUMER_OPTIONS})
step(${CMAKE_COMMAND} --build ${scratch}/build)
step(${scratch}/build/consumer)
message(STATUS "the consumer printed: ${output}")
if(NOT output MATCHES "${EXPECTED}")
  message(FATAL_ERROR "the consumer printed '${output}', not '${EXPECTED}'")
endif()
