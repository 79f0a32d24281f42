#!/usr/bin/env bash
# program_symbols.sh FOLDER PROGRAMS...: checks the object and the strictly compiled C of every Relay program below PROGRAMS.
set -euo pipefail
folder=$1
# shellcheck source=object_checks.sh
. "$(dirname "$0")/object_checks.sh"
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
    check_object "$object"
  done
  count=$((count + 1))
done < <(find "${@:2}" -name "*.relay")
echo "$count programs"
