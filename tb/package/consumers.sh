#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What a user does with the package: installs it, and builds examples outside of the tree. The small one, examples/consumer, by CMake and by
# pkg-config, with g++ and clang, in C++17 and C++20, from the installed folder, from the Debian packages, and with tcsim as a subfolder of a
# project; the others by CMake from the installed folder. Each is run, and says itself whether its results are exact.
# usage: consumers.sh [--all] BUILD   (a build folder in which all is built). Works in BUILD/package; prints what it leaves out.
# Without --all, each of these is done at least once, but for examples/rtl, for which Verilator makes much code, and tcsim as a subfolder, which
# builds all of the library and goes only as far as CMake.
set -euo pipefail

all=false
if [[ ${1-} == --all ]]; then all=true; shift; fi
build=$(cd "$1" && pwd)
source=$(cd "$(dirname "$0")/../.." && pwd)
work=$build/package
examples=$work/examples   # copies, so that nothing is found by its place in the tree
prefix=$work/prefix
configs=$prefix/share/tcsim/configs
trace=$source/traces/sm_75.tiled_f16_f32/kernel.trace
export SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1
rm -rf "$work"
mkdir -p "$work"
cp -r "$source/examples" "$examples"

fail() { echo "FAILED: $*" >&2; exit 1; }
has() { [[ -e $1 ]] || fail "there is no $1"; }

# says NAME PATTERN PROGRAM [ARGUMENT]...: the program ends well and prints what it must.
says() {
  local name=$1 pattern=$2 text
  shift 2
  text=$("$@" 2>&1) || fail "$name: exit status $?: $text"
  # shellcheck disable=SC2053  # a pattern
  [[ $text == $pattern && $text != *WRONG* ]] || fail "$name: $text"
  echo "$name: $({ grep exact <<<"$text" || cat <<<"$text"; } | tail -n 1)"
}
consumer_says() { says "$1" "tcsim $version, turing: tiled_f16_f32, * cycles, *, exact" "$2" "$trace" turing; }

