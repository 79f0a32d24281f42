#!/usr/bin/env bash
# finds.sh CHECK...: the check finds all that is wrong in wrong.md, word for word, and nothing else.
set -euo pipefail
cd "$(dirname "$0")"
status=0
found=$("$@" wrong.md) || status=$?
diff -u wrong.txt - <<<"$found"
[ "$status" = 1 ]
