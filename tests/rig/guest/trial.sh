# shellcheck shell=bash
# One trial of netsettle, watched from outside: /proc/interrupts at two times in the middle of the load, and the settings after it.

trial_pid='' trial_load='' trial_status=0 trial_cpus=''

# The load itself: netsettle also asks dnsperf for its version, and a shell has started it.
load_pid() { pgrep -f '^dnsperf .*198\.18\.0\.1' | head -n 1; }

# start_trial NAME FILE OPTION…: in the background, as trial_pid. Returns when the load, trial_load, runs; 1 where it ends before.
start_trial() {
  local name=$1 file=$2
  shift 2
  netsettle trial "$lab/$file" --json "$@" >"$results/$name.json" 2>"$results/$name.log" &
  trial_pid=$!
  until trial_load=$(load_pid) && [ -n "$trial_load" ]; do
    kill -0 "$trial_pid" 2>/dev/null || return 1
    sleep 0.2
  done
  sleep 0.7
}

# run_trial NAME FILE OPTION…: a whole trial. Sets trial_status, and trial_cpus to the lines of interrupts_by_cpu in the middle of it: from
# a time when the load runs to the last one after which it still does.
run_trial() {
  local name=$1 now=$results/interrupts
  trial_cpus='' trial_status=0
  if start_trial "$@"; then
    cat /proc/interrupts >"$results/$name.before"
    cp "$results/$name.before" "$now"
    while [ -d "/proc/$trial_load" ]; do
      mv "$now" "$results/$name.after"
      cat /proc/interrupts >"$now"
      sleep 0.3
    done
    trial_cpus=$(interrupts_by_cpu "$results/$name.before" "$results/$name.after")
  fi
  wait "$trial_pid" || trial_status=$?
}

# of_trial NAME FILTER: a part of its one trial.
of_trial() { jq -r ".trials[0] | $2" "$results/$1.json"; }

# The trial's own record of the queue interrupts, as interrupts_by_cpu.
recorded_by_cpu() {
  of_trial "$1" '[.account.counters.queue_interrupts | to_entries[].value | to_entries[]] | group_by(.key)[] |
    "\(.[0].key) \(map(.value) | add)"'
}

# busy_cpus: of "CPU COUNT" lines, the CPUs as a list like "0,1,3". An interrupt that was pending when its CPU was changed comes once more
# on the old one; so a few do not count.
busy_cpus() { awk '$2 > 20 { print $1 }' | sort -n | paste -s -d , -; }

row() { printf '%-26s %-8s %-16s %-40s %7s  %s\n' "$@" >&3; }

# show_trial NAME SERVER ASKED GIVEN_BACK
show_trial() {
  row "$1" "$2" "$3" "$(awk '{ printf "%s%d: %d", (NR > 1 ? ", " : ""), $1, $2 }' <<<"$trial_cpus")" \
    "$(of_trial "$1" '.measurements.qps // 0 | floor')" "$4"
}
