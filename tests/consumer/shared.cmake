# Builds the project as shared libraries without undefined symbols, and the consumer as run.cmake does. Then moves the
# installed tree and runs the command line.
#   cmake -DPROJECT=... -DLAUNCHER=... -DWERROR=... -DBUILD=... and run.cmake's others -P shared.cmake
execute_process(
  COMMAND ${CMAKE_COMMAND} -G Ninja -S ${PROJECT} -B ${BUILD} -DBUILD_SHARED_LIBS=ON -DCMAKE_SHARED_LINKER_FLAGS=-Wl,-z,defs
          -DWARPFOLD_BUILD_TESTS=OFF -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=${COMPILER}
          -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER} -DWARPFOLD_WERROR=${WERROR}
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${BUILD} OUTPUT_VARIABLE output RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${output}")
endif()
# The libraries are linked with what they need, so their users need not find these packages.
set(CONSUMER_OPTIONS -DCMAKE_DISABLE_FIND_PACKAGE_GEOS=ON -DCMAKE_DISABLE_FIND_PACKAGE_hwy=ON
                     -DCMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON -DCMAKE_DISABLE_FIND_PACKAGE_ZLIB=ON)
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

file(GLOB_RECURSE shared ${scratch}/prefix/libwarpfold_core.so.*.*.*)
file(GLOB_RECURSE static ${scratch}/prefix/*.a)
if(NOT shared OR static)
  message(FATAL_ERROR "the installed libraries should be shared ones, and are '${shared}' '${static}'")
endif()
file(RENAME ${scratch}/prefix ${scratch}/moved)
step(${scratch}/moved/bin/warpfold chain 30 35 15 5 10 20 25)
if(NOT output MATCHES 15125)
  message(FATAL_ERROR "the moved program printed '${output}'")
endif()
