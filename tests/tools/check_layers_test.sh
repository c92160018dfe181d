#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Breaks a small tree in one way at a time and expects tools/check_layers to name the fault, then to be
# quiet about what is allowed.
set -euo pipefail
tool=$(cd "$(dirname "$0")/../.." && pwd)/tools/check_layers
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
failures=0

fresh() {
  rm -rf "${root:?}"/*
  mkdir -p "$root"/src/{base,model,analysis,importers,cli}
  printf '%s\n' 'base:' 'model:' 'importers vendor: model' 'analysis pure: model' \
    'cli: model importers analysis' >"$root/src/LAYERS"
  add src/model/profile.h '#include "base/result.h"'
  add src/base/result.h '#include <string>'
}
# add FILE LINE…: a source file with its licence line.
add() {
  local file=$root/$1
  shift
  printf '%s\n' '// SPDX-License-Identifier: Apache-2.0' "$@" >"$file"
}
expect_fault() {
  local out
  if out=$("$tool" "$root" 2>&1); then
    echo "FAIL $1: nothing was found"
  elif ! grep -qF -- "$2" <<<"$out"; then
    printf 'FAIL %s: expected "%s", got:\n%s\n' "$1" "$2" "$out"
  elif [[ $(wc -l <<<"$out") -ne 1 ]]; then
    printf 'FAIL %s: one fault expected, got:\n%s\n' "$1" "$out"
  else
    return 0
  fi
  failures=$((failures + 1))
}
expect_clean() {
  local out
  if ! out=$("$tool" "$root" 2>&1); then
    printf 'FAIL %s: clean expected, got:\n%s\n' "$1" "$out"
    failures=$((failures + 1))
  fi
}
# fault NAME TEXT FILE LINE…: a fresh tree with FILE has exactly the fault TEXT.
fault() {
  local name=$1 text=$2
  shift 2
  fresh
  add "$@"
  expect_fault "$name" "$text"
}
clean() {
  local name=$1
  shift
  fresh
  add "$@"
  expect_clean "$name"
}

fresh
expect_clean 'the tree itself'
fault 'an arrow that is not there' 'src/model/a.h:2: model may not include analysis' \
  src/model/a.h '#include "analysis/units.h"'
fault 'base uses a room' 'base may not include model' src/base/a.cpp '#include "model/profile.h"'
fault 'a path without a room' 'written from src/' src/model/a.h '#include "profile.h"'
fault 'a path that climbs' 'written from src/' src/model/a.h '#include "model/../cli/x.h"'
fault 'a clock in a pure room' 'no I/O and no clock' src/analysis/a.cpp '#include <chrono>'
fault 'a file in a pure room' 'no I/O and no clock' src/analysis/a.cpp '#  include <fstream>'
fault 'printing' 'only cli prints' src/model/a.cpp '  std::cout << x;'
fault 'the environment' 'only cli prints' src/importers/a.cpp '  const char* v = getenv("X");'
fault 'a vendor type' 'vendor word in analysis' src/analysis/a.cpp 'cudaStream_t stream;'
fault 'a vendor name in a pattern' 'vendor word in analysis' src/analysis/a.cpp \
  'if (name == "ncclAllReduce") {}'
fault 'a short vendor word' 'vendor word in model' src/model/a.cpp 'int hip_streams = 0;'
fault 'a short vendor word in camel case' 'vendor word in model' src/model/a.cpp 'bool isHip();'
fault 'a vendor name in a raw string' 'vendor word in analysis' src/analysis/a.cpp \
  'const char* p = R"(a b cublas)";'
fault 'an excuse without a reason' 'vendor word' src/model/a.cpp 'int amd = 0;  // vendor-word:'
fault 'a name that says nothing' 'name it after what is in it' src/model/utils.h '// x'
fault 'a file name' 'is not snake_case' src/model/Profile.cpp '// x'

clean 'words that only contain one' src/analysis/a.cpp 'int chip = relationship(whip);'
clean 'a comment' src/analysis/a.cpp 'int x;  // as cudaMemcpy does' '/* NVIDIA' 'cuda */ int y;'
clean 'prose' src/analysis/a.cpp 'const char* fix = "use a CUDA graph";'
clean 'an API tag before prose' src/analysis/a.cpp 'f.fixes = {{"cuda", "use a graph"}};'
clean 'a room marked vendor' src/importers/a.cpp 'bool cuda = name == "cudaLaunchKernel";'
clean 'an excuse' src/model/a.cpp '// vendor-word: who made it' 'enum class V { kAmd };'
clean 'cli prints' src/cli/a.cpp '#include <iostream>' 'void f() { std::cout << getenv("X"); }'
clean 'a member called exit' src/model/a.cpp 'x.exit(); y->signal(1); my_exit(2);'

fresh
mkdir "$root/src/extra"
add src/extra/a.h '// x'
expect_fault 'a room without a line' 'does not stand in src/LAYERS'
fresh
echo 'report: nowhere' >>"$root/src/LAYERS"
expect_fault 'an arrow to nothing' 'names the unknown room nowhere'
fresh
sed -i 's/^model:/model: cli/' "$root/src/LAYERS"
expect_fault 'a cycle' 'form a cycle'
fresh
echo 'int x;' >"$root/src/model/a.cpp"
expect_fault 'no licence' 'src/model/a.cpp:1: the SPDX licence line is missing'

[[ $failures -eq 0 ]] && echo 'check_layers: all as expected'
exit $((failures > 0))
