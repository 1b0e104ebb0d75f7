# find_compiler(): finds the compiler COMPILER, and ccache if it is installed. If there is no such compiler, the calling
# script says so and ends.
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
