include(CMakePackageConfigHelpers)

install(TARGETS warpfold ${family_targets} EXPORT warpfold)
if(BUILD_SHARED_LIBS)  # which find each other wherever the tree is moved
  set_target_properties(${family_targets} PROPERTIES INSTALL_RPATH \$ORIGIN)
endif()
if(TARGET warpfold_app)
  include(WarpfoldInstallApp)
endif()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
include(WarpfoldBill)
if(NOT WARPFOLD_MPI)
  set(left_out PATTERN include/warpfold/mpi EXCLUDE)
endif()
install(DIRECTORY include/warpfold ${PROJECT_BINARY_DIR}/include/warpfold DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        ${left_out})
if(WARPFOLD_CUDA)
  install(TARGETS warpfold_gpu EXPORT warpfold)
  install(DIRECTORY src/core src/run src/tiles src/interval DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/warpfold/gpu
    FILES_MATCHING
    REGEX "core/capability[.]hpp$|run/(cuda|staging)[.]hpp$|interval/recurrence_rules[.]cuh$"
    REGEX "tiles/([a-z]+[.]cuh|(device_run|layout|shapes|table_places|tile_tickets|tuning)[.]hpp)$")
endif()
install(EXPORT warpfold NAMESPACE warpfold:: FILE warpfold-targets.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/warpfold)
get_property(WARPFOLD_COMPONENTS GLOBAL PROPERTY WARPFOLD_COMPONENTS)
configure_package_config_file(cmake/warpfold-config.cmake.in ${PROJECT_BINARY_DIR}/warpfold-config.cmake
        INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/warpfold)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/warpfold-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/warpfold-config.cmake ${PROJECT_BINARY_DIR}/warpfold-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/warpfold)

# For plain compilers; a build with CUDA needs its libraries too, which have no fixed place.
if(NOT WARPFOLD_CUDA)
  set(PC_LIBRARIES ${WARPFOLD_FAMILIES})
  list(REVERSE PC_LIBRARIES)
  list(TRANSFORM PC_LIBRARIES PREPEND -lwarpfold_)
  if(NOT BUILD_SHARED_LIBS)  # which are linked with them already
    list(APPEND PC_LIBRARIES -lhwy_contrib -lhwy -lgeos_c -lgmp)
  endif()
  list(JOIN PC_LIBRARIES " " PC_LIBRARIES)
  file(RELATIVE_PATH PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  configure_file(cmake/warpfold.pc.in ${PROJECT_BINARY_DIR}/warpfold.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/warpfold.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()

if(PROJECT_IS_TOP_LEVEL)
  include(WarpfoldPackage)
  if(WARPFOLD_BUILD_TESTS)
    include(tests/consumer/installed.cmake)
  endif()
endif()
