// SPDX-License-Identifier: Apache-2.0
#include "importers/vtune/rows.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/demangle.h"

namespace rooflab::importers::vtune {
namespace {

constexpr std::string_view kLoop = "[Loop at line ";
constexpr std::size_t kDeepest = 1024;

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && s.front() == ' ') s.remove_prefix(1);
  while (!s.empty() && s.back() == ' ') s.remove_suffix(1);
  return s;
}

struct Loop {
  std::string_view line, function;
};
std::optional<Loop> loop_of(std::string_view name) {
  constexpr std::string_view kIn = " in ";
  if (!name.starts_with(kLoop) || !name.ends_with(']')) return {};
  const std::string_view inside = name.substr(kLoop.size(), name.size() - kLoop.size() - 1);
  const std::size_t in = inside.find(kIn);
  if (in == std::string_view::npos) return {};
  return Loop{inside.substr(0, in), inside.substr(in + kIn.size())};
}

std::string_view without_folders(std::string_view path) {
  const std::size_t slash = path.find_last_of("/\\");
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

// "worker (TID: 1234)" -> 1234.
std::optional<std::int64_t> id_in(std::string_view text, std::string_view key) {
  const std::size_t at = text.rfind(key);
  if (at == std::string_view::npos) return {};
  std::string_view digits = trimmed(text.substr(at + key.size()));
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || value < 0) return {};
  return value;
}

std::string_view before_id(std::string_view text) {
  return trimmed(text.substr(0, text.rfind(" (")));
}

}  // namespace

std::string_view Rows::cell(const std::vector<std::string>& cells, std::size_t column) const {
  return column < cells.size() ? trimmed(cells[column]) : std::string_view();
}

model::TrackId Rows::track_of(const std::vector<std::string>& cells) {
  const std::string_view thread = cell(cells, header_.columns.thread);
  const std::string_view process = cell(cells, header_.columns.process);
  const auto tid = id_in(thread, "TID:");
  if (!tid) return builder_.other_track(thread.empty() ? "all threads" : thread);
  const std::int64_t pid = id_in(process, "PID:").value_or(-1);
  const model::TrackId track = builder_.thread_track(pid, *tid);
  model::Profile& p = builder_.profile();
  model::Thread& row = p.threads[p.tracks[track.row].thread.row];
  row.name = builder_.intern(before_id(thread));
  if (pid >= 0) p.processes[row.process.row].name = builder_.intern(before_id(process));
  return track;
}

model::Stack Rows::frame_of(const std::vector<std::string>& cells, std::string_view function) {
  const Columns& c = header_.columns;
  std::string_view file = without_folders(cell(cells, c.file));
  std::string_view line = cell(cells, c.line);
  if (const auto loop = loop_of(function)) {
    line = loop->line;
    function = loop->function;
  }
  if (file == "[Unknown]" || file == "[Unknown source file]") file = {};
  model::Stack frame;
  const bool unknown = function.empty() || function == "[Unknown]";
  frame.frame = builder_.intern(unknown ? "[unknown]" : demangle(function));
  frame.module = builder_.intern(without_folders(cell(cells, c.module)));
  const bool numbered =
      !line.empty() && line.find_first_not_of("0123456789") == std::string_view::npos;
  if (numbered && !file.empty()) {
    frame.location = builder_.intern(std::string(file) + ":" + std::string(line));
  } else if (numbered) {
    frame.location = builder_.intern("line " + std::string(line));
  } else if (!file.empty() && !unknown) {
    frame.location = builder_.intern(file);
  }
  return frame;
}

// Callees: the open rows are the callers, outermost first. Callers: the other way round.
model::StackId Rows::stack_of_open() {
  model::StackId caller;
  const auto add = [&](model::Stack frame) {
    frame.caller = caller;
    caller = builder_.stack(frame);
  };
  if (header_.columns.tree == Tree::kCallers) {
    for (std::size_t i = open_.size(); i-- > 0;) add(open_[i].frame);
  } else {
    for (const Node& node : open_) add(node.frame);
  }
  return caller;
}

