// SPDX-License-Identifier: Apache-2.0
#include "importers/nsys/tally.h"

#include <algorithm>

namespace rooflab::importers::nsys {
namespace {

using model::Claim;

constexpr std::size_t kNamesShown = 8;

struct NoteText {
  std::string_view code, hint;
  Claim forbids;
};

// In the order of enum Note.
constexpr std::array<NoteText, static_cast<std::size_t>(Note::kCount)> kTexts{{
    {"damaged_work_table",
     "Tables of device work that turn unreadable in the middle: work may be missing, so idle time "
     "proves nothing. Export the report again.",
     Claim::kCoverage | Claim::kLinks | Claim::kHostCause},
    {"damaged_table",
     "Tables that turn unreadable in the middle: what the host did may be missing. Export the "
     "report again.",
     Claim::kLinks | Claim::kHostCause},
    {"unusable_work_table",
     "Tables of device work without the columns for times: their work is missing here. Export the "
     "report again with the tool's own columns.",
     Claim::kCoverage},
    {"unusable_table", "Tables without the columns for times or threads; left out.",
     Claim::kHostCause},
    {"dropped_work_no_time",
     "Device work without a usable time is left out: busy time may be too low.", Claim::kCoverage},
    {"dropped_no_time", "Host events without a usable time are left out.", Claim::kHostCause},
    {"wrong_type",
     "Values of the wrong type in the database (text or bytes where a number stands "
     "otherwise); read as missing.",
     Claim::kNothing},
    {"missing_string",
     "Names that the table of strings does not hold; shown as \"(name missing)\".",
     Claim::kNothing},
    {"invalid_utf8", "Text that is not UTF-8; the bad bytes are replaced by U+FFFD.",
     Claim::kNothing},
    {"open_range",
     "Ranges that were still open when the recording stopped; they end with its last event.",
     Claim::kNothing},
    {"graph_as_one",
     "Graph launches recorded as one piece of device work each: the kernels inside are unknown. "
     "Record with --cuda-graph-trace=node to see them.",
     Claim::kNothing},
    {"unknown_enumeration", "Kinds of copies or memory that this version does not know.",
     Claim::kNothing},
    {"device_unnamed",
     "Devices that the export does not describe: their peaks are unknown, so nothing is said about "
     "how near kernels come to them.",
     Claim::kNothing},
    {"scheduler_unpaired", "Scheduler events without their counterpart; left out.",
     Claim::kNothing},
    {"lost_stacks", "Call stacks that belong to no sample; left out.", Claim::kNothing},
    {"unread_tables", "Tables with data that rooflab does not use.", Claim::kNothing},
    {"no_device_activity",
     "The database holds no device activity. Record with --trace=cuda, and export all tables.",
     Claim::kNothing},
    {"no_events", "The file holds no events. Was anything run while the profiler was on?",
     Claim::kNothing},
    {"partial_export",
     "The export was limited to some tables or times, so device work or its causes may be missing. "
     "Export the report again without --tables and --times.",
     Claim::kCoverage},
}};

}  // namespace

void Tally::add(Note note, std::string_view what, std::int64_t count) {
  add(note, count);
  auto& named = named_[static_cast<std::size_t>(note)];
  if (named.size() < kNamesShown && std::find(named.begin(), named.end(), what) == named.end()) {
    named.emplace_back(what);
  }
}

void Tally::report(std::string_view input, model::Hygiene& hygiene) const {
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    if (counts_[i] == 0) continue;
    std::string hint(kTexts[i].hint);
    for (std::size_t n = 0; n < named_[i].size(); ++n) {
      hint += (n == 0 ? " Here: " : ", ") + named_[i][n];
    }
    if (!named_[i].empty()) hint += ".";
    hygiene.add(kTexts[i].code, input, counts_[i], hint, kTexts[i].forbids);
  }
}

}  // namespace rooflab::importers::nsys
