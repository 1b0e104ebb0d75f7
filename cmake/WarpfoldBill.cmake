# Writes the bill of materials: what a build was made of, as SPDX 2.3. It is installed beside the license.
string(TIMESTAMP created "%Y-%m-%dT%H:%M:%SZ" UTC)  # uses SOURCE_DATE_EPOCH, if it is set

# warpfold_bill_entry(NAME VERSION LICENSE): adds one package to the list.
function(warpfold_bill_entry name version license)
  if(NOT version)
    set(version NOASSERTION)
  endif()
  set_property(GLOBAL APPEND PROPERTY WARPFOLD_BILL_PACKAGES
"  {\"SPDXID\": \"SPDXRef-${name}\", \"name\": \"${name}\", \"versionInfo\": \"${version}\",
   \"licenseDeclared\": \"${license}\", \"licenseConcluded\": \"${license}\", \"copyrightText\": \"NOASSERTION\",
   \"downloadLocation\": \"NOASSERTION\", \"filesAnalyzed\": false}")
  set_property(GLOBAL APPEND PROPERTY WARPFOLD_BILL_NAMES ${name})
endfunction()

warpfold_bill_entry(warpfold ${PROJECT_VERSION} Apache-2.0)
warpfold_bill_entry(highway "${hwy_VERSION}" "Apache-2.0 OR BSD-3-Clause")
warpfold_bill_entry(fmt "${fmt_VERSION}" MIT)
warpfold_bill_entry(nlohmann-json "${nlohmann_json_VERSION}" MIT)
warpfold_bill_entry(geos "${GEOS_VERSION}" LGPL-2.1-or-later)
warpfold_bill_entry(zlib "${ZLIB_VERSION}" Zlib)
warpfold_bill_entry(gmp "" "LGPL-3.0-or-later OR GPL-2.0-or-later")
warpfold_bill_entry(xxhash "" BSD-2-Clause)
if(TARGET warpfold_app)
  find_package(CLI11 REQUIRED)  # again, because the variables for its version are local to a folder
  warpfold_bill_entry(cli11 "${CLI11_VERSION}" BSD-3-Clause)
endif()
if(WARPFOLD_CUDA)
  warpfold_bill_entry(cuda-runtime "${CUDAToolkit_VERSION}" LicenseRef-NVIDIA-CUDA-EULA)
endif()

get_property(packages GLOBAL PROPERTY WARPFOLD_BILL_PACKAGES)
get_property(names GLOBAL PROPERTY WARPFOLD_BILL_NAMES)
list(JOIN packages ",\n" packages)
list(REMOVE_ITEM names warpfold)
set(relations "  {\"spdxElementId\": \"SPDXRef-DOCUMENT\", \"relationshipType\": \"DESCRIBES\", \"relatedSpdxElement\": \"SPDXRef-warpfold\"}")
foreach(name IN LISTS names)
  string(APPEND relations ",\n  {\"spdxElementId\": \"SPDXRef-warpfold\", \"relationshipType\": \"DEPENDS_ON\", \"relatedSpdxElement\": \"SPDXRef-${name}\"}")
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/warpfold.spdx.json @ONLY CONTENT
"{\"spdxVersion\": \"SPDX-2.3\", \"dataLicense\": \"CC0-1.0\", \"SPDXID\": \"SPDXRef-DOCUMENT\",
 \"name\": \"warpfold-@PROJECT_VERSION@\", \"documentNamespace\": \"urn:warpfold:@PROJECT_VERSION@\",
 \"creationInfo\": {\"created\": \"@created@\", \"creators\": [\"Tool: CMake-@CMAKE_VERSION@\"]},
 \"packages\": [
@packages@],
 \"relationships\": [
@relations@]}
")
install(FILES ${PROJECT_BINARY_DIR}/warpfold.spdx.json DESTINATION ${CMAKE_INSTALL_DOCDIR})
