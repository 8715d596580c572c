#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The Debian package of the command in a Debian 12 that has what the package depends on and nothing else: as a user who may write only in a home
# folder, a demo, a sweep and its report. Needs root, debootstrap, and a mirror of Debian; not part of ./check, which needs no network.
# /proc is not there either.
# usage: clean_root.sh BUILD ROOT [MIRROR]   (a build folder in which tc_installed is built; the folder to make, which must not exist)
set -euo pipefail

(($# == 2 || $# == 3)) || { sed -n '3,6s/^# //p' "$0" >&2; exit 2; }
build=$(cd "$1" && pwd)
root=$2
mirror=${3-http://deb.debian.org/debian}
[[ ! -e $root ]] || { echo "$root exists" >&2; exit 2; }

debootstrap --variant=minbase bookworm "$root" "$mirror"
(cd "$build" && cpack -G DEB -B "$build/clean_root_packages")
cp "$build"/clean_root_packages/tcsim_*.deb "$root/tcsim.deb"
[[ ! -e /etc/apt/apt.conf ]] || cp /etc/apt/apt.conf "$root/etc/apt/apt.conf"
chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends /tcsim.deb
chroot "$root" useradd --create-home reader

as_reader() { chroot "$root" su - reader -c "set -e; $1"; }
as_reader 'if touch /usr/share/tcsim/mark 2>/dev/null; then echo "the reader may write into the prefix" >&2; exit 1; fi'
as_reader 'for tool in g++ cmake python3; do if command -v $tool; then echo "more is there than the package needs" >&2; exit 1; fi; done'
as_reader 'tcsim demo --stats demo.json'
as_reader 'tcsim sweep turing_buffers && tcsim report turing_buffers.sqlite -o buffers.html && ls -l buffers.html'
as_reader 'tcsim report demo.json -o demo.html && ls -l demo.html'
echo "ok: $(chroot "$root" dpkg-query --show | wc -l) packages in the root"
