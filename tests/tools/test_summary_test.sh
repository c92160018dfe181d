#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs real ctest runs, with a pass, a failure and two kinds of skip, and reads what tools/test_summary
# makes of their files.
set -euo pipefail
tool=$(cd "$(dirname "$0")/../.." && pwd)/tools/test_summary
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
cd "$root"

cat >good.cmake <<'TEXT'
add_test(pass "true")
add_test(script "sh" "-c" "echo 'skipped: no GPU here'; exit 77")
set_tests_properties(script PROPERTIES SKIP_RETURN_CODE 77)
add_test(gtest "printf" "x_test.cpp:7: Skipped\\nROOFLAB_CASES is not set: a.json\\n")
set_tests_properties(gtest PROPERTIES SKIP_REGULAR_EXPRESSION "Skipped")
TEXT
run() {
  cp "$1" CTestTestfile.cmake
  ctest --output-junit "$root/$2" >/dev/null 2>&1 || true
}
run good.cmake good.xml
out=$("$tool" good.xml good.xml)
expected='skipped, 2: ROOFLAB_CASES is not set
skipped, 2: no GPU here
2 passed, 0 failed, 4 skipped'
diff <(echo "$expected") <(echo "$out")

echo 'add_test(fail "false")' >>good.cmake
run good.cmake bad.xml
if out=$("$tool" bad.xml); then
  echo 'a failure must fail'
  exit 1
fi
diff <(echo '1 passed, 1 failed, 2 skipped') <(tail -n 1 <<<"$out")

: >empty.cmake
run empty.cmake none.xml
if [[ -f none.xml ]] && "$tool" none.xml; then
  echo 'no test at all must fail'
  exit 1
fi
echo 'test_summary: all as expected'
