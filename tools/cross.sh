#!/usr/bin/env bash
# Builds tests for another processor with a cross-compiler, and runs them under qemu. `./dev cross` calls it.
#
#   cross.sh PROCESSOR MIRROR 'PACKAGE...' TARGET...     e.g. aarch64 http://.../debian 'libhwy-dev libgtest-dev' test_io
#
# The libraries for that processor are unpacked into a folder below build/cross. The packages of this machine do not
# change.
set -euo pipefail

processor=$1 mirror=$2
read -r -a packages <<<"$3"
shift 3
# shellcheck source=/dev/null
. /etc/os-release
case $processor in aarch64) architecture=arm64 ;; *) architecture=$processor ;; esac
triple=$processor-linux-gnu
folder=$PWD/build/cross/$processor
root=$folder/root

if [ ! -e "$folder/unpacked" ]; then
  rm -rf "$folder"
  mkdir -p "$root" "$folder/lists/partial" "$folder/cache/archives/partial"
  echo "deb $mirror $VERSION_CODENAME main" >"$folder/sources"
  apt=(apt-get -q -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" -o Debug::NoLocking=1
    -o Dir::State::lists="$folder/lists" -o Dir::State::status=/dev/null -o Dir::Cache="$folder/cache"
    -o Dir::Etc::sourcelist="$folder/sources" -o Dir::Etc::sourceparts=- -o APT::Sandbox::User=root)
  "${apt[@]}" update >/dev/null
  "${apt[@]}" --yes --no-install-recommends --download-only install "${packages[@]}" >/dev/null
  for package in "$folder"/cache/archives/*.deb; do dpkg-deb -x "$package" "$root"; done
  touch "$folder/unpacked"
fi

libraries=$root/usr/lib/$triple
# One instruction set, and as little optimization as runs in reasonable time: the tests check results, not speed.
cmake -S . -B "$folder/build" -G Ninja --log-level=WARNING -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR="$processor" \
  -DCMAKE_CXX_COMPILER="$triple-g++" -DCMAKE_LIBRARY_ARCHITECTURE="$triple" -DCMAKE_FIND_ROOT_PATH="$root" \
  -DCMAKE_FIND_ROOT_PATH_MODE_PACKAGE=ONLY -DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY \
  -DCMAKE_CROSSCOMPILING_EMULATOR="qemu-$processor-static;-L;$root" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O1 \
  -DCMAKE_CXX_FLAGS="-isystem $root/usr/include -isystem $root/usr/include/$triple" \
  -DCMAKE_EXE_LINKER_FLAGS="-L$libraries -Wl,-rpath-link,$libraries" -DWARPFOLD_BUILD_APP=OFF -DWARPFOLD_INSTALL=OFF >/dev/null
rm -rf "$folder/build/bin"  # programs that an earlier call has built are not run
cmake --build "$folder/build" --target "$@" -- --quiet

# run PROGRAM WORD...: runs it under the emulator.
run() { "qemu-$processor-static" -L "$root" "$@"; }

# Left out: a test that starts its program again, which only a kernel set up for qemu could do. Also tests that take
# many minutes under qemu, or that need to be alone: the memory of the process, ten thousand solves, the papers'
# experiments, and checkpoints of types whose tests hold for all types.
left_out='*AProcessThatEnds*:*NoThreadStarts:Memory*:*TenThousand*:Statements.*:Companion.*:RecordedResults.*:Checkpoints/[123].*:Reach.*Around*'

# run_tests PROGRAM: runs as many parts at a time as there are processors.
run_tests() {
  local parts part logs=$folder/logs/${1##*/}
  parts=$(nproc)
  rm -rf "$logs" && mkdir -p "$logs"
  for ((part = 0; part < parts; ++part)); do
    GTEST_TOTAL_SHARDS=$parts GTEST_SHARD_INDEX=$part run "$1" --gtest_filter="-$left_out" >"$logs/$part" 2>&1 &
  done
  for ((part = 0; part < parts; ++part)); do wait -n || { grep -h -A 9 'Failure$\|^\[  FAILED' "$logs"/*; exit 1; }; done
  echo "$(cat "$logs"/* | grep -c '^\[ *OK \]') pass, $(cat "$logs"/* | grep -c '^\[  SKIPPED \] .* ms)') skip"
}

for program in "$folder"/build/bin/*; do
  echo "dev: ${program##*/}"
  case ${program##*/} in fuzz_*) run "$program" -runs=25 | tail -n 1 ;; *) run_tests "$program" ;; esac
done
