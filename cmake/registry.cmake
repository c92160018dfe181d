# SPDX-License-Identifier: Apache-2.0
# Registries without a list to edit: every file src/<room>/<subdir>/<id>.cpp that the glob finds defines one
# function `<Type> <prefix>_<id>()` in the room's namespace; the generated registry.cpp calls them in name order.
# (Static initialisers in a static library are dropped by the linker without a word, so none are used.)
#
#   rooflab_registry(ROOM rules SUBDIR diagnoses TYPE Rule PREFIX rule HEADER rules/rule.h FUNCTION all_rules)
function(rooflab_registry)
  cmake_parse_arguments(R "" "ROOM;SUBDIR;TYPE;PREFIX;HEADER;FUNCTION" "" ${ARGN})
  file(GLOB files CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/${R_ROOM}/${R_SUBDIR}/*.cpp")
  list(SORT files)
  set(declarations "")
  set(calls "")
  foreach(file IN LISTS files)
    get_filename_component(id "${file}" NAME_WE)
    string(APPEND declarations "${R_TYPE} ${R_PREFIX}_${id}();\n")
    string(APPEND calls "      ${R_PREFIX}_${id}(),\n")
  endforeach()
  set(content "// Generated from the files of src/${R_ROOM}/${R_SUBDIR}.\n#include <vector>\n\n#include \"${R_HEADER}\"\n
namespace rooflab::${R_ROOM} {
${declarations}
std::vector<${R_TYPE}> ${R_FUNCTION}() {
  return {
${calls}  };
}
}  // namespace rooflab::${R_ROOM}\n")
  set(out "${CMAKE_BINARY_DIR}/generated/${R_ROOM}_${R_FUNCTION}.cpp")
  file(GENERATE OUTPUT "${out}" CONTENT "${content}")
  target_sources(rooflab_${R_ROOM} PRIVATE "${out}")
endfunction()
