#!/usr/bin/env bash
# Installs what is missing, builds, and runs every test.
#
#   scripts/test.sh              all tests
#   scripts/test.sh -L models    more arguments go to ctest: here only the tests with the label `models`
#
# The last line printed is "N passed, N failed". Exit status 1 if a test fails.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/install-deps.sh
# shellcheck source=scripts/build-folder.sh
. scripts/build-folder.sh
echo "test: building in $build"
ensure_built all
if scripts/fetch-models.sh >"$build/fetch.log" 2>&1; then
  echo "test: models are in $(tail -n 1 "$build/fetch.log")"
else
  echo "test: SKIPPED: the tests on real models, because they could not be fetched: $(tail -n 1 "$build/fetch.log")"
fi
scripts/check-budgets.sh
log=$build/test.log
set +e
ctest --test-dir "$build" --output-on-failure --no-tests=error -j2 "$@" | tee "$log"
set -e
summary=$(grep -E '^[0-9]+% tests passed' "$log" || true)
failed=$(sed -nE 's/.* ([0-9]+) tests? failed out of ([0-9]+)/\1/p' <<<"$summary")
total=$(sed -nE 's/.* ([0-9]+) tests? failed out of ([0-9]+)/\2/p' <<<"$summary")
if [ -z "$total" ]; then
  echo "test: ctest ran no test"
  exit 1
fi
# ctest counts what it skips as passed; it says why in its own lines.
skipped=$(grep -cE '\*\*\*Skipped' "$log" || true)
[ "$skipped" = 0 ] || echo "test: $skipped tests were skipped, see above"
echo "$((total - failed - skipped)) passed, $failed failed"
[ "$failed" = 0 ]
