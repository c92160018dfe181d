# SPDX-License-Identifier: Apache-2.0
find_package(CLI11 REQUIRED)
find_package(tomlplusplus REQUIRED)
set(ROOM_LIBS CLI11::CLI11 tomlplusplus::tomlplusplus nlohmann_json::nlohmann_json PkgConfig::RE2)
