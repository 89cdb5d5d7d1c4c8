#!/usr/bin/env bash
# The arrows of docs/architecture.md: every #include of our C++ files is held against the room table. Prints one line a violation.
# Usage: check_includes.sh ROOT; exit 0 clean, 1 violations, 2 usage.
set -euo pipefail

if [ "$#" -ne 1 ] || [ ! -d "$1" ]; then
  echo "usage: $0 ROOT" >&2
  exit 2
fi
cd "$1"

# file:line:included for every include directive, quotes and brackets kept: "a/b.hpp" or <vector>.
# shellcheck disable=SC2016  # the dollar signs are awk's
includes() {
  find datasets strategies runners tuner tests -type f \( -name '*.cpp' -o -name '*.hpp' \) -print0 2>/dev/null |
    sort -z | xargs -0 -r awk '
      match($0, /^[ \t]*#[ \t]*include[ \t]*["<][^">]*[">]/) {
        directive = substr($0, RSTART, RLENGTH)
        sub(/^[^"<]*/, "", directive)
        print FILENAME "\t" FNR "\t" directive
      }'
}

judge() {
  awk -F '\t' '
    BEGIN {
      may["datasets"] = "datasets"
      may["strategies"] = "strategies datasets"
      may["runners"] = "runners datasets"
      may["tuner"] = "tuner strategies runners datasets"
      may["tests"] = "tests tuner strategies runners datasets"
      # Pure functions: no files, no threads, no machine.
      impure = "^<(fstream|iostream|filesystem|thread|mutex|shared_mutex|condition_variable|future|csignal|unistd\\.h|fcntl\\.h|sched\\.h|sys/.*|linux/.*|net/.*)>$"
      children = "^<(spawn\\.h|sys/wait\\.h)>$"
    }
    function violation(text) { print $1 ":" $2 ": " text; found = 1 }
    function allowed(room, target,    list, count, i) {
      count = split(may[room], list, " ")
      for (i = 1; i <= count; ++i) if (list[i] == target) return 1
      return 0
    }
    {
      room = $1; sub(/\/.*/, "", room)
      name = substr($3, 2, length($3) - 2)
      target = name; sub(/\/.*/, "", target)
      ours = (target in may) && name ~ /\//
      if (ours && !allowed(room, target)) violation(room "/ must not include " target "/ (" name ")")
      if (!ours && $3 ~ /^"/) violation("\"" name "\" is not a path from the root of the repository")
      if (ours && $3 ~ /^</) violation("our own " name " belongs in quotes")
      if (name ~ /(^|\/)sqlite3(ext)?\.h$/ && $1 !~ /^(tests\/(.*\/)?)?datasets\/store\//) violation("SQLite belongs to datasets/store")
      if (room == "strategies" && $3 ~ impure) violation("strategies/ are pure functions: no " $3)
      if (room == "tuner" && $3 ~ children) violation("tuner/ starts no processes: no " $3 " (it asks runners)")
    }
    END { exit found }'
}

includes | judge
