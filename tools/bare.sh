#!/usr/bin/env bash
# Runs the README's two commands in a Debian that has nothing but git, and prints the seconds of each. `./dev bare`
# starts it as root in new namespaces, so that its mounts and processes end with it.
#   bare.sh RELEASE FOLDER CACHE MIRROR COMMAND...
# FOLDER contains warpfold/, a clone. CACHE is the folder of ccache, or empty.
set -euo pipefail
release=$1 folder=$2 cache=$3 mirror=$4
shift 4
root=$folder/root

in_root() {
  chroot "$root" env -i --chdir=/root/warpfold HOME=/root LANG=C.UTF-8 CCACHE_MAXSIZE=0 \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin bash -c "$1"
}

timed() {
  local start=$SECONDS
  "$@"
  echo "dev: Debian $release: ${*: -1}: $((SECONDS - start)) s"
}

make_root() {
  local settings=$folder/apt.conf
  # the dates of a snapshot have passed
  apt-config dump | grep -E '^Acquire::(https?::Proxy|Check-)' >"$settings" || true
  eval "$(apt-config shell http_proxy Acquire::http::Proxy https_proxy Acquire::https::Proxy)"
  export http_proxy https_proxy
  debootstrap --variant=minbase --include=git,ca-certificates "$1" "$root" ${mirror:+"$mirror"} >"$folder/log" ||
    { tail -n 20 "$folder/log" >&2; return 1; }
  mv "$settings" "$root/etc/apt/apt.conf.d/99machine"
  mv "$folder/warpfold" "$root/root/"
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  mount --rbind /sys "$root/sys"
  [ -z "$cache" ] || { mkdir -p "$root/root/.cache/ccache" && mount --bind "$cache" "$root/root/.cache/ccache"; }
}

case $release in 12) suite=bookworm ;; 13) suite=trixie ;; esac
timed make_root "$suite"
for command in "$@"; do timed in_root "$command"; done
