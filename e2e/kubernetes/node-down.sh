#!/usr/bin/env bash
# Stops what has its files in a folder, with all its pods. Usage: node-down.sh FOLDER
set -u
NODE=$(realpath "$1")
[ -f "$NODE/pids" ] || exit 0
SHIMS=$(ps -eo pid=,args= | grep -F -- "-address $NODE/containerd.sock" | grep -v grep | awk '{print $1}')
# Containers are children of their shims.
for shim in $SHIMS; do
  for child in $(ps -o pid= --ppid "$shim" 2> /dev/null); do kill -9 "$child" 2> /dev/null; done
done
for pid in $(tac "$NODE/pids") $SHIMS; do kill "$pid" 2> /dev/null; done
for _ in $(seq 50); do
  LEFT=0
  for pid in $(cat "$NODE/pids"); do kill -0 "$pid" 2> /dev/null && LEFT=1; done
  [ "$LEFT" = 0 ] && break
  sleep 0.2
done
# An API server without its database takes a minute to end.
for pid in $(cat "$NODE/pids"); do kill -9 "$pid" 2> /dev/null; done
grep -F " $NODE" /proc/mounts | awk '{print $2}' | sort -r | xargs -r -n1 umount 2> /dev/null
rm -f "$NODE/pids"
