# Checks the layers of a family:
#
#   cmake -DFAMILY=... -DFOLDERS="src/..." -DDEPENDS="run" -DBELOW="run;core" -DSOURCE=... -DSTAMP=... -P CheckLayers.cmake
#
# Fails if a file of the folders includes a header of a family that is not below this one, or opens its namespace (to
# declare its types). Also fails if no file includes a header of a family that this one depends on.
cmake_minimum_required(VERSION 3.25)
list(TRANSFORM FOLDERS REPLACE "(.+)" "${SOURCE}/\\1/*" OUTPUT_VARIABLE patterns)
file(GLOB_RECURSE files ${patterns})
file(GLOB known RELATIVE ${SOURCE}/src ${SOURCE}/src/*)
list(APPEND known papers apps bench python tests)
set(unused ${DEPENDS})
foreach(file IN LISTS files)
  file(STRINGS ${file} includes REGEX "^ *# *include \"|^namespace warpfold::[a-z]+.* {")
  foreach(include IN LISTS includes)
    string(REGEX REPLACE "^( *# *include \"(warpfold/)?|namespace warpfold::)([a-z]+)[/: ].*" "\\3" other "${include}")
    list(REMOVE_ITEM unused "${other}")
    if(other IN_LIST known AND NOT other STREQUAL FAMILY AND NOT other IN_LIST BELOW)
      list(JOIN BELOW ", " below)
      message(FATAL_ERROR "${file}: ${include}: ${FAMILY} may name its own types and those of ${below}")
    endif()
  endforeach()
endforeach()
if(unused)
  list(JOIN unused ", " unused)
  message(FATAL_ERROR "${FAMILY} depends on ${unused}, of which it includes nothing")
endif()
file(TOUCH ${STAMP})
