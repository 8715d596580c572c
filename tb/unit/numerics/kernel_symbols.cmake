# SPDX-License-Identifier: Apache-2.0
# cmake -D NM=<nm> -D OBJECTS=<object files of the library> -P kernel_symbols.cmake
# Fails if an object file of a vector kernel defines more for the linker than its table of kernels. Of a function that several files define the
# linker keeps one, and it might keep the one that this machine cannot execute.
string(REPLACE "," ";" objects "${OBJECTS}")
list(FILTER objects INCLUDE REGEX "numerics/simd/[a-z0-9]+\\.cpp\\.o$")
if(NOT objects)
  message(FATAL_ERROR "no object file of a kernel among ${OBJECTS}")
endif()
foreach(object IN LISTS objects)
  execute_process(COMMAND ${NM} --demangle --defined-only --extern-only ${object} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]+" symbols "${symbols}")
  list(FILTER symbols EXCLUDE REGEX "tc::numerics::simd::[a-z0-9]+_kernels$| __odr_asan\\.")
  if(symbols)
    list(JOIN symbols "\n  " lines)
    message(SEND_ERROR "${object} defines\n  ${lines}")
  endif()
endforeach()
