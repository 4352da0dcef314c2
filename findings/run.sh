#!/usr/bin/env bash
# Runs every script of this folder, or those that are named: `findings/run.sh [NAME …]`. Prints what each prints, then one line for
# each: whether its behaviour is still the one described. Exits 1 when one has changed or could not be tried.
set -uo pipefail

folder=$(cd "$(dirname "$0")" && pwd)
if [ $# -eq 0 ]; then
  for script in "$folder"/*.sh; do
    name=$(basename "$script" .sh)
    if [ "$name" != run ]; then set -- "$@" "$name"; fi
  done
fi

summary=()
changed=0
for name in "$@"; do
  name=${name%.sh}
  echo "== $name"
  if "$folder/$name.sh"; then
    summary+=("unchanged               $name")
  else
    summary+=("CHANGED or not runnable $name")
    changed=1
  fi
  echo
done
printf '%s\n' "${summary[@]}"
exit "$changed"
