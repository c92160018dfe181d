# SPDX-License-Identifier: Apache-2.0
rooflab_registry(ROOM cli SUBDIR verbs TYPE Verb PREFIX verb HEADER cli/verb.h FUNCTION all_verbs)
target_compile_definitions(rooflab_cli PRIVATE ROOFLAB_VERSION="${PROJECT_VERSION}")
target_link_libraries(rooflab_cli PUBLIC ${CMAKE_DL_LIBS})
