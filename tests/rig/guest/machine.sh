# shellcheck shell=bash
# The guest as a laboratory of two machines: the server's card here, the load's card in a namespace of its own. And the guest's settings as
# text, to be compared.

readonly results=/tmp/results lab=/tmp/lab
nic=

card_with_address() { basename_of "$(dirname_of "$(grep -l "$1" /sys/class/net/*/address)")"; }
basename_of() { printf '%s' "${1##*/}"; }
dirname_of() { printf '%s' "${1%/*}"; }

join_machines() {
  local other
  nic=$(card_with_address 52:54:00:00:00:01)
  other=$(card_with_address 52:54:00:00:00:02)
  ip link set lo up
  ip address add 198.18.0.1/24 dev "$nic"
  ip link set "$nic" up
  ip netns add client
  ip link set "$other" netns client
  ip -n client link set lo up
  ip -n client address add 198.18.0.2/24 dev "$other"
  ip -n client link set "$other" up
  ip netns exec client sleep infinity &
  printf '%s\n' $! >"$lab/client.pid"
}

set_up_machine() {
  local name
  mkdir -p "$lab"
  join_machines
  for name in {1..200}; do printf 'host%d.example.com A\n' "$name"; done >"$lab/queries"
  cp /checks/*.toml "$lab/"
  machine_state >"$results/at-start.state"
  say "kernel $(uname -r), $(nproc) CPUs, nodes: $(cat /sys/devices/system/node/node*/cpulist | tr '\n' ' ')"
}

# --- interrupts --------------------------------------------------------------------------------------------------------

# The folder of the card's PCI device: virtio devices are a step below it.
pci_device() {
  local folder
  folder=$(readlink -f "/sys/class/net/$1/device")
  [ -d "$folder/msi_irqs" ] || folder=${folder%/*}
  printf '%s' "$folder"
}

# The interrupts of the card's queues: all of the device but those for its configuration and events, known by their names.
queue_interrupts() {
  local irq
  for irq in $(find "$(pci_device "$1")/msi_irqs" -type f -printf '%f\n' | sort -n); do
    grep -Eq "^ *$irq:.*(-config|-event-[0-9]+)$" /proc/interrupts || printf '%s\n' "$irq"
  done
}

# interrupts_by_cpu BEFORE AFTER [IRQ]: "CPU COUNT" for each CPU that took the interrupt between two /proc/interrupts; without a number: one of
# the card's queues.
interrupts_by_cpu() {
  awk -v wanted="${3:-$(queue_interrupts "$nic" | tr '\n' ' ')}" '
    BEGIN { split(wanted, list, " "); for (i in list) is_wanted[list[i] ":"] = 1 }
    FNR == 1 { cpus = NF; next }
    $1 in is_wanted { for (i = 0; i < cpus; ++i) sum[i] += (NR == FNR ? -1 : 1) * $(i + 2) }
    END { for (i = 0; i < cpus; ++i) if (sum[i] != 0) print i, sum[i] }' "$1" "$2"
}

# --- settings ----------------------------------------------------------------------------------------------------------

# Everything that a setting of netsettle may be kept in, byte by byte. What the kernel counts or measures by itself is left out.
settings_of_machine() {
  find /proc/irq -name smp_affinity_list -o -name default_smp_affinity
  find /proc/sys/net -name conf -prune -o -name neigh -prune -o -type f -perm /u+r -print
  find /proc/sys/vm /proc/sys/kernel -maxdepth 1 -type f -perm /u+r ! -name stat_refresh ! -name ns_last_pid
  find "/sys/class/net/$nic/queues/" -name 'rps_*' -o -name xps_cpus
  printf '%s\n' "/sys/class/net/$nic/"{gro_flush_timeout,mtu,napi_defer_hard_irqs,threaded,tx_queue_len}
}

machine_state() {
  local option
  settings_of_machine | sort | xargs grep -sH ''
  for option in -c -g -k -l -x; do ethtool "$option" "$nic" 2>&1; done
}

# check_given_back NAME: the machine is as it was at the start.
check_given_back() {
  machine_state >"$results/$1.state"
  check "$1: the machine is as it was" diff "$results/at-start.state" "$results/$1.state"
}
