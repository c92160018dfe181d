# SPDX-License-Identifier: Apache-2.0
rooflab_registry(ROOM report SUBDIR tops TYPE Top PREFIX top HEADER report/top.h FUNCTION all_tops)
rooflab_registry(ROOM report SUBDIR exports TYPE Export PREFIX export HEADER report/export.h FUNCTION all_exports)
