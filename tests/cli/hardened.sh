#!/bin/sh
# hardened.sh BINARY: whether it was built and linked as SECURITY.md says of release builds.
command -v readelf >/dev/null || { echo 'skipped: there is no readelf here'; exit; }
found=$(LC_ALL=C readelf --wide --file-header --program-headers --dynamic --dyn-syms "$1") || exit 1
for mark in 'Type: *DYN' GNU_RELRO 'BIND_NOW\|Flags:.* NOW' __stack_chk_fail '_chk@'; do
  echo "$found" | grep -q -- "$mark" || { echo "$1 has no '$mark'"; failed=yes; }
done
[ -z "$failed" ]
