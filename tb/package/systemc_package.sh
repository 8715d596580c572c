#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A SystemC that CMake has installed has a package of its own, whose imported targets, SystemC::systemc and the Threads::Threads that it needs,
# are known only in the folder that looks for them. Configures with such a package, which leads to the system's library: this project; and one
# that has it as a subfolder, and has looked for SystemC before or leaves that to it.
# usage: systemc_package.sh WORK   (a folder that is made anew)
set -euo pipefail

rm -rf "$1"
mkdir -p "$1"
work=$(cd "$1" && pwd)
source=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$work/prefix/lib/cmake/SystemCLanguage"
cat >"$work/prefix/lib/cmake/SystemCLanguage/SystemCLanguageConfig.cmake" <<'EOT'
include(CMakeFindDependencyMacro)
find_dependency(Threads)
if(NOT TARGET SystemC::systemc)
  find_library(systemc_of_the_system systemc REQUIRED)
  add_library(SystemC::systemc SHARED IMPORTED)
  set_target_properties(SystemC::systemc PROPERTIES IMPORTED_LOCATION "${systemc_of_the_system}" INTERFACE_LINK_LIBRARIES Threads::Threads)
endif()
EOT
cat >"$work/prefix/lib/cmake/SystemCLanguage/SystemCLanguageConfigVersion.cmake" <<'EOT'
set(PACKAGE_VERSION 2.3.4)
set(PACKAGE_VERSION_COMPATIBLE TRUE)
EOT

# configure NAME SOURCE [ARGUMENT]...
configure() {
  local name=$1 from=$2
  shift 2
  cmake -S "$from" -B "$work/$name" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" "$@" >"$work/$name.log" 2>&1 || { cat "$work/$name.log" >&2; exit 1; }
  grep -q "^SystemCLanguage_DIR:PATH=$work/prefix" "$work/$name/CMakeCache.txt" || { echo "$name: SystemC's package was not found" >&2; exit 1; }
  echo "$name: configured"
}

# platform NAME LOOK: a project with tcsim as a subfolder, which looks for SystemC itself, or does not.
platform() {
  mkdir -p "$work/$1-source/part"
  cat >"$work/$1-source/CMakeLists.txt" <<EOT
cmake_minimum_required(VERSION 3.25)
project(platform LANGUAGES CXX)
$2
add_subdirectory($source tcsim)
add_subdirectory(part)
EOT
  echo 'int sc_main(int, char**) { return 0; }' >"$work/$1-source/part/main.cpp"
  printf 'add_executable(platform main.cpp)\ntarget_link_libraries(platform PRIVATE tc::model)\n' >"$work/$1-source/part/CMakeLists.txt"
  configure "$1" "$work/$1-source"
}

configure project "$source" -DCMAKE_BUILD_TYPE=Release
platform subfolder ''
platform subfolder_after_systemc 'find_package(SystemCLanguage CONFIG REQUIRED)'
