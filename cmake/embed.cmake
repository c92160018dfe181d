# SPDX-License-Identifier: Apache-2.0
# Embeds every file below `dir` in `target` as hw::shipped_data(). Re-generated when a file changes or appears.
function(rooflab_embed_data target dir)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS "${dir}/*.json" "${dir}/*.txt")
  list(SORT files)
  set(out "${CMAKE_BINARY_DIR}/generated/shipped_data.cpp")
  add_custom_command(
    OUTPUT "${out}"
    COMMAND ${CMAKE_COMMAND} "-DOUT=${out}" "-DDIR=${dir}" "-DFILES=${files}"
            -P "${CMAKE_SOURCE_DIR}/cmake/embed_script.cmake"
    DEPENDS ${files} "${CMAKE_SOURCE_DIR}/cmake/embed_script.cmake" VERBATIM)
  target_sources(${target} PRIVATE "${out}")
endfunction()
