#!/usr/bin/env bash
# Every relative link of the Markdown pages leads to a file that exists. Prints one line a dead link.
# Usage: check_links.sh ROOT; exit 0 clean, 1 dead links, 2 usage.
set -euo pipefail

if [ "$#" -ne 1 ] || [ ! -d "$1" ]; then
  echo "usage: $0 ROOT" >&2
  exit 2
fi
cd "$1"

# page:target for every [text](target) with a relative target, anchors cut off.
links() {
  find . \( -path ./.git -o -path ./build -o -path ./datasets/captures \) -prune -o -name '*.md' -print0 |
    xargs -0 -r grep -HoE '\]\([^)#[:space:]]+' | sed 's/:\](/:/' | grep -vE ':(https?|mailto):' || true
}

dead=$(links | while IFS=: read -r page target; do
  [ -e "$(dirname "$page")/$target" ] || echo "$page: dead link to $target"
done)
[ -z "$dead" ] || { printf '%s\n' "$dead"; exit 1; }
