# SPDX-License-Identifier: Apache-2.0
rooflab_registry(ROOM rules SUBDIR diagnoses TYPE Rule PREFIX rule HEADER rules/rule.h FUNCTION all_rules)
