# shellcheck shell=bash
# What the checks found, line by line on descriptor 3. The last line says whether all held.

checks=0 failures=0

say() { printf '%s\n' "$*" >&3; }

# check TEXT COMMAND…: the text is a sentence that is true when the command ends with 0.
check() {
  local text=$1
  shift
  checks=$((checks + 1))
  if "$@"; then return 0; fi
  failures=$((failures + 1))
  say "FAILED: $text"
  return 1
}

# check_same TEXT EXPECTED FOUND
check_same() { check "$1: expected '$2', found '$3'" test "$2" = "$3"; }

report_end() {
  if [ "$failures" -eq 0 ]; then say "$checks checks, none failed"; else say "$checks checks, $failures failed"; fi
}
