# Tests of the installed package beside those of tests/CMakeLists.txt, whose fixture "installed" is the build in a prefix.
if(NOT TARGET warpfold_app OR CMAKE_CXX_FLAGS MATCHES fsanitize)
  return()
endif()
set(consumer ${PROJECT_SOURCE_DIR}/tests/consumer)
set(scratch ${PROJECT_BINARY_DIR}/consumer)

if(NOT WARPFOLD_CUDA)
  # The same objects linked otherwise: beside this build, where ccache, which ./dev uses, has them all.
  add_test(NAME Consumer.SharedLibrariesAreFoundAndRaiseWhatIsCaught
           COMMAND ${CMAKE_COMMAND} -DPROJECT=${PROJECT_SOURCE_DIR} -DBUILD=${PROJECT_BINARY_DIR}-shared -DSOURCE=${consumer}
                   -DEXAMPLE=${consumer}/raised.cpp -DCOMPILER=${CMAKE_CXX_COMPILER} -DLAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER}
                   -DWERROR=${WARPFOLD_WERROR} "-DEXPECTED=cost 4, then: 3, weight" -P ${consumer}/shared.cmake)
endif()
