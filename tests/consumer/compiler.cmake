# find_compiler(): the compiler COMPILER, and ccache where there is one; where there is no such compiler the script that
# calls it says so and ends.
macro(find_compiler)
  find_program(compiler ${COMPILER})
  if(NOT compiler)
    message("skipped: there is no ${COMPILER} here")
    return()
  endif()
  find_program(ccache ccache)
  if(NOT ccache)
    set(ccache "")
  endif()
endmacro()
