#!/usr/bin/env bash
# strict.sh INGOT MODEL NAME DIALECT: what Ingot makes of MODEL compiles under two compilers without a warning, its header
# as C++ too; plain C11 holds no extension.
set -euo pipefail
ingot=$1 model=$2 name=$3 dialect=$4
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$ingot" compile "$model" -o "$dir" --emit c --name "$name" --c-dialect "$dialect" --target x86-64-v3 >/dev/null
cd "$dir"
flags="-std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -march=x86-64-v3 -O1"
for compiler in gcc clang-19; do
  # shellcheck disable=SC2086
  "$compiler" $flags -c "$name.c" -o "$compiler.o"
done
echo "#include \"$name.h\"" >header.cpp
g++ -std=c++11 -Wall -Wextra -Wpedantic -Werror -c header.cpp -o header.o
if [ "$dialect" = c11 ] && grep -nE '__attribute__ *\(\(vector|__builtin|_memory \*' "$name.c"; then
  echo "plain C11 was asked for" >&2
  exit 1
fi
# Nothing undefined but the C library.
allowed='^(memcpy|memset|memmove|fmaf?|(exp|log|pow|sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|asinh|acosh|atanh|erf|sqrt|floor|ceil|trunc|rint|fmod|fabs|copysign)f?)$'
unknown=$(nm -u gcc.o | awk '{print $2}' | grep -vE "$allowed" | grep -v "^${name}_" || true)
if [ -n "$unknown" ]; then
  echo "undefined: $unknown" >&2
  exit 1
fi
