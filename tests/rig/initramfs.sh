# shellcheck shell=bash
# The guest's whole file system: netsettle, what it and the checks run, and a few modules of the kernel. Sourced by rig.sh.

readonly guest_programs=(awk bash cat chmod cmp comm cp cut date dd diff dnsperf env ethtool find grep head id ip irqbalance jq kill ln ls
  mkdir mktemp modprobe mount mv nproc nsenter paste pgrep printf ps readlink rm sed setsid sh sleep sort ss stat tc sync tail tar taskset
  timeout touch tr uname uniq wc xargs)
readonly guest_modules=(virtio_pci virtio_net virtio_blk vmxnet3 veth)

# A program with the shared objects that it names, under the path that it has here. The loader's path is absolute in every program.
copy_program() {
  local root=$1 program=$2 file
  install -D -m 755 "$(readlink -f "$program")" "$root/usr/bin/$(basename "$program")"
  { ldd "$program" 2>/dev/null || true; } | grep -o '/[^ )]*' | while read -r file; do
    [ -e "$root$file" ] || install -D -m 755 "$(readlink -f "$file")" "$root$file"
  done
}

copy_programs() {
  local root=$1 programs=$2 name path
  for name in "${guest_programs[@]}"; do
    path=$(type -P "$name") || stop "$exit_machine" "the program $name is needed for the guest"
    copy_program "$root" "$path"
  done
  for name in netsettle netsettle-echo netsettle-guard; do
    [ -x "$programs/$name" ] || stop "$exit_usage" "$programs has no program $name"
    copy_program "$root" "$programs/$name"
  done
}

copy_module() {
  local source=$1 target=$2 name=$3 file depends
  file=$(find "$source" -name "${name//_/[-_]}.ko*" -print -quit)
  [ -n "$file" ] || return 0  # a part of the kernel itself
  install -D -m 644 "$file" "$target/${file#"$source"/}"
  for depends in $(modinfo -F depends "$file" | tr , ' '); do copy_module "$source" "$target" "$depends"; done
}

copy_modules() {
  local root=$1 kernel=$2 release name
  release=$(basename "$kernel"/lib/modules/*)
  mkdir -p "$root/lib/modules/$release"
  cp "$kernel/lib/modules/$release"/modules.{builtin,builtin.modinfo,order} "$root/lib/modules/$release/"
  for name in "${guest_modules[@]}"; do
    copy_module "$kernel/lib/modules/$release" "$root/lib/modules/$release" "$name"
  done
  depmod -b "$root" "$release"
}

# make_initramfs WORK PROGRAMS GUEST: WORK/initramfs from WORK/kernel, the programs of netsettle and the scripts of the guest.
make_initramfs() {
  local work=$1 programs=$2 guest=$3 root=$1/root folder
  rm -rf "$root"
  mkdir -p "$root"/{dev,etc,proc,run/irqbalance,run/netns,sys,tmp,usr/bin,usr/lib,usr/sbin,usr/lib64,var/lib,checks}
  for folder in bin lib lib64 sbin; do ln -s "usr/$folder" "$root/$folder"; done
  copy_programs "$root" "$programs"
  copy_modules "$root" "$work/kernel"
  printf 'root:*:0:0:root:/:/bin/bash\n' >"$root/etc/passwd"
  cp "$guest"/* "$root/checks/"
  install -m 755 "$guest/init" "$root/init"
  install -m 755 "$guest/ssh" "$root/usr/bin/ssh"
  (cd "$root" && find . -print0 | cpio --quiet --null --create --format=newc --owner=0:0) >"$work/initramfs"
}
