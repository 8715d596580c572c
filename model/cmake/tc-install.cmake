# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` gives. Components: runtime (the command, the library of C functions, configurations, traces, views, documents) and
# development (all that programs are built with). The target tc_installed builds all that is compiled of it.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tc)
set(TC_CONFIGURATION_INSTALL_DIR ${CMAKE_INSTALL_DATADIR}/tcsim/configs)

install(TARGETS tc_model tc_tools tcsim_c EXPORT tc-targets
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
configure_file(cmake/tc-tools.pc.in tc-tools.pc @ONLY)
configure_file(cmake/tcsim.pc.in tcsim.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tc.pc ${CMAKE_CURRENT_BINARY_DIR}/tc-tools.pc ${CMAKE_CURRENT_BINARY_DIR}/tcsim.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

# Data: what the command finds by name is part of it, but for traces; the files are there to be read and copied.
set(data_dir ${CMAKE_INSTALL_DATADIR}/tcsim)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/configs ${PROJECT_SOURCE_DIR}/traces ${PROJECT_SOURCE_DIR}/app/views DESTINATION ${data_dir} COMPONENT runtime
  PATTERN "__pycache__" EXCLUDE
  PATTERN view.py PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# The documents' links lead to what is installed.
set(document_dir ${CMAKE_INSTALL_DATADIR}/doc/tcsim)
install(CODE "
  set(SOURCE \"${PROJECT_SOURCE_DIR}\")
  set(TO \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${document_dir}\")
  set(DATA \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${data_dir}\")
  include(\"${CMAKE_CURRENT_SOURCE_DIR}/cmake/install_documents.cmake\")
" COMPONENT runtime)
foreach(package IN ITEMS tcsim libtcsim-dev)
  set(component runtime)
  if(package STREQUAL libtcsim-dev)
    set(component development)
  endif()
  install(FILES ${PROJECT_SOURCE_DIR}/cmake/debian-copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} RENAME copyright COMPONENT ${component})
endforeach()
