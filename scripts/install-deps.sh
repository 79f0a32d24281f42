#!/usr/bin/env bash
# Installs the Debian 12 packages that building, testing and the examples need: the one place that names them.
# Needs root or sudo. Does nothing, quickly, when all of them are there.
#
#   scripts/install-deps.sh           install what is missing
#   scripts/install-deps.sh --list    print the packages, one a line
set -euo pipefail

packages=(
  # the compiler that builds Ingot, and the libraries it stands on
  clang-19 lld-19 clang-format-19 clang-tidy-19 libclang-rt-19-dev
  llvm-19-dev llvm-19-tools libmlir-19-dev mlir-19-tools
  cmake ninja-build ccache
  libprotobuf-dev protobuf-compiler libonnx-dev
  libcli11-dev libfmt-dev nlohmann-json3-dev
  # tests and benchmarks: a second C compiler for what Ingot emits, and one for AArch64 with an emulator, nm, taskset, the ONNX
  # backend cases
  gcc g++ binutils util-linux gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user libgtest-dev libbenchmark-dev libonnx-testdata python3
  # examples/ocr, pictures only
  libopencv-core-dev libopencv-imgproc-dev libopencv-imgcodecs-dev
  # fetching and unpacking
  ca-certificates git xz-utils
)
# A machine may carry Node.js from elsewhere; Debian's npm would then conflict with it.
command -v npm >/dev/null || packages+=(nodejs npm)

if [ "${1:-}" = --list ]; then
  printf '%s\n' "${packages[@]}"
  exit 0
fi

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done
if [ ${#missing[@]} = 0 ]; then
  exit 0
fi

as_root=()
if [ "$(id -u)" != 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "install-deps: root or sudo is needed to install: ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
quietly() {
  if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive "$@" >"$log" 2>&1; then
    tail -n 30 "$log" >&2
    echo "install-deps: failed: $*" >&2
    exit 1
  fi
}
echo "install-deps: installing ${missing[*]}"
quietly apt-get update
quietly apt-get install -y --no-install-recommends "${missing[@]}"
