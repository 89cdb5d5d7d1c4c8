# shellcheck shell=bash
# One guest, from its network to its end. Sourced by rig.sh.
# The first card (of the server) is on node 1, the second one (of the load) on node 0; a bridge of this machine joins them, in a namespace of
# its own without any way out.

readonly boot_seconds=45   # a boot of emulated CPUs hangs now and then; then it is tried again
readonly boot_tries=3
readonly run_seconds=1200  # for all checks of a machine
readonly memory_mib=1024
readonly server_address=52:54:00:00:00:01 client_address=52:54:00:00:00:02

# make_network NAMESPACE QUEUES: the bridge and a tap for each card.
make_network() {
  local space=$1 queues=$2 tap several=()
  [ "$queues" -eq 1 ] || several=(multi_queue)
  ip netns add "$space"
  ip netns exec "$space" sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1
  ip -n "$space" link add bridge0 type bridge
  for tap in tap0 tap1; do
    ip netns exec "$space" ip tuntap add dev "$tap" mode tap "${several[@]}" vnet_hdr
    ip -n "$space" link set "$tap" master bridge0 txqueuelen 10000 up
  done
  ip -n "$space" link set bridge0 up
}

# card MODEL QUEUES: the device without its place.
card() {
  case "$1" in
    virtio) printf 'virtio-net-pci,mq=on,vectors=%d,rx_queue_size=1024' $((2 * $2 + 2)) ;;
    *) printf '%s' "$1" ;;
  esac
}

# Two nodes with half of the CPUs and of the memory each, and a PCI bus on each.
node_arguments() {
  local cpus=$1 half=$(($1 / 2)) node
  printf '%s\n' -smp "$cpus,sockets=2,cores=$half,threads=1"
  for node in 0 1; do
    printf '%s\n' -object "memory-backend-ram,id=memory$node,size=$((memory_mib / 2))M" \
      -numa "node,nodeid=$node,cpus=$((node * half))-$((node * half + half - 1)),memdev=memory$node" \
      -device "pxb-pcie,id=bus$node,bus=pcie.0,bus_nr=$((64 + 64 * node)),numa_node=$node" \
      -device "pcie-root-port,id=port$node,bus=bus$node,chassis=$((node + 1)),slot=$((node + 1))"
  done
  printf '%s\n' -numa dist,src=0,dst=1,val=21
}

card_arguments() {
  local model
  model=$(card "$1" "$2")
  printf '%s\n' -netdev "tap,id=net0,ifname=tap0,script=no,downscript=no,queues=$2" \
    -device "$model,netdev=net0,bus=port1,mac=$server_address" \
    -netdev "tap,id=net1,ifname=tap1,script=no,downscript=no,queues=$2" \
    -device "$model,netdev=net1,bus=port0,mac=$client_address"
}

# The first serial line is the console, the second one the report; the disk takes the results, as an archive.
guest_arguments() {
  local results=$1 card=$2 queues=$3 cpus=$4 subjects=$5
  node_arguments "$cpus"
  card_arguments "$card" "$queues"
  printf '%s\n' -machine q35 -m "$memory_mib" -accel tcg,thread=multi,tb-size=512 -cpu Nehalem \
    -nodefaults -no-user-config -display none -no-reboot \
    -serial "file:$results/console" -serial "file:$results/report" \
    -drive "if=none,id=results,format=raw,file=$results/results.tar" -device virtio-blk-pci,bus=pcie.0,drive=results \
    -kernel "$(echo "$work"/kernel/boot/vmlinuz-*)" -initrd "$work/initramfs" \
    -append "console=ttyS0 quiet panic=-1 mitigations=off net.ifnames=0 rig.subjects=$subjects"
}

remove_guest() {
  [ -z "$guest_pid" ] || kill "$guest_pid" 2>/dev/null || true
  [ -z "$guest_pid" ] || wait "$guest_pid" 2>/dev/null || true
  guest_pid=
  [ -z "$guest_space" ] || ip netns del "$guest_space" 2>/dev/null || true
  guest_space=
}

# Ends with 0 when the guest has ended by itself, 1 when it does not boot, 2 when it takes too long.
await_guest() {
  local results=$1 start=$SECONDS
  while kill -0 "$guest_pid" 2>/dev/null; do
    if [ ! -s "$results/report" ] && [ $((SECONDS - start)) -ge "$boot_seconds" ]; then return 1; fi
    if [ $((SECONDS - start)) -ge "$run_seconds" ]; then return 2; fi
    sleep 0.2
  done
}

# boot_guest RESULTS CARD QUEUES CPUS SUBJECTS: shows the report while the guest writes it.
boot_guest() {
  local results=$1 try status arguments=()
  guest_space=rig-$$ guest_pid=
  trap remove_guest EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  make_network "$guest_space" "$3"
  mapfile -t arguments < <(guest_arguments "$@")
  for ((try = 1; try <= boot_tries; ++try)); do
    truncate -s 0 "$results/console" "$results/report"
    truncate -s 64M "$results/results.tar"
    ip netns exec "$guest_space" qemu-system-x86_64 "${arguments[@]}" </dev/null >"$results/qemu.log" 2>&1 &
    guest_pid=$!
    tail -n +1 -f --pid="$guest_pid" -s 0.5 "$results/report" 2>/dev/null | sed -u 's/\r$//' &
    status=0
    await_guest "$results" || status=$?
    kill "$guest_pid" 2>/dev/null || true
    wait
    guest_pid=
    [ "$status" -eq 1 ] || break
    say "the guest does not boot (try $try of $boot_tries)"
  done
  remove_guest
  trap - EXIT INT TERM
  [ "$status" -ne 2 ] || say "ended after $run_seconds s"
  sed -i 's/\r$//' "$results/report"
  tar -x -C "$results" -f "$results/results.tar" 2>/dev/null || say "the guest has left no results; its console is $results/console"
  rm -f "$results/results.tar"
  [ "$status" -eq 0 ] || cat "$results/qemu.log" >&2
  [ "$status" -eq 0 ]
}
