# SPDX-License-Identifier: Apache-2.0
rooflab_registry(ROOM graph SUBDIR changes TYPE Change PREFIX change HEADER graph/change.h FUNCTION all_changes)
