// SPDX-License-Identifier: Apache-2.0
// The outer shape of a trace file: an object with traceEvents anywhere in it, or a bare array of
// events; reads the other members as text and hands the events on in chunks.
//
// It keeps at most a few chunks in memory. Damage: a lost place is found again at the next text
// that looks like the start of an event; a file that stops early gives what it holds.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/io/byte_source.h"
#include "base/result.h"
#include "importers/kineto/notes.h"
#include "importers/kineto/pipeline.h"
#include "importers/kineto/splitter.h"

namespace rooflab::importers::kineto {

class DocumentReader {
 public:
  DocumentReader(ByteSource& source, Pipeline& pipeline) : source_(source), pipeline_(pipeline) {}

  // Reads to the end of the input. An Error only where the source has one.
  [[nodiscard]] Result<void> run();

  // Members of the outer objects other than the events, as written (shortened if huge).
  [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& header() const {
    return header_;
  }
  [[nodiscard]] const Notes& notes() const { return notes_; }
  [[nodiscard]] bool found_events() const { return found_events_; }
  [[nodiscard]] bool found_json() const { return found_json_; }
  // The input ended inside the array of events, or inside the object after it.
  [[nodiscard]] bool ended_in_events() const { return ended_in_events_; }
  [[nodiscard]] bool ended_in_object() const { return ended_in_object_; }
  // Bytes read so far, after decompression.
  [[nodiscard]] std::int64_t bytes() const { return bytes_; }

 private:
  // The bytes outside the array of events.
  [[nodiscard]] bool fill();     // reads a piece more; false at the end
  [[nodiscard]] char peek();     // next byte that is no space, '\0' at the end
  void take(std::size_t bytes);  // steps over bytes of the window
  void read_object();
  bool read_key(std::string& key);
  bool read_value(std::string& text);
  bool recover();  // finds events again after damage and reads them
  bool mend_object();
  [[nodiscard]] std::size_t find_events_ahead();

  void read_events();
  bool read_piece(Chunk& chunk);
  [[nodiscard]] std::unique_ptr<Chunk> cut(std::unique_ptr<Chunk> chunk, std::size_t at);
  void end_of_input(Chunk& chunk);
  void finish_events(std::unique_ptr<Chunk> chunk, std::size_t end);

  ByteSource& source_;
  Pipeline& pipeline_;
  Splitter splitter_;
  Notes notes_;
  std::vector<std::pair<std::string, std::string>> header_;
  std::string window_;  // read, not yet understood
  std::size_t at_ = 0;  // position in the window
  std::int64_t bytes_ = 0;
  std::int64_t window_offset_ = 0;  // of window_[0] in the input
  std::size_t header_bytes_ = 0;
  int arrays_ = 0;
  std::size_t mark_ = 0;  // where the last key began, for recovery
  bool input_ended_ = false;
  bool found_events_ = false, found_json_ = false;
  bool ended_in_events_ = false, ended_in_object_ = false;
  bool failed_ = false;
  Error error_;
};

}  // namespace rooflab::importers::kineto
