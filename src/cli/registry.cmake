# SPDX-License-Identifier: Apache-2.0
rooflab_registry(ROOM cli SUBDIR verbs TYPE Verb PREFIX verb HEADER cli/verb.h FUNCTION all_verbs)
