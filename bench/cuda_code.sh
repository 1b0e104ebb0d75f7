#!/usr/bin/env bash
# How long does the GPU code take to compile for all common GPUs, and what resources do its kernels use?
#
#   bench/cuda_code.sh > results/MACHINE/cuda_code.json
#
# Compiles each .cu file of the libraries alone, for the architectures of the presets cuda and cuda-all. Seconds are
# processor time (user and system). Bytes are those of the GPU code in the linked object. Registers, spills and static
# shared memory come from the compiler, for the worst kernel.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
presets=(cuda cuda-all)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
rows=()

for preset in "${presets[@]}"; do
  cmake --preset "$preset" -DCMAKE_CUDA_COMPILER_LAUNCHER= --log-level=WARNING >/dev/null
  list=$(sed -n 's/^CMAKE_CUDA_ARCHITECTURES:[A-Z]*=//p' "build/$preset/CMakeCache.txt")
  list=${list:-90a-real}
  seconds_of_all=0
  bytes_of_all=0
  : >"$scratch/$preset.log"
  while read -r command; do
    file=${command##* -c }
    file=${file%% *}
    command="${command% -o *} -o $scratch/object -Xptxas -v"
    echo "$preset: ${file#"$PWD"/}" >&2
    (cd "build/$preset" && bash -c "TIMEFORMAT='%U %S'; time $command") >"$scratch/log" 2>&1
    cat "$scratch/log" >>"$scratch/$preset.log"
    read -r user system < <(tail -n 1 "$scratch/log")
    seconds=$(awk "BEGIN {printf \"%.1f\", $user + $system}")
    bytes=$(size -A "$scratch/object" | awk '$1 == ".nv_fatbin" {print $2}')
    rows+=("{\"work\": \"compile\", \"file\": \"${file#"$PWD"/}\", \"architectures\": \"${list//;/ }\", \
\"cpu_seconds\": $seconds, \"code_bytes\": $bytes}")
    seconds_of_all=$(awk "BEGIN {print $seconds_of_all + $seconds}")
    bytes_of_all=$((bytes_of_all + bytes))
  done < <(sed -n "s/^ *\"command\": \"\(.*nvcc.* -c [^ ]*\/\(src\|papers\)\/.*\.cu .*\)\",$/\1/p" \
    "build/$preset/compile_commands.json" | sed 's/\\"/"/g')
  rows+=("{\"work\": \"compile all\", \"preset\": \"$preset\", \"architectures\": \"${list//;/ }\", \
\"cpu_seconds\": $seconds_of_all, \"code_bytes\": $bytes_of_all}")
done

# The last log has every architecture, with the resources of its kernels.
while read -r row; do rows+=("$row"); done < <(awk '
  /Compiling entry function/ { match($0, /sm_[0-9a-z]+/); arch = substr($0, RSTART + 3, RLENGTH - 3); kernels[arch]++ }
  /bytes spill stores/ {
    for (f = 1; f < NF; ++f) if ($(f + 2) " " $(f + 3) == "spill stores,") spilled = $f
    if (spilled > 0) spilling[arch]++
    if (spilled > max_spilled[arch]) max_spilled[arch] = spilled
  }
  /Used [0-9]+ registers/ {
    for (f = 1; f < NF; ++f) {
      if ($f == "Used" && $(f + 1) > registers[arch]) registers[arch] = $(f + 1)
      if ($(f + 2) == "smem," || $(f + 2) == "smem") if ($f > shared[arch]) shared[arch] = $f
    }
  }
  END {
    for (arch in kernels)
      printf "{\"work\": \"kernels\", \"architecture\": \"%s\", \"kernels\": %d, \"max_registers\": %d, " \
             "\"kernels_that_spill\": %d, \"max_spilled_bytes\": %d, \"max_static_shared_bytes\": %d}\n",
             arch, kernels[arch], registers[arch], spilling[arch], max_spilled[arch], shared[arch]
  }' "$scratch/${presets[-1]}.log" | sort -V)

printf '{\n  "machine": "%s",\n  "date": "%s",\n  "commit": "%s",\n  "command": "bench/cuda_code.sh",\n' \
  "${WARPFOLD_MACHINE:-$(hostname)}" "$(date -u +%FT%TZ)" "$(git rev-parse --short HEAD)"
printf '  "compiler": "%s",\n  "rows": [\n' "$(nvcc --version | sed -n 's/.*release \([^,]*\), \(V.*\)/nvcc \2/p')"
for at in "${!rows[@]}"; do
  printf '    %s%s\n' "${rows[at]}" "$([ "$at" -lt $((${#rows[@]} - 1)) ] && echo ,)"
done
printf '  ]\n}\n'
