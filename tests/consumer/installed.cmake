# Further tests of the installed package. Their fixture "installed", in tests/CMakeLists.txt, is the build in a prefix.
if(NOT TARGET warpfold_app OR CMAKE_CXX_FLAGS MATCHES fsanitize)
  return()
endif()
set(consumer ${PROJECT_SOURCE_DIR}/tests/consumer)
set(scratch ${PROJECT_BINARY_DIR}/consumer)

add_test(NAME Consumer.ArchiveAndDebianPackageAreWhole
         COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR} -DSOURCE=${PROJECT_SOURCE_DIR} -DVERSION=${PROJECT_VERSION}
                 -DSCRATCH=${scratch}/package
                 -DDPKG_DEB=${WARPFOLD_DPKG_DEB} -DKNOWS_DEPENDS=${CPACK_DEBIAN_PACKAGE_SHLIBDEPS} -P ${consumer}/package.cmake)
set_tests_properties(Consumer.ArchiveAndDebianPackageAreWhole PROPERTIES FIXTURES_REQUIRED installed)

foreach(program machine_sum machine_transpose machine_records)
  add_test(NAME Consumer.BuildsTheExample_${program}
           COMMAND ${CMAKE_CTEST_COMMAND} --build-and-test ${consumer} ${scratch}/${program} --build-generator Ninja
                   --build-options -DCMAKE_PREFIX_PATH=${scratch}/prefix -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
                   -DWARPFOLD_EXAMPLE=${PROJECT_SOURCE_DIR}/examples/${program}.cpp --test-command consumer)
  set_tests_properties(Consumer.BuildsTheExample_${program} PROPERTIES FIXTURES_REQUIRED installed)
endforeach()

if(WARPFOLD_CUDA)
  add_test(NAME Consumer.CompilesARecurrenceOfItsOwnForAGpu
           COMMAND ${CMAKE_CTEST_COMMAND} --build-and-test ${consumer}/gpu ${scratch}/gpu --build-generator Ninja
                   --build-options -DCMAKE_PREFIX_PATH=${scratch}/prefix -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
                   -DCMAKE_CUDA_COMPILER=${CMAKE_CUDA_COMPILER} -DCMAKE_CUDA_ARCHITECTURES=${CMAKE_CUDA_ARCHITECTURES}
                   -DWARPFOLD_EXAMPLE=${PROJECT_SOURCE_DIR}/examples/longest_chord_gpu.cu)
  set_tests_properties(Consumer.CompilesARecurrenceOfItsOwnForAGpu PROPERTIES FIXTURES_REQUIRED installed)
else()
  # The same objects as shared libraries. With ccache, which ./dev uses, nothing is compiled again.
  add_test(NAME Consumer.SharedLibrariesAreFoundAndRaiseWhatIsCaught
           COMMAND ${CMAKE_COMMAND} -DPROJECT=${PROJECT_SOURCE_DIR} -DBUILD=${PROJECT_BINARY_DIR}-shared -DSOURCE=${consumer}
                   -DEXAMPLE=${consumer}/raised.cpp -DCOMPILER=${CMAKE_CXX_COMPILER} -DLAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER}
                   -DWERROR=${WARPFOLD_WERROR} "-DEXPECTED=cost 4, then: 3, weight" -P ${consumer}/shared.cmake)
endif()
