#!/usr/bin/env bash
# From nothing to text read off a picture: installs what is missing, builds Ingot, fetches the PP-OCRv4 models, compiles them
# ahead of time to C and to archives, builds examples/ocr with the archives, and reads the sample picture.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/install-deps.sh
# shellcheck source=scripts/build-folder.sh
. scripts/build-folder.sh
echo "demo: building Ingot in $build"
ensure_built ingot
cache=$(scripts/fetch-models.sh ppocr-det.onnx ppocr-cls.onnx ppocr-rec.onnx ppocr-keys.txt | tail -n 1)
out=$build/demo
mkdir -p "$out"
for model in det cls rec; do
  echo "demo: compiling ppocr-$model.onnx"
  "$build/bin/ingot" compile "$cache/models/ppocr-$model.onnx" -o "$out" --emit c,lib --name "$model"
done
echo "demo: building examples/ocr"
cmake -S examples/ocr -B "$out/build" -G Ninja -DMODELS="$(realpath "$out")" >"$out/configure.log" ||
  { cat "$out/configure.log" >&2; exit 1; }
ninja -C "$out/build" ocr >"$out/build.log" || { cat "$out/build.log" >&2; exit 1; }
echo "demo: reading examples/ocr/sample.png"
"$out/build/ocr" examples/ocr/sample.png "$cache/models/ppocr-keys.txt" | tee "$out/text.txt"
if ! diff "$out/text.txt" examples/ocr/expected.txt; then
  echo "demo: the text differs from examples/ocr/expected.txt" >&2
  exit 1
fi
echo "demo: every line is as expected"
