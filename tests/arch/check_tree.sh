#!/usr/bin/env bash
# The shape of the repository: what the root folder holds, how long a file is, no paths of somebody's machine,
# test names that CTest can run. Prints one line a violation.
# Usage: check_tree.sh ROOT; exit 0 clean, 1 violations, 2 usage.
set -euo pipefail

if [ "$#" -ne 1 ] || [ ! -d "$1" ]; then
  echo "usage: $0 ROOT" >&2
  exit 2
fi
cd "$1"

readonly longest=500
readonly root_entries=" .ci .clang-format .clang-tidy .git .gitignore CMakeLists.txt CMakePresets.json LICENSE README.md \
build datasets dev docs runners strategies tests tuner "

root_holds_only_what_is_known() {
  local entry
  for entry in * .[!.]*; do
    case "$entry" in
      *.netsettle.* | '*' | '.[!.]*') continue ;;  # records and logs of a run; empty globs
    esac
    [[ "$root_entries" == *" $entry "* ]] || echo "$entry: does not belong in the root folder"
  done
}

# Recorded outputs and studies are what they are.
sources() {
  find . \( -path ./.git -o -path ./build -o -path ./datasets/captures -o -path ./datasets/studies \) -prune -o \
    -type f \( -name '*.cpp' -o -name '*.hpp' -o -name '*.sh' -o -name CMakeLists.txt -o -name dev \) -print0
}

files_are_short() {
  sources | xargs -0 -r awk -v longest="$longest" '
    FNR == longest + 1 { print FILENAME ": longer than " longest " lines; split it by idea" }'
}

# A home or work folder at the start of an absolute path.
no_paths_of_a_machine() {
  find . \( -path ./.git -o -path ./build -o -path ./datasets/captures -o -path ./datasets/studies \) -prune -o -type f -print0 |
    xargs -0 -r grep -InE '(^|[^[:alnum:]_./}~-])/(work|home|root)/' /dev/null | sed 's/:\([0-9]*\):.*/:\1: a path of one machine/' || true
}

# CTest takes a semicolon for the end of a name: such a test would never run.
test_names_have_no_semicolon() {
  find tests -type f -name '*.cpp' -print0 2>/dev/null | xargs -0 -r grep -nE 'TEST_CASE\("[^"]*;' /dev/null |
    sed 's/:\([0-9]*\):.*/:\1: a semicolon in the name of a test/' || true
}

violations=$(root_holds_only_what_is_known; files_are_short; no_paths_of_a_machine; test_names_have_no_semicolon)
[ -z "$violations" ] || { printf '%s\n' "$violations"; exit 1; }
