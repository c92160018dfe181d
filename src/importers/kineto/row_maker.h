// SPDX-License-Identifier: Apache-2.0
// Gives an event its meaning: category and phase decide which table it goes to, and how.
#pragma once

#include "importers/kineto/chunk_rows.h"
#include "importers/kineto/event.h"

namespace rooflab::importers::kineto {

// Adds what `event` says to `rows`. `offset`: its place in the input, for the notes.
void add_event(const Event& event, std::int64_t offset, ChunkRows& rows);

}  // namespace rooflab::importers::kineto
