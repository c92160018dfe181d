// SPDX-License-Identifier: Apache-2.0
// Rows of a VTune table as samples: counted over the whole recording (there are no times in these
// reports), with the stack that a tree of functions says.
//
// "[Loop at line 12 in f]" is f at line 12.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "importers/vtune/table.h"
#include "model/builder.h"

namespace rooflab::importers::vtune {

class Rows {
 public:
  Rows(model::Builder& builder, Header header) : builder_(builder), header_(std::move(header)) {}

  void line(std::string_view line);
  void finish(const std::string& input, std::int64_t skipped_lines, std::int64_t cut_lines,
              bool truncated);
  [[nodiscard]] std::int64_t rows() const { return rows_; }

 private:
  // A row whose rows below it are not all read yet.
  struct Node {
    std::size_t depth = 0;
    model::Stack frame;                 // its caller is set when the stack is known
    std::vector<std::int64_t> weights;  // of the row, by Columns::weights
    std::vector<std::int64_t> below;    // of the rows below it, where its own are totals
    model::TrackId track;
  };

  void close(std::size_t depth);
  void emit(const Node& node, const std::vector<std::int64_t>& weights);
  model::StackId stack_of_open();
  model::Stack frame_of(const std::vector<std::string>& cells, std::string_view function);
  model::TrackId track_of(const std::vector<std::string>& cells);
  [[nodiscard]] std::string_view cell(const std::vector<std::string>& cells,
                                      std::size_t column) const;

  model::Builder& builder_;
  Header header_;
  std::vector<std::string> cells_;
  std::vector<Node> open_;
  std::int64_t rows_ = 0, unreadable_ = 0, bad_numbers_ = 0, too_deep_ = 0;
};

}  // namespace rooflab::importers::vtune
