#!/usr/bin/env bash
# Prints how close the tree is to its budgets: 900 lines a file, 16 files a folder. Exit status 1 beyond them.
set -euo pipefail
cd "$(dirname "$0")/.."
files() { git ls-files -- '*.cpp' '*.h' '*.td' '*.sh' '*.cmake' '*.c' | grep -v /golden/ || true; }
longest=$(files | xargs wc -l | grep -v ' total$' | sort -rn | awk 'NR == 1 {print $1, $2}')
widest=$(git ls-files | grep / | grep -vE '^test/.*golden' | sed 's#/[^/]*$##' | sort | uniq -c | sort -rn | awk 'NR == 1 {print $1, $2}')
echo "budgets: longest file $longest (of 900 lines), fullest folder $widest (of 16 files)"
[ "${longest%% *}" -le 900 ] && [ "${widest%% *}" -le 16 ]
