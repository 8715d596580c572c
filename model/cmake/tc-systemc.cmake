# SPDX-License-Identifier: Apache-2.0
# Finds SystemC 2.3.4 or later, by the package that its own CMake files install or else by pkg-config, as target SystemC::systemc, and asks
# which C++ standard it was built with: programs link with that one alone. Sets TC_SYSTEMC_CPLUSPLUS to it, as SystemC's headers name it; empty: not known.
if(NOT TARGET SystemC::systemc)
  # Of any version: asked for 2.3.4, that of 3.0 refuses. Its targets, and those of packages that it needs, are known in all folders that link
  # with what this one makes.
  find_package(SystemCLanguage CONFIG QUIET GLOBAL)
  if(SystemCLanguage_FOUND AND SystemCLanguage_VERSION VERSION_LESS 2.3.4)
    message(FATAL_ERROR "${SystemCLanguage_DIR} has SystemC ${SystemCLanguage_VERSION}; 2.3.4 or later is needed")
  endif()
endif()
if(NOT TARGET SystemC::systemc)
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(TC_SYSTEMC REQUIRED QUIET IMPORTED_TARGET GLOBAL systemc>=2.3.4)
  add_library(SystemC::systemc INTERFACE IMPORTED GLOBAL)
  target_link_libraries(SystemC::systemc INTERFACE PkgConfig::TC_SYSTEMC)
endif()

get_target_property(TC_SYSTEMC_IS_BUILT SystemC::systemc IMPORTED)
if(NOT TC_SYSTEMC_IS_BUILT)
  return()   # part of the same project, which builds all with one standard
endif()

include(CheckCXXSourceCompiles)
block()
  if(NOT CMAKE_CXX_STANDARD)
    set(CMAKE_CXX_STANDARD 17)     # clang 14 would probe with 14
  endif()
  set(CMAKE_REQUIRED_LIBRARIES SystemC::systemc)
  set(probe "#include <systemc>\nint sc_main(int, char**) { return 0; }")
  check_cxx_source_compiles("${probe}" TC_SYSTEMC_ABI_NATIVE)
  if(NOT TC_SYSTEMC_ABI_NATIVE)
    set(CMAKE_REQUIRED_DEFINITIONS -DSC_CPLUSPLUS=201703L)
    check_cxx_source_compiles("${probe}" TC_SYSTEMC_ABI_CXX17)
  endif()
endblock()

if(NOT TC_SYSTEMC_ABI_NATIVE)
  if(NOT TC_SYSTEMC_ABI_CXX17)
    message(FATAL_ERROR "libsystemc does not link with C++${CMAKE_CXX_STANDARD}; it was built for another C++ standard")
  endif()
  set_property(TARGET SystemC::systemc APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS SC_CPLUSPLUS=201703L)
endif()
if(NOT TC_SYSTEMC_ABI_NATIVE OR NOT CMAKE_CXX_STANDARD OR CMAKE_CXX_STANDARD EQUAL 17)
  set(TC_SYSTEMC_CPLUSPLUS 201703L)
elseif(CMAKE_CXX_STANDARD EQUAL 20)
  set(TC_SYSTEMC_CPLUSPLUS 202002L)
endif()
