#!/usr/bin/env bash
# A product of two 768x768 matrices, one of them constant, as a share of the core's measured FMA peak; both back ends.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/build-folder.sh
. scripts/build-folder.sh
ensure_built ingot
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 bench/make-sgemm.py "${1:-768}" "$dir/sgemm.onnx"
taskset -c "${INGOT_CORE:-0}" "$build/bin/ingot" bench "$dir/sgemm.onnx"
