# SPDX-License-Identifier: Apache-2.0
# data/ becomes one generated source file with every file's text.
rooflab_embed_data(rooflab_hw "${CMAKE_SOURCE_DIR}/data")
