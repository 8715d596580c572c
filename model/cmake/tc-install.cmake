# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` gives. Components: runtime (presets, the library of C functions and documents, with the command) and development (all that programs are built with).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tc)
set(TC_CONFIGURATION_INSTALL_DIR ${CMAKE_INSTALL_DATADIR}/tcsim/configs)

install(TARGETS tc_model tcsim_c EXPORT tc-targets
  ARCHIVE COMPONENT development
  LIBRARY COMPONENT runtime NAMELINK_COMPONENT development
  FILE_SET HEADERS COMPONENT development)
install(EXPORT tc-targets NAMESPACE tc:: DESTINATION ${package_dir} COMPONENT development)

configure_package_config_file(cmake/tc-config.cmake.in tc-config.cmake INSTALL_DESTINATION ${package_dir} PATH_VARS TC_CONFIGURATION_INSTALL_DIR)
# Before version 1.0.0 the second number says what the first one says later: that something has changed for users.
write_basic_package_version_file(tc-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/tc-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/tc-config-version.cmake
  ${CMAKE_CURRENT_SOURCE_DIR}/cmake/tc-systemc.cmake
  DESTINATION ${package_dir} COMPONENT development)

# pkg-config knows no standard of the compiler: it is told which one SystemC was built with, and every later one links.
if(TC_SYSTEMC_CPLUSPLUS)
  set(TC_PC_DEFINITION " -DSC_CPLUSPLUS=${TC_SYSTEMC_CPLUSPLUS}")
endif()
file(RELATIVE_PATH TC_PC_UP /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)   # the folder may be moved
cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_LIBDIR BASE_DIRECTORY "\${prefix}" OUTPUT_VARIABLE TC_PC_LIBDIR)
configure_file(cmake/tc.pc.in tc.pc @ONLY)
configure_file(cmake/tcsim.pc.in tcsim.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tc.pc ${CMAKE_CURRENT_BINARY_DIR}/tcsim.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

file(GLOB presets CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/configs/*.json)
install(FILES ${presets} DESTINATION ${TC_CONFIGURATION_INSTALL_DIR} COMPONENT runtime)
install(FILES ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/THIRD_PARTY.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)
install(FILES ${PROJECT_SOURCE_DIR}/THIRD_PARTY.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/tcsim RENAME copyright COMPONENT runtime)
install(FILES ${PROJECT_SOURCE_DIR}/THIRD_PARTY.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libtcsim-dev RENAME copyright COMPONENT development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)
