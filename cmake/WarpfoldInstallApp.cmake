# Installs the command line with its manual page and shell completions, which it prints itself.
install(TARGETS warpfold_app)
if(BUILD_SHARED_LIBS)
  file(RELATIVE_PATH from_app_to_libraries /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
  set_target_properties(warpfold_app PROPERTIES INSTALL_RPATH \$ORIGIN/${from_app_to_libraries})
endif()

# warpfold_install_printed(FILE FOLDER word...): installs what `warpfold word...` prints as FOLDER/FILE. It is printed
# during the installation, so that a build of the program alone can be installed.
function(warpfold_install_printed file folder)
  set(printed ${PROJECT_BINARY_DIR}/printed/${file})
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/printed)
  list(JOIN ARGN " " words)
  install(CODE "execute_process(COMMAND \"$<TARGET_FILE:warpfold_app>\" ${words} OUTPUT_FILE \"${printed}\" COMMAND_ERROR_IS_FATAL ANY)")
  install(FILES ${printed} DESTINATION ${folder})
endfunction()

if(NOT CMAKE_CROSSCOMPILING)  # a cross-compiled program does not run here
  warpfold_install_printed(warpfold.1 ${CMAKE_INSTALL_MANDIR}/man1 man)
  warpfold_install_printed(warpfold ${CMAKE_INSTALL_DATADIR}/bash-completion/completions completions bash)
  warpfold_install_printed(_warpfold ${CMAKE_INSTALL_DATADIR}/zsh/site-functions completions zsh)
  warpfold_install_printed(warpfold.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d completions fish)
endif()
