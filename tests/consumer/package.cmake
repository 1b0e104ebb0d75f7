# Packs the build with cpack and checks the result. The archive's program must run where it is unpacked, and have all
# recorded results and papers there. The Debian package must state its name and dependencies.
#   cmake -DBUILD=... -DSOURCE=... -DVERSION=... -DSCRATCH=... -DDPKG_DEB=program -DKNOWS_DEPENDS=ON|OFF -P package.cmake
function(step)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGN}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(expect_in text what)
  foreach(expected IN LISTS ARGN)
    if(NOT text MATCHES "${expected}")
      message(FATAL_ERROR "${what} has no '${expected}':\n${text}")
    endif()
  endforeach()
endfunction()

set(files bin/warpfold include/warpfold/warpfold.hpp lib[^\n]*/libwarpfold_core[.] cmake/warpfold/warpfold-config.cmake
    share/man/man1/warpfold[.]1 share/bash-completion/completions/warpfold share/zsh/site-functions/_warpfold
    share/fish/vendor_completions.d/warpfold.fish share/doc/warpfold/LICENSE share/doc/warpfold/warpfold.spdx.json
    share/warpfold/results/h200/cuda_tiled.json share/warpfold/papers/pipeline-dp-2018/items.json share/warpfold/errata.md)
file(REMOVE_RECURSE ${SCRATCH})
file(MAKE_DIRECTORY ${SCRATCH}/unpacked)
step(${CMAKE_CPACK_COMMAND} --config ${BUILD}/CPackConfig.cmake -B ${SCRATCH})

file(GLOB archive ${SCRATCH}/warpfold-${VERSION}-*.tar.gz)
step(${CMAKE_COMMAND} -E tar tf ${archive})
expect_in("${output}" ${archive} ${files})
step(${CMAKE_COMMAND} -E chdir ${SCRATCH}/unpacked ${CMAKE_COMMAND} -E tar xf ${archive})
file(GLOB program ${SCRATCH}/unpacked/*/bin/warpfold)
step(${program} --version)
expect_in("${output}" ${program} ${VERSION})
step(${program} paper run gpu-polygon-triangulation-2013/conversion)
expect_in("${output}" ${program} "recorded .NVIDIA H200, " "416 µs")
cmake_path(GET program PARENT_PATH bin)
file(GLOB_RECURSE data_files RELATIVE ${SOURCE} ${SOURCE}/results/*.json ${SOURCE}/papers/*/items.json)
foreach(file IN LISTS data_files)
  step(${CMAKE_COMMAND} -E compare_files ${SOURCE}/${file} ${bin}/../share/warpfold/${file})
endforeach()

if(NOT DPKG_DEB)
  message("there is no dpkg-deb here, and no Debian package")
  return()
endif()
file(GLOB package ${SCRATCH}/warpfold_${VERSION}_*.deb)
step(${DPKG_DEB} -c ${package})
expect_in("${output}" ${package} ${files})
step(${DPKG_DEB} -I ${package})
expect_in("${output}" ${package} "Package: warpfold\n" "Version: ${VERSION}\n" "Section: science\n"
          "Maintainer: warpfold developers\n" "Description: Dynamic programming")
if(KNOWS_DEPENDS)
  expect_in("${output}" ${package} "Depends: [^\n]*libc6" "Depends: [^\n]*libhwy")
endif()
