include(CMakePackageConfigHelpers)

install(TARGETS warpfold EXPORT warpfold)
install(DIRECTORY include/warpfold ${PROJECT_BINARY_DIR}/include/warpfold DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT warpfold NAMESPACE warpfold:: FILE warpfold-targets.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/warpfold)
configure_package_config_file(cmake/warpfold-config.cmake.in ${PROJECT_BINARY_DIR}/warpfold-config.cmake
        INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/warpfold)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/warpfold-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/warpfold-config.cmake ${PROJECT_BINARY_DIR}/warpfold-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/warpfold)
