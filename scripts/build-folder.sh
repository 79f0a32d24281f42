# Sourced by scripts that run what was built: sets `build` to the folder ($INGOT_BUILD, default build/release).
build=${INGOT_BUILD:-build/release}

# ensure_built TARGET...: configures the release preset if there is no build folder, and brings the targets up to date.
ensure_built() {
  if [ ! -f "$build/build.ninja" ]; then
    [ "$build" = build/release ] || { echo "no build in $build" >&2; exit 1; }
    cmake --preset release >"${TMPDIR:-/tmp}/ingot-configure.log" 2>&1 ||
      { tail -n 20 "${TMPDIR:-/tmp}/ingot-configure.log" >&2; exit 1; }
  fi
  ninja -C "$build" "$@" >"$build/ninja.log" 2>&1 || { tail -n 40 "$build/ninja.log" >&2; exit 1; }
}
