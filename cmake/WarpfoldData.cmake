# The data of the repository that the command line reads: the recorded results, the papers' items and the errata.
# WARPFOLD_DATA_FROM_PROGRAM is the path from the program to them. In the build tree they are links to the sources.
set(data_folder ${CMAKE_INSTALL_DATADIR}/warpfold)
file(RELATIVE_PATH data_from_program /${CMAKE_INSTALL_BINDIR} /${data_folder})
set_source_files_properties(data.cpp PROPERTIES COMPILE_DEFINITIONS "WARPFOLD_DATA_FROM_PROGRAM=\"${data_from_program}\"")

cmake_path(APPEND CMAKE_RUNTIME_OUTPUT_DIRECTORY ${data_from_program} OUTPUT_VARIABLE links)
cmake_path(NORMAL_PATH links)
file(MAKE_DIRECTORY ${links})
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/results ${links}/results SYMBOLIC)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/papers ${links}/papers SYMBOLIC)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/docs/explanation/errata.md ${links}/errata.md SYMBOLIC)

if(WARPFOLD_INSTALL AND WARPFOLD_BUILD_APP)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/results DESTINATION ${data_folder} FILES_MATCHING PATTERN *.json)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/papers DESTINATION ${data_folder} FILES_MATCHING PATTERN items.json)
  install(FILES ${PROJECT_SOURCE_DIR}/docs/explanation/errata.md DESTINATION ${data_folder})
endif()
