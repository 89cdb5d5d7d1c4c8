# shellcheck shell=bash
# Fewer channels of the card: the driver lays its interrupts out anew, and yet everything is given back.

channels_now() { ethtool -l "$nic" | awk '$1 == "Combined:" { number = $2 } END { print number }'; }

check_channels() {
  local given_back=NO
  row channels server "CPUs asked" "interrupts by CPU" qps "given back"
  start_trial channels=2 channels.toml --configuration channels=2
  check_same "channels=2: while the load runs" 2 "$(channels_now)"
  wait "$trial_pid"
  check_same "channels=2: exit" 0 $? || cat "$results/channels=2.log"
  check_same "channels=2: outcome" measured "$(of_trial channels=2 .outcome)"
  trial_cpus=$(recorded_by_cpu channels=2)
  check_same "channels=2: CPUs by the record" 0,1 "$(busy_cpus <<<"$trial_cpus")"
  check_given_back channels=2 && given_back=yes
  show_trial channels=2 all - "$given_back"
}
