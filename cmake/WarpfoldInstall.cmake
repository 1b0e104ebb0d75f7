include(CMakePackageConfigHelpers)

install(TARGETS warpfold ${family_targets} EXPORT warpfold)
if(BUILD_SHARED_LIBS)  # libraries find each other wherever the tree is moved
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
    REGEX "core/capability[.]hpp$|run/(cuda|running_solve|staging)[.]hpp$|interval/user/[a-z_]+[.]cuh$"
    REGEX "tiles/(gpu/([a-z_]+[.]cuh|table_handle[.]hpp)|exchange/(table_places|tile_shares|tile_tickets)[.]hpp|(layout|shapes|tuning)[.]hpp)$")
endif()
install(EXPORT warpfold NAMESPACE warpfold:: FILE warpfold-targets.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/warpfold)
get_property(WARPFOLD_COMPONENTS GLOBAL PROPERTY WARPFOLD_COMPONENTS)
configure_package_config_file(cmake/warpfold-config.cmake.in ${PROJECT_BINARY_DIR}/warpfold-config.cmake
        INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/warpfold)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/warpfold-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/warpfold-config.cmake ${PROJECT_BINARY_DIR}/warpfold-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/warpfold)

# For compilers without CMake. A build with CUDA also needs CUDA's libraries, whose place is not fixed, so it gets no
# .pc files.
if(NOT WARPFOLD_CUDA)
  cmake_language(EVAL CODE "${WARPFOLD_COMPONENTS}")
  set(flags_of_fmt::fmt -lfmt)
  set(flags_of_gmp -lgmp)
  set(flags_of_GEOS::geos_c -lgeos_c)
  set(flags_of_ZLIB::ZLIB -lz)
  set(flags_of_hwy::hwy -lhwy)
  set(flags_of_hwy::hwy_contrib -lhwy_contrib)
  set(flags_of_Threads::Threads -pthread)  # MPI's flags come from the compiler mpicxx; nlohmann-json has only headers
  file(RELATIVE_PATH PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)

  # warpfold_install_pc(NAME "libraries" family...): installs NAME.pc for these families.
  function(warpfold_install_pc PC_NAME PC_LIBRARIES)
    list(TRANSFORM ARGN PREPEND warpfold-)
    list(JOIN ARGN ", " PC_REQUIRES)
    configure_file(cmake/warpfold.pc.in ${PROJECT_BINARY_DIR}/${PC_NAME}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${PC_NAME}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  endfunction()
  foreach(family IN LISTS WARPFOLD_FAMILIES)
    set(libraries -lwarpfold_${family})
    foreach(package IN LISTS warpfold_${family}_packages)
      list(APPEND libraries ${flags_of_${package}})
    endforeach()
    list(JOIN libraries " " libraries)
    warpfold_install_pc(warpfold-${family} "${libraries}" ${warpfold_${family}_depends})
  endforeach()
  warpfold_install_pc(warpfold "" ${WARPFOLD_FAMILIES})
endif()

if(PROJECT_IS_TOP_LEVEL)
  include(WarpfoldPackage)
  if(WARPFOLD_BUILD_TESTS)
    include(tests/consumer/installed.cmake)
  endif()
endif()
