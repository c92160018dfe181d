# SPDX-License-Identifier: Apache-2.0
# Language level, warnings, sanitizers and the third-party packages every room may use.
option(ROOFLAB_TESTS "build the tests" ON)
option(ROOFLAB_BENCHMARKS "build benchmarks/" OFF)
option(ROOFLAB_WERROR "warnings are errors" OFF)
option(ROOFLAB_FUZZ "build the libFuzzer targets (clang)" OFF)
set(ROOFLAB_SANITIZE "" CACHE STRING "comma-separated -fsanitize= list")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
find_program(ROOFLAB_CCACHE ccache)
if(ROOFLAB_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${ROOFLAB_CCACHE}")
endif()
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

add_library(rooflab_flags INTERFACE)
target_include_directories(rooflab_flags INTERFACE "${CMAKE_SOURCE_DIR}/src")
target_compile_options(rooflab_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                       -Wnon-virtual-dtor -fno-strict-overflow)
if(ROOFLAB_WERROR)
  target_compile_options(rooflab_flags INTERFACE -Werror)
endif()
if(ROOFLAB_SANITIZE)
  target_compile_options(rooflab_flags INTERFACE -fsanitize=${ROOFLAB_SANITIZE}
                         -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(rooflab_flags INTERFACE -fsanitize=${ROOFLAB_SANITIZE})
endif()

if(ROOFLAB_FUZZ)  # coverage feedback in the rooms, without libFuzzer's main
  target_compile_options(rooflab_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(simdjson REQUIRED)
find_package(nlohmann_json REQUIRED)
find_path(PROTOZERO_INCLUDE protozero/pbf_reader.hpp REQUIRED)  # headers only
find_package(ZLIB REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(RE2 REQUIRED IMPORTED_TARGET re2)