void Rows::emit(const Node& node, const std::vector<std::int64_t>& weights) {
  if (std::all_of(weights.begin(), weights.end(), [](std::int64_t w) { return w <= 0; })) return;
  const model::StackId stack = stack_of_open();
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] <= 0) continue;
    model::SampleRow row;
    row.track = node.track;
    row.stack = stack;
    row.event = builder_.intern(header_.columns.weights[i].event);
    row.weight = weights[i];
    builder_.add(row);
  }
}

// Rows at `depth` and deeper have got all that stands below them.
void Rows::close(std::size_t depth) {
  while (!open_.empty() && open_.back().depth >= depth) {
    const Node& node = open_.back();
    std::vector<std::int64_t> own = node.weights;
    for (std::size_t i = 0; i < own.size(); ++i) own[i] -= std::min(own[i], node.below[i]);
    emit(node, own);
    open_.pop_back();
  }
}

void Rows::line(std::string_view line) {
  if (trimmed(line).empty()) return;
  split_cells(line, header_.delimiter, cells_);
  const Columns& c = header_.columns;
  if (cells_.size() < 2 || cells_.size() > c.count + 1) {
    ++unreadable_;
    return;
  }
  const std::string_view name =
      c.function < cells_.size() ? std::string_view(cells_[c.function]) : std::string_view();
  const std::string_view full = cell(cells_, c.full_function);
  Node node;
  if (c.tree != Tree::kNone) {
    const std::size_t text = name.find_first_not_of(' ');
    node.depth = text == std::string_view::npos ? 0 : text;
  }
  bool any = false;
  for (const Weights& w : c.weights) {
    const std::string_view text = cell(cells_, w.column);
    const auto value = w.in_time ? seconds_cell(text) : count_cell(text);
    if (!value && !text.empty()) ++bad_numbers_;
    any = any || value;
    node.weights.push_back(value.value_or(0));
  }
  if (!any) {
    ++unreadable_;
    return;
  }
  ++rows_;
  close(node.depth);
  // "Total", which heads a tree, is no function.
  if (trimmed(name) == "Total" && c.tree == Tree::kCallees) return;
  node.below.assign(node.weights.size(), 0);
  node.frame = frame_of(cells_, full.empty() ? trimmed(name) : full);
  node.track = track_of(cells_);
  const bool below_means_part = c.tree == Tree::kCallers;
  if (!open_.empty()) {
    for (std::size_t i = 0; i < node.weights.size(); ++i) {
      if (!below_means_part && !c.weights[i].is_total) continue;
      std::int64_t& below = open_.back().below[i];
      below = saturating_add(below, node.weights[i]);
    }
  }
  if (open_.size() == kDeepest) {
    ++too_deep_;
    open_.pop_back();
  }
  open_.push_back(std::move(node));
}

void Rows::finish(const std::string& input, std::int64_t skipped_lines, std::int64_t cut_lines,
                  bool truncated) {
  close(0);
  model::Hygiene& h = builder_.hygiene();
  h.add("text_before_table", input, skipped_lines,
        "lines before the table were left out: the tool's own messages");
  h.add("unreadable_lines", input, unreadable_,
        "rows that do not fit the table's header were left out");
  h.add("unreadable_numbers", input, bad_numbers_, "cells that hold no number count nothing");
  h.add("deep_stack", input, too_deep_, "stacks were cut at 1024 frames");
  h.add("long_lines", input, cut_lines, "lines beyond 1 MiB were cut there");
  std::string unused;
  for (const std::string& title : header_.columns.unused) {
    if (unused.size() < 200) unused += (unused.empty() ? "" : ", ") + title;
  }
  h.add("unused_columns", input, static_cast<std::int64_t>(header_.columns.unused.size()),
        "columns that this version does not use: " + unused);
  if (truncated) {
    h.add("truncated_input", input, 1,
          "the compressed file ends early: what it held until there is read");
  }
  model::Provenance& from = builder_.profile().provenance;
  from.importer = "vtune_csv";
  from.tool = "vtune";
  from.stacks_recorded = header_.columns.tree != Tree::kNone;
}

}  // namespace rooflab::importers::vtune
