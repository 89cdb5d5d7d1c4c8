# shellcheck shell=bash
# irqbalance runs meanwhile and moves interrupts as it likes: with the policy "ban" not those of the card.

# Without a policy the interrupts stayed by luck, or the trial does not count.
stayed_or_told() { [ "$(busy_cpus <<<"$trial_cpus")" = 0 ] || [[ "$1" = *setting-drift* ]]; }

check_irqbalance() {
  local daemon kept=NO
  irqbalance --foreground --interval=1 >"$results/irqbalance.txt" 2>&1 &
  daemon=$!
  sleep 3
  row irqbalance server "CPUs asked" "interrupts by CPU" qps "kept"
  run_trial irqbalance=ban lab.toml --set safety.irqbalance=ban --configuration count=1,node=remote
  check_same "irqbalance=ban: exit" 0 "$trial_status" || cat "$results/irqbalance=ban.log"
  check_same "irqbalance=ban: outcome" measured "$(of_trial irqbalance=ban .outcome)"
  check_same "irqbalance=ban: CPUs by /proc/interrupts" 0 "$(busy_cpus <<<"$trial_cpus")" && kept=yes
  check_same "irqbalance=ban: CPUs by the record" 0 "$(recorded_by_cpu irqbalance=ban | busy_cpus)"
  show_trial irqbalance=ban all 0 "$kept"

  run_trial irqbalance=ignore lab.toml --configuration count=1,node=remote
  kept=$(of_trial irqbalance=ignore '.outcome + (.reasons | map(" " + .code) | add // "")')
  check "irqbalance=ignore: moved interrupts and yet $kept" stayed_or_told "$kept"
  show_trial irqbalance=ignore all 0 "$kept"
  kill "$daemon"
  wait "$daemon"
}
