# SPDX-License-Identifier: Apache-2.0
rooflab_registry(ROOM analysis SUBDIR peers TYPE Peer PREFIX peer HEADER analysis/peers/peer.h FUNCTION all_peers)
