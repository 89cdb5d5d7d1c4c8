# shellcheck shell=bash
# The newest kernel that Debian offers for virtual machines: downloaded and unpacked, never installed. Sourced by rig.sh.

readonly kernel_metapackage=linux-image-cloud-amd64

newest_kernel_package() {
  apt-cache depends "$kernel_metapackage" 2>/dev/null | awk '$1 == "Depends:" && $2 ~ /^linux-image/ { print $2; exit }'
}

# unpack_kernel FOLDER: FOLDER/boot/vmlinuz-* and FOLDER/lib/modules. Kept for the next time, until there is a newer one.
unpack_kernel() {
  local folder=$1 package
  package=$(newest_kernel_package)
  [ -n "$package" ] || stop "$exit_machine" "apt knows no $kernel_metapackage here: run apt-get update, or use a Debian machine (amd64)"
  [ "$(cat "$folder/package" 2>/dev/null)" != "$package" ] || return 0
  say "kernel: $package"
  rm -rf "$folder"
  mkdir -p "$folder"
  (cd "$folder" && apt-get -qq -o APT::Sandbox::User=root download "$package") ||
    stop "$exit_machine" "the kernel could not be downloaded (see above): run apt-get update and try again"
  dpkg-deb --fsys-tarfile "$folder"/*.deb | tar -x -C "$folder" ./boot ./lib
  rm -f "$folder"/*.deb
  printf '%s\n' "$package" >"$folder/package"
}
