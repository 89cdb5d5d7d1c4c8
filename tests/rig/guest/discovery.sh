# shellcheck shell=bash
# What `netsettle doctor` sees of the card, against what the guest's own files say.

nic_field() { jq -rc ".interfaces[\"$nic\"]$1" "$results/doctor.json"; }

# "2-3" as [2,3]
json_list() { jq -Rc 'split("-") | map(tonumber) | [range(.[0]; .[-1] + 1)]' "$1"; }

check_discovery() {
  netsettle doctor --interface "$nic" >"$results/doctor.txt"
  netsettle doctor --interface "$nic" --json >"$results/doctor.json"
  check_same "doctor ends with" 0 $?
  check_same "the card's node" 1 "$(nic_field .numa_node)"
  check_same "the CPUs near the card" "$(json_list /sys/devices/system/node/node1/cpulist)" "$(nic_field .local_cpus)"
  check_same "receive queues" "$(find "/sys/class/net/$nic/queues" -name 'rx-*' | wc -l)" "$(nic_field .rx_queues)"
  check_same "queue interrupts" "$(queue_interrupts "$nic" | jq -sc sort)" "$(nic_field '.queue_irqs | map(.irq) | sort')"
  check_same "interrupts that are no queue's" 1 "$(nic_field '.other_irqs | length')"
  check_same "queues with an interrupt" "$(nic_field '.rx_queues | [range(.)]')" "$(nic_field '.queue_irqs | map(.queue) | unique')"
  say "discovery: $nic ($(nic_field .driver)), $(nic_field .rx_queues) queues, node $(nic_field .numa_node), interrupts" \
    "$(nic_field '.queue_irqs | map("\(.irq) \(.action)") | join(", ")')"
}
