#!/usr/bin/env bash
# symbols.sh FOLDER CASE...: checks object, archive, shared object and compiled C of ONNX's backend cases.
set -euo pipefail
folder=$1
shift
# shellcheck source=object_checks.sh
. "$(dirname "$0")/object_checks.sh"
for case in "$@"; do
  model=/usr/share/libonnx-testdata/data/node/test_$case/model.onnx
  dir=$folder/$case
  rm -rf "$dir"
  ingot compile "$model" -o "$dir" --name model --emit c,obj,lib,so >/dev/null
  gcc -std=gnu11 -O2 -march=native -c "$dir/model.c" -o "$dir/c.o"
  for object in "$dir/model.o" "$dir/libmodel.a" "$dir/c.o"; do
    check_object "$object"
  done
  unknown=$(nm -D -u "$dir/libmodel.so" | awk '{print $NF}' | grep -vE "$allowed" | grep -vE '^(_ITM_|__gmon|__cxa_finalize)' || true)
  [ -z "$unknown" ] || fail "$dir/libmodel.so: undefined $unknown"
done
echo "$# cases"
