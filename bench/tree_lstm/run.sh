#!/usr/bin/env bash
# Throughput of examples/tree_lstm against the same recursion by hand over the same kernels; counts of blocks.
#
#   bench/tree_lstm/run.sh [NODES [RUNS]]
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=../../scripts/build-folder.sh
. scripts/build-folder.sh
ensure_built ingot
out=$build/bench/tree_lstm
mkdir -p "$out"
examples/tree_lstm/weights.py examples/tree_lstm/tree_lstm.relay bench/tree_lstm/*.relay "$out"
for text in "$out"/*.relay; do
  "$build/bin/ingot" compile "$text" -o "$out" --emit lib >/dev/null
done
g++ -std=c++20 -O2 -march=native -Wall -Wextra -I"$out" bench/tree_lstm/by_hand.cpp "$out"/lib*.a -lm -o "$out/by_hand"
taskset -c 1 "$out/by_hand" "$@"
