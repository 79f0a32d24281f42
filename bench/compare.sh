#!/usr/bin/env bash
# Times the real models side by side with ONNX Runtime, both on one core and one thread.
#
#   bench/compare.sh [MODEL...]      all models, or those named: ppocr-det, ppocr-rec, timer, ...
#
# The last line is "models=N geomean=R worst=R NAME": R is ONNX Runtime's time over Ingot's.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/build-folder.sh
. scripts/build-folder.sh
ensure_built ingot-compare
cache=$(scripts/fetch-models.sh | tail -n 1)
exec taskset -c "${INGOT_CORE:-0}" "$build/bin/ingot-compare" --models "$cache/models" "$@"
