#!/usr/bin/env bash
# An importer under libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer: that of ONNX, from the ONNX backend cases as
# seeds, or that of Relay (parser, types, elaboration), from the programs in test/relay.
#
#   scripts/fuzz.sh [SECONDS [onnx|relay]]     how long, by default 120, and what, by default onnx; builds into build/fuzz
#
# Inputs that crash, hang for 20 s or take 2 GB are kept in build/fuzz/onnx/findings or build/fuzz/relay/findings. The last line is
# "executions=N coverage=N findings=N"; exit status 1 if there are findings.
set -euo pipefail
cd "$(dirname "$0")/.."
case ${1:-} in
  -h | --help) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0"; exit 0 ;;
esac
seconds=${1:-120}
[[ $seconds =~ ^[0-9]+$ ]] || { echo "fuzz: '$seconds' is not a number of seconds" >&2; exit 2; }
what=${2:-onnx}
case $what in
  onnx | relay) ;;
  *) echo "fuzz: '$what' is neither onnx nor relay" >&2; exit 2 ;;
esac
build=build/fuzz
mkdir -p "$build"
log=$build/$what.log
cmake --preset fuzz >"$log" 2>&1 && nice ninja -C "$build" "$what-fuzzer" >"$log" 2>&1 || { tail -n 30 "$log" >&2; exit 1; }

corpus=$build/$what/corpus seeds=$build/$what/seeds found=$build/$what/findings
rm -rf "${build:?}/$what"
mkdir -p "$corpus" "$seeds" "$found"
if [ "$what" = onnx ]; then
  while IFS= read -r model; do
    cp "$model" "$seeds/$(basename "$(dirname "$model")").onnx"
  done < <(find /usr/share/libonnx-testdata -name model.onnx -size -16k)
else
  find test/relay -name '*.relay' -exec cp {} "$seeds" \;
fi
[ -n "$(ls "$seeds")" ] || { echo "fuzz: no seeds in /usr/share/libonnx-testdata" >&2; exit 1; }

echo "fuzz: $seconds s from $(find "$seeds" -type f | wc -l) seeds; progress in $log"
status=0
"$build/bin/$what-fuzzer" "$corpus" "$seeds" -fork=1 -ignore_crashes=1 -ignore_timeouts=1 -ignore_ooms=1 \
  -max_len=16384 -timeout=20 -rss_limit_mb=2048 -max_total_time="$seconds" \
  -artifact_prefix="$found/" >"$log" 2>&1 || status=$?
last=$(grep -E '^#[0-9]+: cov' "$log" | tail -n 1)
[ -n "$last" ] || { tail -n 30 "$log" >&2; exit 1; }
findings=$(find "$found" -type f | wc -l)
[ "$findings" = 0 ] || find "$found" -type f
sed -nE "s/^#([0-9]+): cov: ([0-9]+).*/executions=\1 coverage=\2 findings=$findings/p" <<<"$last"
[ "$findings" = 0 ] && [ "$status" = 0 ]