# build EXAMPLE COMPILER STANDARD PREFIX NAME [ARGUMENT]...: by CMake with the package in a prefix. Leaves the folder's path in $folder.
build() {
  local example=$1 compiler=$2 standard=$3 from=$4 name=$5
  shift 5
  folder=$work/${name// /-}-$example-$compiler-$standard
  cmake -S "$examples/$example" -B "$folder" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_STANDARD="$standard" \
    -DCMAKE_PREFIX_PATH="$from" -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF "$@" >"$folder.log" 2>&1 &&
    cmake --build "$folder" >>"$folder.log" 2>&1 || { cat "$folder.log" >&2; fail "$name, $example by CMake, $compiler, C++$standard"; }
  grep -q "^tc_DIR:PATH=$from/" "$folder/CMakeCache.txt" || fail "$folder: another package was found"
}

# by_cmake COMPILER STANDARD PREFIX NAME
by_cmake() {
  build consumer "$@"
  consumer_says "$4, CMake, $1, C++$2" "$folder/consumer"
}

# by_pkg_config COMPILER STANDARD PREFIX NAME
by_pkg_config() {
  folder=$work/${4// /-}-pkg-config-$1-$2
  mkdir -p "$folder"
  PKG_CONFIG_PATH=$3/lib/pkgconfig:$3/lib/$(uname -m)-linux-gnu/pkgconfig make -C "$folder" -f "$examples/consumer/Makefile" \
    VPATH="$examples/consumer" CXX="$1" CXXFLAGS="-std=c++$2" >"$folder.log" 2>&1 || { cat "$folder.log" >&2; fail "$4, pkg-config, $1, C++$2"; }
  consumer_says "$4, pkg-config, $1, C++$2" "$folder/consumer"
}

# tools_by_pkg_config COMPILER STANDARD: a program that uses the library on top of the model.
tools_by_pkg_config() {
  folder=$work/tools-$1-$2
  mkdir -p "$folder"
  cat >"$folder/main.cpp" <<'EOT'
#include <iostream>
#include <systemc>
#include <tc/study/vector_operation.hpp>
int sc_main(int, char**) {
  std::cout << "k is " << tc::study::parse_fragment_operation("m16n8k16.f32.f16.f16.f32").k << '\n';
  return 0;
}
EOT
  export PKG_CONFIG_PATH=$prefix/lib/pkgconfig:$prefix/lib/$(uname -m)-linux-gnu/pkgconfig
  # shellcheck disable=SC2046  # words
  "$1" "-std=c++$2" "$folder/main.cpp" -o "$folder/main" $(pkg-config --cflags --libs tc-tools) >"$folder.log" 2>&1 ||
    { cat "$folder.log" >&2; fail "tools, pkg-config, $1, C++$2"; }
  says "tools, pkg-config, $1, C++$2" '*k is 16*' "$folder/main"
}

# Each of these: COMPILER STANDARD
platform_example() {
  build platform "$1" "$2" "$prefix" installed
  local timing
  for timing in approximate loose; do
    says "platform, $timing, $1, C++$2" '*64x64x64 as on a new device *exact*' "$folder/platform_example" "$configs/hopper.json" "$timing"
  done
}

units_example() {
  build units "$1" "$2" "$prefix" installed
  local kernel machine assignment
  while read -r kernel machine assignment; do
    says "$assignment, $1, C++$2" 'own: *, exact*mine: *, exact*' "$folder/units" "$kernel" "$configs/$machine.json" "$assignment"
  done <<EOT
$source/traces/sm_90.gemm_f16_f32_m16n16k16.rough/kernel.trace hopper units.dot_products=zero_counting
$trace turing units.register_bank=mirrored
$examples/units/tensor_memory.trace blackwell units.tensor_memory=counting
$trace turing units.global_memory=paged
EOT
}

# C99 goes with C++17, and C17 with C++20.
embedding_example() {
  local c_compiler=${1/clang++/clang} c_standard=99
  [[ $c_compiler != g++ ]] || c_compiler=gcc
  [[ $2 == 17 ]] || c_standard=17
  build embedding "$1" "$2" "$prefix" installed -DCMAKE_C_COMPILER="$c_compiler" -DCMAKE_C_STANDARD="$c_standard"
  says "embedding, $c_compiler, C$c_standard" "tcsim $version: 64 x 64 x 64, exact, *" "$folder/embedding_gemm" turing
}

python_example() {
  if ! command -v python3 >/dev/null; then echo "left out: examples/embedding in Python, which is not installed"; return; fi
  says "embedding, Python" "tcsim $version, turing*exact*exact*exact" \
    env TCSIM_LIBRARY="$prefix/lib/libtcsim.so" python3 -B "$examples/embedding/gemm.py" turing
}

rtl_example() {
  build rtl "$1" "$2" "$prefix" installed
  says "rtl, $1, C++$2" '* cycles, * instructions, exact, *' "$folder/rtl_run" "$configs/turing.json" "$trace"
}

# as_subfolder COMPILER STANDARD BUILD: all of the library again; only configured unless BUILD.
as_subfolder() {
  local project=$work/project
  folder=$work/subfolder-$1-$2
  mkdir -p "$project"
  cat >"$project/CMakeLists.txt" <<EOT
cmake_minimum_required(VERSION 3.25)
project(platform LANGUAGES CXX)
add_subdirectory($source tcsim)
add_subdirectory($examples/consumer consumer)
EOT
  cmake -S "$project" -B "$folder" -G Ninja -DCMAKE_CXX_COMPILER="$1" -DCMAKE_CXX_STANDARD="$2" >"$folder.log" 2>&1 ||
    { cat "$folder.log" >&2; fail "subfolder, $1, C++$2"; }
  if ! $3; then echo "subfolder, $1, C++$2: configured"; return; fi
  cmake --build "$folder" --target consumer >>"$folder.log" 2>&1 || { tail -n 50 "$folder.log" >&2; fail "subfolder, $1, C++$2"; }
  consumer_says "subfolder, $1, C++$2" "$folder/consumer/consumer"
}

install_package() {
  cmake --install "$build" --prefix "$prefix" >"$work/install.log"
  [[ ! -e $prefix/include/tlm && ! -e $prefix/include/sysc ]] || fail "SystemC's own folders are installed"
  version=$("$prefix/bin/tcsim" --version)
  version=${version#tcsim }
  has "$prefix/share/tcsim/configs/hopper.json"
  grep -rhoE '#include <tc/[^>]+>' "$prefix/include" | sort -u | sed 's/.*<//; s/>//' | while read -r header; do has "$prefix/include/$header"; done
}

# What is installed needs nothing of the checkout: the command finds by name what it runs, and links of the documents lead to what is there.
installed_is_whole() {
  local file link
  for file in share/tcsim/configs/{sweeps/register_banks,energy/energy_45nm}.json share/tcsim/traces/sm_75.tiled_f16_f32/kernel.trace \
    share/tcsim/views/view.py share/doc/tcsim/{README.md,LICENSE,NOTICE,THIRD_PARTY.md,copyright} share/doc/libtcsim-dev/copyright; do
    has "$prefix/$file"
  done
  find "$prefix/share/doc" -name '*.md' | while read -r file; do
    { grep -oE '\]\([^)# ]+(#[^) ]*)?\)' "$file" || true; } | sed 's/^](//; s/[#)].*//' | { grep -v '^https\?:' || true; } | sort -u | while read -r link; do
      has "$(dirname "$file")/$link"
      [[ $(realpath "$(dirname "$file")/$link") == "$(realpath "$prefix")"/* ]] || fail "$file: $link leads out of what is installed"
    done
  done
  [[ $(grep -rlF "$source" "$prefix/share" "$prefix/lib/cmake" "$prefix/lib/pkgconfig") == '' ]] || fail "what is installed knows the checkout"
  mkdir -p "$work/elsewhere"
  cd "$work/elsewhere"
  echo '{"include": "turing.json", "sm": {"sub_cores": 2}}' >mine.json
  says "demo" '*exact: *next:*' "$prefix/bin/tcsim" demo
  says "include" '*exact: *' "$prefix/bin/tcsim" run sm_75.tiled_f16_f32 --config mine.json
  says "sweep" '*' "$prefix/bin/tcsim" sweep turing_buffers
  says "report" '*' "$prefix/bin/tcsim" report turing_buffers.sqlite -o buffers.html
  has buffers.html
  cd - >/dev/null
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
installed_is_whole
compilers=(g++)
if command -v clang++-14 >/dev/null; then compilers+=(clang++-14); else echo "left out: clang++-14, which is not installed"; fi
if $all; then
  pairs=()
  for compiler in "${compilers[@]}"; do pairs+=("$compiler 17" "$compiler 20"); done
  for pair in "${pairs[@]}"; do
    read -r compiler standard <<<"$pair"
    by_cmake "$compiler" "$standard" "$prefix" installed
    by_pkg_config "$compiler" "$standard" "$prefix" installed
    tools_by_pkg_config "$compiler" "$standard"
    platform_example "$compiler" "$standard"
    units_example "$compiler" "$standard"
    embedding_example "$compiler" "$standard"
    if command -v verilator >/dev/null; then rtl_example "$compiler" "$standard"; fi
  done
  command -v verilator >/dev/null || echo "left out: examples/rtl: Verilator is not installed"
else
  by_cmake g++ 17 "$prefix" installed
  by_pkg_config "${compilers[-1]}" 20 "$prefix" installed
  tools_by_pkg_config g++ 17
  platform_example "${compilers[-1]}" 17
  units_example g++ 20
  embedding_example g++ 17
  as_subfolder g++ 20 false
  echo "left out: other combinations of compiler and standard, examples/rtl, and the build as a subfolder (--all)"
fi
python_example
if command -v dpkg-shlibdeps >/dev/null; then
  debian_packages
  by_cmake "${compilers[-1]}" 20 "$work/root/usr" "Debian package"
else
  echo "left out: Debian packages: dpkg-dev is not installed"
fi
if $all; then
  for pair in "${pairs[@]}"; do
    read -r compiler standard <<<"$pair"
    as_subfolder "$compiler" "$standard" true
  done
fi
rm -rf "$work"
