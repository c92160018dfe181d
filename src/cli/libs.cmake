# SPDX-License-Identifier: Apache-2.0
# toml++ is used header-only, without exceptions; its CMake target would select the shared library, which has them.
find_package(CLI11 REQUIRED)
find_package(tomlplusplus REQUIRED)
set(ROOM_LIBS CLI11::CLI11 nlohmann_json::nlohmann_json PkgConfig::RE2)
