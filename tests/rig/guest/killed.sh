# shellcheck shell=bash
# netsettle dies in the middle of a trial: the machine is given back all the same, by its guard or by `netsettle restore`.

# killed_trial NAME: a trial with every kind of setting changed, up to the middle of its load.
killed_trial() {
  check "$1: the load runs" start_trial "$1" lab.toml --configuration count=1,node=remote,rmem=1MiB,budget=64,rps=2
  check_same "$1: a sysctl while it runs" 64 "$(cat /proc/sys/net/core/netdev_budget)"
  check_same "$1: the interrupts' CPUs while it runs" 0 "$(queue_interrupts "$nic" |
    xargs -I IRQ cat /proc/irq/IRQ/smp_affinity_list | sort -u | paste -s -d , -)"
}

# Until a command ends with 0; 1 after some 30 s.
eventually() {
  local try
  for try in {1..150}; do
    "$@" && return 0
    sleep 0.2
  done
  say "not after $try tries: $*"
  return 1
}

nothing_left() { ! pgrep -f '^[^ ]*(netsettle-guard|netsettle-echo|dnsperf) '; }

check_killed() {
  local result=given

  killed_trial killed
  kill -KILL "$trial_pid"
  wait "$trial_pid"
  check "killed: guard, server and load are gone" eventually nothing_left
  check_given_back killed || result=NOT
  say "netsettle killed in mid-trial: $result back by the guard"

  killed_trial both-killed
  pgrep -f '^[^ ]*netsettle-guard' | xargs kill -KILL "$trial_pid"
  wait "$trial_pid"
  check_same "both-killed: a sysctl afterwards" 64 "$(cat /proc/sys/net/core/netdev_budget)"
  netsettle restore >"$results/restore.txt" 2>&1
  check_same "both-killed: restore ends with" 0 $?
  result=given
  check_given_back both-killed || result=NOT
  say "netsettle and guard killed in mid-trial: $result back by netsettle restore"
}
