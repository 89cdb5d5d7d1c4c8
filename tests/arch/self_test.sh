#!/usr/bin/env bash
# Proves that the checks can fail: each violation, put alone into a small correct tree, is found and named.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0

fresh_tree() {
  rm -rf "${tree:?}"/*
  mkdir -p "$tree"/{datasets/store,strategies/search,runners/hosts,tuner/loop,tests/unit/datasets/store}
  echo '#include <sqlite3.h>' >"$tree/datasets/store/connection.cpp"
  echo '#include "datasets/store/connection.hpp"' >"$tree/strategies/search/sweep.cpp"
  echo '#include <sys/wait.h>' >"$tree/runners/hosts/process.cpp"
  printf '#include "strategies/search/sweep.hpp"\n#include "runners/hosts/process.hpp"\n' >"$tree/tuner/loop/loop.cpp"
  echo '#include <sqlite3.h>' >"$tree/tests/unit/datasets/store/store_test.cpp"
  echo 'a network/path and ../work/up are no paths of a machine' >"$tree/README.md"
  echo '[back](README.md), [far](https://example.org/), [here](#part), [room](tuner/loop/)' >>"$tree/README.md"
}

expect_clean() {
  local check=$1 output
  output=$("$here/$check.sh" "$tree") || { echo "FAILED: $check finds fault with a correct tree: $output"; failures=$((failures + 1)); }
}

# expect_violation CHECK FILE LINE EXPECTED: the line appended to the file must be reported with the expected words.
expect_violation() {
  local check=$1 file=$2 line=$3 expected=$4 output status=0
  fresh_tree
  mkdir -p "$(dirname "$tree/$file")"
  printf '%s\n' "$line" >>"$tree/$file"
  output=$("$here/$check.sh" "$tree") || status=$?
  if [ "$status" -ne 1 ] || [[ "$output" != *"$file"*"$expected"* ]]; then
    echo "FAILED: $check, '$line' in $file: status $status, output '$output', expected '$expected'"
    failures=$((failures + 1))
  fi
}

fresh_tree
expect_clean check_includes
expect_clean check_tree
expect_clean check_links

expect_violation check_includes datasets/model/a.hpp '#include "strategies/search/sweep.hpp"' 'must not include strategies/'
expect_violation check_includes datasets/model/a.cpp '#include "tuner/loop/loop.hpp"' 'must not include tuner/'
expect_violation check_includes strategies/search/a.cpp '#include "runners/hosts/host.hpp"' 'must not include runners/'
expect_violation check_includes runners/hosts/a.cpp '  #  include "strategies/search/sweep.hpp"' 'must not include strategies/'
expect_violation check_includes tuner/loop/a.cpp '#include "tests/support/fake_host.hpp"' 'must not include tests/'
expect_violation check_includes tuner/loop/a.cpp '#include <sqlite3.h>' 'SQLite belongs to datasets/store'
expect_violation check_includes tests/unit/tuner/a.cpp '#include <sqlite3.h>' 'SQLite belongs to datasets/store'
expect_violation check_includes datasets/model/a.cpp '#include "value.hpp"' 'not a path from the root'
expect_violation check_includes datasets/model/a.cpp '#include "../store/store.hpp"' 'not a path from the root'
expect_violation check_includes datasets/model/a.cpp '#include <datasets/model/value.hpp>' 'belongs in quotes'
expect_violation check_includes strategies/search/a.cpp '#include <thread>' 'pure functions'
expect_violation check_includes strategies/search/a.cpp '#include <sys/stat.h>' 'pure functions'
expect_violation check_includes tuner/loop/a.cpp '#include <spawn.h>' 'starts no processes'

expect_violation check_tree notes.txt 'x' 'does not belong in the root folder'
expect_violation check_tree tuner/loop/long.cpp "$(yes '//' | head -n 501)" 'longer than 500 lines'
expect_violation check_tree tests/unit/a_test.cpp 'TEST_CASE("one; two") {' 'a semicolon in the name of a test'
for folder in work home root; do
  expect_violation check_tree docs/guide.md "see /$folder/someone/file" 'a path of one machine'
done

expect_violation check_links docs/guide.md 'see [there](nowhere.md#part)' 'dead link to nowhere.md'

[ "$failures" -eq 0 ] || exit 1
echo "the checks find every violation"
