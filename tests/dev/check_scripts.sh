#!/usr/bin/env bash
# Every shell script of the repository without findings of shellcheck; those that are read by others together with them. The templates of a
# bundle are checked when they are filled in.
# Usage: check_scripts.sh ROOT
set -euo pipefail

cd "$1"
mapfile -t scripts < <(
  find . \( -path ./.git -o -path ./build -o -path ./datasets/captures -o -path ./datasets/studies \) -prune -o -type f ! -name '*.in' -print0 |
    xargs -0 awk 'FNR == 1 && /^#!.*sh$/ { print FILENAME } { nextfile }' | sort
)
[ "${#scripts[@]}" -gt 0 ] || { echo "no script was found"; exit 1; }
shellcheck --external-sources --check-sourced --source-path=SCRIPTDIR "${scripts[@]}"
echo "${#scripts[@]} scripts without findings"
