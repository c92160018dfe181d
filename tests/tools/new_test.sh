#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# new_test.sh BUILD: scaffolds one extension of every kind into a copy of the tree, configures it, compiles
# what is new there (the scaffolds, their tests, the registries that now name them), and links that in front
# of the rooms that BUILD has already compiled: the tests must pass for what is there and skip for what is to
# be written, the registry test must refuse the placeholder texts, and check_layers must be content.
set -euo pipefail
build=$1
source=$(cd "$(dirname "$0")/../.." && pwd)
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
tar -C "$source" --exclude=./build --exclude=./.git --exclude=./tests/data -cf - . | tar -C "$copy" -xf -
cd "$copy"

name=scaffold_probe
kinds=$(find tools/new.d -mindepth 1 -maxdepth 1 -printf '%f\n' | sort)
for kind in $kinds; do
  # A table of one name and the test of a rule of the same name would not collide, but be plain.
  ./dev new "$kind" "${name}_$kind" >/dev/null
done
if ./dev new rule "${name}_rule" 2>/dev/null || ./dev new rule Bad-Name 2>/dev/null; then
  echo 'FAIL: new must refuse to overwrite, and names that are not snake_case'
  exit 1
fi
tools/check_layers
tools/format --check || [[ $? -eq 4 ]]

cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O0 >/dev/null
mapfile -t objects < <(ninja -C build -t targets all | sed -n 's/^\(.*\.cpp\.o\): .*/\1/p' |
  grep -E "$name|/generated/[a-z]+_all_[a-z]+\.cpp|/registry_test\.cpp")
ninja -C build --quiet "${objects[@]}"

# The link line of unit_cli has every room; put our objects in the place of its own.
link=$(ninja -C "$build" -t commands unit_cli | tail -n 1)
link=${link#: && }
link=${link% && :}
words=()
placed=
read -r -a old <<<"$link"
for word in "${old[@]}"; do
  if [[ $word == *.cpp.o ]]; then
    [[ $placed ]] || words+=("${objects[@]/#/$copy/build/}")
    placed=1
  elif [[ $word == bin/unit_cli ]]; then
    words+=("$copy/probe")
  else
    words+=("$word")
  fi
done
(cd "$build" && "${words[@]}")

if ./probe --gtest_brief=1 >probe.txt 2>&1; then
  echo 'FAIL: the registry test let placeholder texts pass'
  exit 1
fi
if grep -E '^\[  FAILED  \] [A-Za-z]+\.' probe.txt | grep -v 'Registry\.'; then
  cat probe.txt
  exit 1
fi
for kind in $kinds; do
  [[ $kind == table ]] || grep -q "TO WRITE" probe.txt
done
./probe --gtest_filter='-Registry.*' >probe.txt 2>&1
passed=$(grep -c '^\[       OK ' probe.txt)
skipped=$(grep -c '^\[  SKIPPED \].*(' probe.txt)
echo "scaffolds: $passed tests pass, $skipped are to be written"
[[ $passed -eq $(wc -w <<<"$kinds") && $skipped -gt $passed ]]
