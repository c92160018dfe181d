# SPDX-License-Identifier: Apache-2.0
# cmake -DOUT=… -DDIR=… -DFILES=a;b -P embed_script.cmake: writes the files as raw string literals, in pieces below
# the length that compilers must accept.
set(body "// Generated from data/.\n#include \"hw/data.h\"\n\n#include <string>\n\nnamespace rooflab::hw {\n
const std::vector<DataFile>& shipped_data() {\n  static const std::vector<DataFile> files = {\n")
foreach(file IN LISTS FILES)
  file(RELATIVE_PATH path "${DIR}" "${file}")
  file(READ "${file}" hex HEX)
  string(LENGTH "${hex}" digits)
  math(EXPR bytes "${digits} / 2")
  string(REGEX REPLACE "(................................................................)" "\\1\"\n      \"" hex "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" hex "${hex}")
  string(APPEND body "    {\"${path}\", {\"${hex}\", ${bytes}}},\n")
endforeach()
string(APPEND body "  };\n  return files;\n}\n\n}  // namespace rooflab::hw\n")
file(WRITE "${OUT}" "${body}")
