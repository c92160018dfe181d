# SPDX-License-Identifier: Apache-2.0
rooflab_registry(ROOM importers SUBDIR formats TYPE Importer PREFIX importer HEADER importers/importer.h
                 FUNCTION all_importers)
