# SPDX-License-Identifier: Apache-2.0
set(ROOM_LIBS PkgConfig::RE2)
