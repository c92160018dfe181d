#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The picture in docs/ARCHITECTURE.md is the one that src/LAYERS gives.
set -euo pipefail
cd "$(dirname "$0")/../.."
committed=$(awk '/<!-- picture: end/ { on = 0 } on { print } /<!-- picture: begin/ { on = 1 }' \
  docs/ARCHITECTURE.md)
if ! diff <(tools/check_layers --picture) <(echo "$committed"); then
  echo 'the picture is out of date: tools/check_layers --write-picture'
  exit 1
fi
