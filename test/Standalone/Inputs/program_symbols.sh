#!/usr/bin/env bash
# program_symbols.sh FOLDER PROGRAMS...: checks the object and the strictly compiled C of every Relay program below PROGRAMS.
set -euo pipefail
folder=$1
allowed='^(memcpy|memset|memmove|fmaf?|(exp|log|pow|sin|cos|tan|tanh|erf|sqrt|floor|ceil|trunc|rint|fmod|fabs|copysign)f?)$'
fail() { echo "$1" >&2; exit 1; }
count=0
while read -r program; do
  dir=$folder/$(basename "$program" .relay)
  rm -rf "$dir"
  ingot compile "$program" -o "$dir" --name model --emit c,obj >/dev/null
  strict=(-std=c11 -O1 -Wall -Wextra -Wpedantic -Wconversion -Werror)
  grep -q __attribute__ "$dir/model.c" && strict=(-std=gnu11 -O1 -march=native -Wall -Wextra -Wconversion -Werror)
  gcc "${strict[@]}" -c "$dir/model.c" -o "$dir/gcc.o" || fail "$program: gcc"
  clang-19 "${strict[@]}" -c "$dir/model.c" -o "$dir/clang.o" || fail "$program: clang"
  for object in "$dir/model.o" "$dir/gcc.o" "$dir/clang.o"; do
    unknown=$(nm -u "$object" | awk 'NF == 2 {print $2}' | grep -vE "$allowed" | grep -v '^model_' || true)
    [ -z "$unknown" ] || fail "$object: undefined $unknown"
    shown=$(nm -g --defined-only "$object" | awk 'NF == 3 {print $3}' | grep -vE '^model_(run|workspace_size)$' || true)
    [ -z "$shown" ] || fail "$object: shows $shown"
    writable=$(objdump -h "$object" | awk '$2 ~ /^\.(data|bss|tdata|tbss|init_array|ctors)(\.|$)/ && $3 !~ /^0+$/ && $2 !~ /^\.data\.rel\.ro/ {print $2}')
    [ -z "$writable" ] || fail "$object: sections $writable"
  done
  count=$((count + 1))
done < <(find "${@:2}" -name "*.relay")
echo "$count programs"
