# Sourced: what every object that Ingot makes, or that a compiler makes of its C, must be like.
allowed='^(memcpy|memset|memmove|fmaf?|(exp|log|pow|sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|asinh|acosh|atanh|erf|sqrt|floor|ceil|trunc|rint|fmod|fabs|copysign)f?)(@.*)?$'
fail() { echo "$1" >&2; exit 1; }

# check_object OBJECT: undefined symbols of libc and libm alone, the entry of `model` alone shown, nothing writable.
check_object() {
  local unknown shown writable
  unknown=$(nm -u "$1" | awk 'NF == 2 {print $2}' | grep -vE "$allowed" | grep -v '^model_' || true)
  [ -z "$unknown" ] || fail "$1: undefined $unknown"
  shown=$(nm -g --defined-only "$1" | awk 'NF == 3 {print $3}' | grep -vE '^model_(run|workspace_size)$' || true)
  [ -z "$shown" ] || fail "$1: shows $shown"
  writable=$(objdump -h "$1" | awk '$2 ~ /^\.(data|bss|tdata|tbss|init_array|ctors)(\.|$)/ && $3 !~ /^0+$/ && $2 !~ /^\.data\.rel\.ro/ {print $2}')
  [ -z "$writable" ] || fail "$1: sections $writable"
}
