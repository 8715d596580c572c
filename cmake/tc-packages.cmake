# SPDX-License-Identifier: Apache-2.0
# Debian packages of what `cmake --install` gives: `cpack -G DEB` in the build folder. tcsim has the command and the built-in configurations,
# libtcsim-dev what programs are built with.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)   # which would build all tests for it
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tcsim)
set(CPACK_PACKAGE_VENDOR tcsim)
set(CPACK_PACKAGE_CONTACT "tcsim maintainers <maintainers@tcsim.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES TRUE)
set(CPACK_COMPONENTS_ALL runtime development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME tcsim)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION science)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "SystemC TLM-2.0 model of GPU tensor cores\n Runs traces of compiled kernels on a model of the tensor cores of NVIDIA-style\n GPUs, returns the bits that the silicon returns, and counts its cycles.\n This package has the command tcsim, configurations of machines, and a library\n of C functions.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libtcsim-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
  "tcsim (= ${PROJECT_VERSION}-1), libsystemc-dev (>= 2.3.4), libboost1.81-dev, libboost-json1.81-dev, libboost-iostreams1.81-dev, libfmt-dev, libzstd-dev, pkg-config")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "SystemC TLM-2.0 model of GPU tensor cores - library\n What programs are built with that have a model of GPU tensor cores in a SystemC\n platform: headers, a static library, and packages of CMake and pkg-config.")
include(CPack)
