#!/usr/bin/env bash
# netsettle on machines with real queue interrupts and two NUMA nodes: boots a guest for each kind of machine and runs netsettle in it.
# QEMU emulates the CPUs, so that no hardware support is needed. Everything is below WORK; nothing is installed, and the traffic is in a
# network namespace that is removed at the end.
# Usage: rig.sh PROGRAMS WORK [MACHINE…]
#   PROGRAMS  the folder of netsettle, netsettle-echo and netsettle-guard
#   WORK      kernel, initial file system, consoles and results
# Exit codes: 0 every check held, 1 one did not, 2 usage, 3 this machine cannot do it.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
readonly here exit_usage=2 exit_machine=3
PATH=$PATH:/usr/sbin:/sbin
# shellcheck source=kernel.sh
. "$here/kernel.sh"
# shellcheck source=initramfs.sh
. "$here/initramfs.sh"
# shellcheck source=qemu.sh
. "$here/qemu.sh"

say() { printf '%s\n' "rig: $*" >&2; }

stop() {
  local code=$1
  shift
  say "$@"
  exit "$code"
}

# Name, card, queues, CPUs, what is looked at there. A vmxnet3 card has queues of its own, but takes the traffic of a single tap queue.
machines() {
  cat <<'MACHINES'
virtio    virtio   4  4  discovery,spreads,channels,killed,irqbalance
virtio-8  virtio   8  8  discovery,wide
vmxnet3   vmxnet3  1  4  discovery,single
MACHINES
}

usage() {
  cat <<USAGE
Usage: $0 PROGRAMS WORK [MACHINE…]

Machines (all of them, where none is named): $(machines | awk '{ printf "%s ", $1 }')
USAGE
}

# The last line of a whole run; without it the guest died or was ended.
run_machine() {
  local name=$1 card=$2 queues=$3 cpus=$4 subjects=$5 results
  results=$work/$name
  rm -rf "$results"
  mkdir -p "$results"
  printf '\n== %s: %s CPUs on 2 nodes, %s with %s queues ==\n' "$name" "$cpus" "$card" "$queues"
  boot_guest "$results" "$card" "$queues" "$cpus" "$subjects" || return 1
  tail -n 1 "$results/report" | grep -Eq '^[1-9][0-9]* checks, none failed$' || return 1
}

main() {
  [ "$#" -ge 2 ] || { usage >&2; exit "$exit_usage"; }
  local programs=$1 name card queues cpus subjects failed=() known
  mkdir -p "$2"
  work=$(cd "$2" && pwd)
  shift 2
  known=$(machines | awk '{ print $1 }')
  for name in "$@"; do
    grep -qxF -- "$name" <<<"$known" || { usage >&2; stop "$exit_usage" "there is no machine '$name'"; }
  done
  unpack_kernel "$work/kernel"
  make_initramfs "$work" "$programs" "$here/guest"
  while read -r name card queues cpus subjects; do
    [ "$#" -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
    run_machine "$name" "$card" "$queues" "$cpus" "$subjects" </dev/null || failed+=("$name")
  done < <(machines)
  [ "${#failed[@]}" -eq 0 ] || stop 1 "failed on: ${failed[*]} (consoles and results: $work)"
  say "every check held (results: $work)"
}

main "$@"
