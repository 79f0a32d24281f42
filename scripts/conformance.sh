#!/usr/bin/env bash
# ONNX's own backend tests through Ingot: each case in a process of its own, compared with the expected outputs.
#
#   scripts/conformance.sh [--backend c|llvm] [--filter TEXT] [--data DIR] [...]     --help lists the rest
#
# The last line printed is "backend=c total=1072 passed=N wrong=N refused=N crashed=N".
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/build-folder.sh
. scripts/build-folder.sh
ensure_built ingot-conformance
exec "$build/bin/ingot-conformance" "$@"
