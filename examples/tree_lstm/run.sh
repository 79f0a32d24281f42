#!/usr/bin/env bash
# Compiles the Tree-LSTM ahead of time, builds the program around it, and classifies a sentence.
#
#   examples/tree_lstm/run.sh [TREE]      e.g. "(saw (cat the) (dog the big))"
set -euo pipefail
cd "$(dirname "$0")/../.."
scripts/install-deps.sh
# shellcheck source=scripts/build-folder.sh
. scripts/build-folder.sh
ensure_built ingot
out=$build/examples/tree_lstm
mkdir -p "$out"
examples/tree_lstm/weights.py examples/tree_lstm/tree_lstm.relay "$out"
"$build/bin/ingot" compile "$out/tree_lstm.relay" -o "$out"
g++ -std=c++20 -O2 -Wall -Wextra -I"$out" examples/tree_lstm/main.cpp "$out/libtree_lstm.a" -lm -o "$out/tree_lstm"
"$out/tree_lstm" "$@"
