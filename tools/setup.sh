# SPDX-License-Identifier: Apache-2.0
# What ./demo and ./check share; both source it from the root of the checkout.

build_packages=(g++ cmake ninja-build pkg-config libsystemc-dev libboost1.81-dev libboost-json1.81-dev libboost-iostreams1.81-dev
  libzstd-dev libcli11-dev libfmt-dev libsqlite3-dev libjs-chart.js libgtest-dev libbenchmark-dev)
browser_packages=(chromium chromium-driver python3-selenium)   # for tests of pages
sweep_packages=(slurm-wlm munge sqlite3)                       # for the test of sweeps on a cluster
cosimulation_packages=(verilator)                              # RTL in the place of a unit
packaging_packages=(dpkg-dev make)                              # for programs that use what is installed
check_packages=(clang-14 libclang-rt-14-dev clang-format-14 clang-tidy-14 cppcheck)
coverage_packages=(gcovr)                                      # which lines tests run
fault_packages=(faketime)                                      # a clock that jumps
wave_packages=(gtkwave sigrok-cli)   # which read the waves of tests

# install_packages PACKAGE...: installs those that are missing, in one transaction. Does nothing, and needs no rights, if none is.
install_packages() {
  if ! command -v dpkg-query >/dev/null; then
    echo "not a Debian system: please install the equivalents of: $*" >&2
    return 0
  fi
  local package missing=() as_root=()
  for package in "$@"; do
    [[ $(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  if ((EUID != 0)); then
    command -v sudo >/dev/null || { echo "run this as root, or install: ${missing[*]}" >&2; return 1; }
    as_root=(sudo)
  fi
  echo "installing ${missing[*]}"
  "${as_root[@]}" apt-get update -qq &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${missing[@]}" >/dev/null
}

# configure PRESET: makes build/PRESET, with ccache where there is one.
configure() {
  local launcher=() fresh=()
  if command -v ccache >/dev/null; then launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
  # Where a preset has another compiler than the folder was made with, CMake would forget the preset's other settings.
  if [[ CMakePresets.json -nt build/$1/CMakeCache.txt ]]; then fresh=(--fresh); fi
  cmake "${fresh[@]}" --preset "$1" "${launcher[@]}"
}
