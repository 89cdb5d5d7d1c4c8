#!/usr/bin/env bash
# ./dev on machines that this one is not: without packages, without apt, without root. Its tools are replaced by small stand-ins in a PATH
# of their own; nothing is installed and nothing is built.
# Usage: dev_test.sh ROOT
set -euo pipefail

root=$1
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
failures=0
output=
status=0

# stand_in NAME TEXT: a program of the fake machine.
stand_in() {
  printf '#!/bin/bash\n%s\n' "$2" >"$place/bin/$1"
  chmod 755 "$place/bin/$1"
}

# shellcheck disable=SC2016  # the dollar signs are the stand-ins'
# A fresh checkout (without build folder) on a Debian machine where everything is installed, as root.
fresh_machine() {
  rm -rf "${place:?}"/*
  mkdir -p "$place/bin" "$place/checkout"
  cp "$root/dev" "$place/checkout/dev"
  local tool
  for tool in bash dirname mkdir cat rm grep chmod tee find sort xargs sed; do ln -s "$(command -v "$tool")" "$place/bin/$tool"; done
  stand_in id 'echo 0'
  stand_in dpkg-query 'grep -qx "${@: -1}" '"$place/missing"' 2>/dev/null && exit 1; echo installed'
  stand_in apt-get 'cd '"$place"'; echo "apt-get $*" >>apt.log; [ ! -x policy-rc.d ] || echo "policy present" >>apt.log; [ ! -e apt-fails ]'
  stand_in cmake 'echo "cmake $*" >>'"$place/build.log"'; case "$*" in *dev*) mkdir -p build/dev ;; esac'
  stand_in ctest 'echo "ctest $*" >>'"$place/build.log"'; cat '"$place/ctest.out"'; [ ! -e '"$place/ctest-fails"' ]'
  echo '100% tests passed, 0 tests failed out of 2' >"$place/ctest.out"
}

dev() {
  status=0
  output=$(cd / && PATH="$place/bin" NETSETTLE_POLICY_FILE="$place/policy-rc.d" "$place/checkout/dev" "$@" </dev/null 2>&1) || status=$?
}

fail() {
  echo "FAILED: $1 (exit $status): $output"
  failures=$((failures + 1))
}
expect_status() { [ "$status" -eq "$2" ] || fail "$1: expected exit $2"; }
expect_output() { [[ "$output" == *"$2"* ]] || fail "$1: expected '$2'"; }
expect_file() { grep -qF -- "$3" "$2" 2>/dev/null || fail "$1: expected '$3' in $(basename "$2")"; }
expect_no_file() { [ ! -e "$2" ] || fail "$1: $(basename "$2") should not exist"; }

case_everything_there() {
  fresh_machine
  dev test
  expect_status "with everything installed the tests run" 0
  expect_no_file "with everything installed apt is not asked" "$place/apt.log"
  expect_file "the tests run two at a time" "$place/build.log" "ctest --preset dev --parallel 2"
  dev test
  expect_status "a second run works like the first" 0
}

case_missing_packages() {
  fresh_machine
  printf 'ccache\ndnsperf\n' >"$place/missing"
  dev build
  expect_status "missing packages are installed" 0
  expect_output "the packages are named" "missing Debian packages: ccache dnsperf"
  expect_file "only what is missing is installed" "$place/apt.log" "install --no-install-recommends ccache dnsperf"
  expect_file "daemons are held back meanwhile" "$place/apt.log" "policy present"
  expect_no_file "daemons are no longer held back afterwards" "$place/policy-rc.d"
}

case_apt_fails() {
  fresh_machine
  echo ccache >"$place/missing"
  touch "$place/apt-fails"
  dev build
  expect_status "a failing apt-get stops" 3
  expect_no_file "daemons are not held back after a failure" "$place/policy-rc.d"
  expect_no_file "nothing is built after a failure" "$place/build.log"
}

case_policy_of_the_administrator() {
  fresh_machine
  echo ccache >"$place/missing"
  printf '#!/bin/sh\nexit 0\n' >"$place/policy-rc.d"
  dev build
  expect_status "an existing policy does not disturb" 0
  expect_file "an existing policy is left alone" "$place/policy-rc.d" "exit 0"
}

case_policy_of_a_killed_run() {
  fresh_machine
  echo ccache >"$place/missing"
  grep -o '# netsettle ./dev: [^"]*' "$root/dev" | head -n 1 >"$place/policy-rc.d"
  dev build
  expect_no_file "what a killed run left is removed" "$place/policy-rc.d"
}

case_not_root() {
  fresh_machine
  stand_in id 'echo 1000'
  echo ccache >"$place/missing"
  dev build
  expect_status "packages without root are refused" 3
  expect_output "the exact command is given" "sudo apt-get install ccache"
  dev test
  expect_status "the tests need root" 3
  expect_output "how to get root is said" "sudo ./dev test"
  dev quickstart
  expect_status "the quick start needs root" 3
}

case_no_apt() {
  fresh_machine
  rm "$place/bin/apt-get" "$place/bin/dpkg-query"
  dev build
  expect_status "without apt and programs it stops" 3
  expect_output "the packages are listed" "libtomlplusplus-dev"
  expect_output "the programs that are absent are named" "not found here: g++ ninja pkg-config ccache dnsperf ip"
  local program
  for program in g++ ninja pkg-config ccache dnsperf ip; do stand_in "$program" ':'; done
  dev build
  expect_status "without apt but with the programs it goes on" 0
}

case_test_results() {
  fresh_machine
  touch "$place/ctest-fails"
  dev test
  expect_status "a failing test fails the run" 1
  fresh_machine
  printf '2/2 Test #2: namespaces ...***Skipped   0.00 sec\n100%% tests passed\n' >"$place/ctest.out"
  dev test
  expect_status "a skipped test fails the run" 1
  expect_output "the reason is said" "tests were skipped"
}

case_rig() {
  fresh_machine
  mkdir -p "$place/checkout/tests/rig"
  printf '#!/bin/bash\necho "rig $*"; exit 7\n' >"$place/checkout/tests/rig/rig.sh"
  chmod 755 "$place/checkout/tests/rig/rig.sh"
  echo cpio >"$place/missing"
  dev rig virtio
  expect_file "what the guests need is installed" "$place/apt.log" "install --no-install-recommends cpio"
  expect_file "the guests get the release" "$place/build.log" "cmake --build --preset release --target netsettle netsettle-echo netsettle-guard"
  expect_output "the guests are run with the machines that were named" "rig build/release/bin build/rig virtio"
  expect_status "the exit of the rig is handed on" 7
  stand_in id 'echo 1000'
  dev rig
  expect_status "the rig needs root" 3
  expect_output "how to get root for it is said" "sudo ./dev rig"
}

case_usage() {
  fresh_machine
  dev frobnicate
  expect_status "an unknown command is a usage error" 2
  dev help
  expect_status "help is no error" 0
  expect_output "help names the quick start" "quickstart"
  dev
  expect_status "without a command there is help" 0
}

for name in $(compgen -A function case_); do "$name"; done
[ "$failures" -eq 0 ] || exit 1
echo "./dev behaves on every machine"
