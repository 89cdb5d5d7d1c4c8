# shellcheck shell=bash
# Each spread of the interrupts, under traffic: they come on the CPUs that were asked for and on no others.

# spread NAME CPUS FILE OPTIONS…: a trial whose interrupts must come on CPUS; its server is on all CPUs, or on those in `server`. It has a thread
# for each CPU, because the bridge sends a flow to the queue by which its answers leave.
spread() {
  local name=$1 cpus=$2 file=$3 given_back=NO
  shift 3
  run_trial "$name" "$file" --set server.placement="${server:-spread}" --set server.threads="$(nproc)" "$@"
  check_same "$name: exit" 0 "$trial_status" || cat "$results/$name.log"
  check_same "$name: outcome" measured "$(of_trial "$name" .outcome)"
  check_same "$name: CPUs by /proc/interrupts" "$cpus" "$(busy_cpus <<<"$trial_cpus")"
  check_same "$name: CPUs by the record" "$cpus" "$(recorded_by_cpu "$name" | busy_cpus)"
  check_given_back "$name" && given_back=yes
  show_trial "$name" "${server:-all}" "$cpus" "$given_back"
}

spread_heading() { row spread server "CPUs asked" "interrupts by CPU" qps "given back"; }

# node_values WORD: interrupts.node has only this word to choose from.
node_values() { printf 'parameters.node.values=["%s"]' "$1"; }

check_spreads() {
  local server=
  spread_heading
  spread as-found 0,1,2,3 lab.toml
  spread count=1 2 lab.toml --configuration count=1
  spread count=2 2,3 lab.toml --configuration count=2
  spread count=1,node=remote 0 lab.toml --configuration count=1,node=remote
  spread node=local 2,3 lab.toml --configuration node=local
  spread node=remote 0,1 lab.toml --configuration node=remote
  spread node=any 0,1,2,3 lab.toml --configuration node=any
  spread map 0,1,2,3 map.toml --configuration map="3 3 2 2 1 1 0 0"
  check_same "map: CPU of the first queue" 3 \
    "$(interrupts_by_cpu "$results/map.before" "$results/map.after" "$(queue_interrupts "$nic" | head -n 1)" | busy_cpus)"
  server=0,3
  spread node=with-server 0,3 lab.toml --set "$(node_values with-server)" --configuration node=with-server
  spread node=away-from-server 1,2 lab.toml --set "$(node_values away-from-server)" --configuration node=away-from-server
}

# Eight CPUs and queues: node 1 has the CPUs 4 to 7.
check_wide() {
  local server=
  spread_heading
  spread count=1 4 lab.toml --configuration count=1
  spread count=4 4,5,6,7 lab.toml --set parameters.count.values=[4] --configuration count=4
  spread node=remote 0,1,2,3 lab.toml --configuration node=remote
  spread node=any 0,1,2,3,4,5,6,7 lab.toml --configuration node=any
}

# A card whose traffic is all in one queue: one CPU at a time, which the queue's place among the CPUs says.
check_single() {
  local server=
  spread_heading
  spread count=1 2 lab.toml --configuration count=1
  spread count=1,node=remote 0 lab.toml --configuration count=1,node=remote
}
