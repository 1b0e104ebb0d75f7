# `cpack` in the build folder makes an archive and, if dpkg-deb is installed, a Debian package. Each has everything that
# is installed: the command line, its manual page and completions, the libraries, and the files for compiling against
# them.
find_program(WARPFOLD_DPKG_DEB dpkg-deb)
find_program(WARPFOLD_DPKG_SHLIBDEPS dpkg-shlibdeps)
find_program(WARPFOLD_FILE file)
mark_as_advanced(WARPFOLD_DPKG_DEB WARPFOLD_DPKG_SHLIBDEPS WARPFOLD_FILE)
set(CPACK_GENERATOR TGZ)
if(WARPFOLD_DPKG_DEB)
  list(APPEND CPACK_GENERATOR DEB)
endif()
set(CPACK_PACKAGE_CONTACT "warpfold developers")
set(CPACK_PACKAGE_VENDOR warpfold)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
if(WARPFOLD_DPKG_SHLIBDEPS AND WARPFOLD_FILE)  # these tools find out what the command line needs to run
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
endif()
# Additional packages for compiling against the libraries.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libfmt-dev, libgeos-dev, libgmp-dev, libhwy-dev, nlohmann-json3-dev, zlib1g-dev")
include(CPack)
