#!/usr/bin/env bash
# symbols.sh FOLDER CASE...: checks object, archive, shared object and compiled C of ONNX's backend cases.
set -euo pipefail
folder=$1
shift
allowed='^(memcpy|memset|memmove|fmaf?|(exp|log|pow|sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|asinh|acosh|atanh|erf|sqrt|floor|ceil|trunc|rint|fmod|fabs|copysign)f?)(@.*)?$'
fail() { echo "$1" >&2; exit 1; }
for case in "$@"; do
  model=/usr/share/libonnx-testdata/data/node/test_$case/model.onnx
  dir=$folder/$case
  rm -rf "$dir"
  ingot compile "$model" -o "$dir" --name model --emit c,obj,lib,so >/dev/null
  gcc -std=gnu11 -O2 -march=native -c "$dir/model.c" -o "$dir/c.o"
  for object in "$dir/model.o" "$dir/libmodel.a" "$dir/c.o"; do
    unknown=$(nm -u "$object" | awk 'NF == 2 {print $2}' | grep -vE "$allowed" | grep -v '^model_' || true)
    [ -z "$unknown" ] || fail "$object: undefined $unknown"
    shown=$(nm -g --defined-only "$object" | awk 'NF == 3 {print $3}' | grep -vE '^model_(run|workspace_size)$' || true)
    [ -z "$shown" ] || fail "$object: shows $shown"
    writable=$(objdump -h "$object" | awk '$2 ~ /^\.(data|bss|tdata|tbss|init_array|ctors)(\.|$)/ && $3 !~ /^0+$/ && $2 !~ /^\.data\.rel\.ro/ {print $2}')
    [ -z "$writable" ] || fail "$object: sections $writable"
  done
  unknown=$(nm -D -u "$dir/libmodel.so" | awk '{print $NF}' | grep -vE "$allowed" | grep -vE '^(_ITM_|__gmon|__cxa_finalize)' || true)
  [ -z "$unknown" ] || fail "$dir/libmodel.so: undefined $unknown"
done
echo "$# cases"
