#!/usr/bin/env bash
# What a user does with the package: installs it, and builds examples/consumer outside of the tree, by CMake and by pkg-config, with g++ and
# clang, in C++17 and C++20, from the installed folder, from the Debian packages, and with tcsim as a subfolder of a project.
# usage: consumers.sh [--all] BUILD   (a build folder in which all is built). Works in BUILD/package; prints what it leaves out.
# Without --all, each of these is done at least once, and tcsim as a subfolder, which builds all of the library, only as far as CMake.
set -euo pipefail

all=false
if [[ ${1-} == --all ]]; then all=true; shift; fi
build=$(cd "$1" && pwd)
source=$(cd "$(dirname "$0")/../.." && pwd)
work=$build/package
consumer=$work/consumer   # a copy, so that nothing is found by its place in the tree
trace=$source/traces/sm_75.tiled_f16_f32/kernel.trace
export SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1
rm -rf "$work"
mkdir -p "$work"
cp -r "$source/examples/consumer" "$consumer"

fail() { echo "FAILED: $*" >&2; exit 1; }
has() { [[ -e $1 ]] || fail "there is no $1"; }

# says NAME PROGRAM: the program runs and says what it must.
says() {
  local text
  text=$("$2" "$trace" turing) || fail "$1: exit status $?: $text"
  [[ $text == "tcsim $version, turing: tiled_f16_f32, "*" cycles, "*", exact" ]] || fail "$1: $text"
  echo "$1: $text"
}

# by_cmake COMPILER STANDARD PREFIX NAME
by_cmake() {
  local folder=$work/${4// /-}-cmake-$1-$2
  cmake -S "$consumer" -B "$folder" -G Ninja -DCMAKE_CXX_COMPILER="$1" -DCMAKE_CXX_STANDARD="$2" -DCMAKE_PREFIX_PATH="$3" \
    -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF >"$folder.log" 2>&1 &&
    cmake --build "$folder" >>"$folder.log" 2>&1 || { cat "$folder.log" >&2; fail "$4, CMake, $1, C++$2"; }
  grep -q "^tc_DIR:PATH=$3/" "$folder/CMakeCache.txt" || fail "$folder: another package was found"
  says "$4, CMake, $1, C++$2" "$folder/consumer"
}

# by_pkg_config COMPILER STANDARD PREFIX NAME
by_pkg_config() {
  local folder=$work/${4// /-}-pkg-config-$1-$2
  mkdir -p "$folder"
  PKG_CONFIG_PATH=$3/lib/pkgconfig:$3/lib/$(uname -m)-linux-gnu/pkgconfig make -C "$folder" -f "$consumer/Makefile" VPATH="$consumer" \
    CXX="$1" CXXFLAGS="-std=c++$2" >"$folder.log" 2>&1 || { cat "$folder.log" >&2; fail "$4, pkg-config, $1, C++$2"; }
  says "$4, pkg-config, $1, C++$2" "$folder/consumer"
}

# as_subfolder COMPILER STANDARD BUILD: all of the library again; only configured unless BUILD.
as_subfolder() {
  local project=$work/project folder=$work/subfolder-$1-$2
  mkdir -p "$project"
  cat >"$project/CMakeLists.txt" <<EOT
cmake_minimum_required(VERSION 3.25)
project(platform LANGUAGES CXX)
add_subdirectory($source tcsim)
add_subdirectory($consumer consumer)
EOT
  cmake -S "$project" -B "$folder" -G Ninja -DCMAKE_CXX_COMPILER="$1" -DCMAKE_CXX_STANDARD="$2" >"$folder.log" 2>&1 ||
    { cat "$folder.log" >&2; fail "subfolder, $1, C++$2"; }
  if ! $3; then echo "subfolder, $1, C++$2: configured"; return; fi
  cmake --build "$folder" --target consumer >>"$folder.log" 2>&1 || { tail -n 50 "$folder.log" >&2; fail "subfolder, $1, C++$2"; }
  says "subfolder, $1, C++$2" "$folder/consumer/consumer"
}

install_package() {
  cmake --install "$build" --prefix "$work/prefix" >"$work/install.log"
  [[ ! -e $work/prefix/include/tlm && ! -e $work/prefix/include/sysc ]] || fail "SystemC's own folders are installed"
  version=$("$work/prefix/bin/tcsim" --version)
  version=${version#tcsim }
  has "$work/prefix/share/tcsim/configs/hopper.json"
  grep -rhoE '#include <tc/[^>]+>' "$work/prefix/include" | sort -u | sed 's/.*<//; s/>//' | while read -r header; do has "$work/prefix/include/$header"; done
}

debian_packages() {
  (cd "$build" && cpack -G DEB -B "$work/deb" -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip >"$work/cpack.log" 2>&1) || { cat "$work/cpack.log" >&2; fail cpack; }
  local file
  for file in "$work"/deb/*.deb; do
    dpkg-deb -x "$file" "$work/root"
    dpkg-deb --field "$file" Package Version Section Maintainer Depends Description >"$file.txt"
    grep -q '^Maintainer: .*@' "$file.txt" || fail "$file has no maintainer"
  done
  has "$work/root/usr/bin/tcsim"
  has "$work/root/usr/share/doc/tcsim/copyright"
  grep -q '^Depends:.*libsystemc' "$work"/deb/tcsim_*.txt || fail "tcsim does not depend on SystemC"
  grep -q '^Depends:.*libsystemc-dev.*libboost-json1.81-dev' "$work"/deb/libtcsim-dev_*.txt || fail "libtcsim-dev does not depend on what it needs"
  [[ $(find "$work/root" -perm -o+w ! -type l) == '' ]] || fail "anybody may write files of the packages"
}

install_package
compilers=(g++)
if command -v clang++-14 >/dev/null; then compilers+=(clang++-14); else echo "left out: clang++-14, which is not installed"; fi
if $all; then
  for compiler in "${compilers[@]}"; do
    for standard in 17 20; do
      by_cmake "$compiler" "$standard" "$work/prefix" installed
      by_pkg_config "$compiler" "$standard" "$work/prefix" installed
      as_subfolder "$compiler" "$standard" true
    done
  done
else
  by_cmake g++ 17 "$work/prefix" installed
  by_pkg_config "${compilers[-1]}" 20 "$work/prefix" installed
  as_subfolder g++ 20 false
  echo "left out: other combinations of compiler and standard, and the build as a subfolder (--all)"
fi
if command -v dpkg-shlibdeps >/dev/null; then
  debian_packages
  by_cmake "${compilers[-1]}" 20 "$work/root/usr" "Debian package"
else
  echo "left out: Debian packages: dpkg-dev is not installed"
fi
rm -rf "$work"
