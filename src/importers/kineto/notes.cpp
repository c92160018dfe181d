// SPDX-License-Identifier: Apache-2.0
#include "importers/kineto/notes.h"

#include <string>

namespace rooflab::importers::kineto {
namespace {

using model::Claim;

// In the order of enum Note.
constexpr std::array<NoteText, static_cast<std::size_t>(Note::kCount)> kTexts{{
    {"non_finite_number",
     "NaN, Infinity or N/A stood where JSON wants a number; the value is read as missing.",
     Claim::kNothing},
    {"invalid_escape",
     "A name holds a backslash that is no JSON escape (a Windows path?); it is kept as it stands.",
     Claim::kNothing},
    {"unescaped_quote", "A name holds quotes that were not escaped; they are kept as text.",
     Claim::kNothing},
    {"raw_control_character", "A name holds control characters that JSON forbids; they are kept.",
     Claim::kNothing},
    {"invalid_utf8", "Text that is not UTF-8; the bad bytes are replaced by U+FFFD.",
     Claim::kNothing},
    {"string_timestamp", "Times written as text instead of numbers; they are read as numbers.",
     Claim::kNothing},
    {"trailing_comma", "Commas with nothing after them; they are ignored.", Claim::kNothing},
    {"missing_comma", "Events or fields without a comma between them; they are read as two.",
     Claim::kNothing},
    {"duplicate_key", "Events that name a field twice; the last value counts.", Claim::kNothing},
    {"number_out_of_range", "Numbers too large for 64 bits; they are held at the limit.",
     Claim::kNothing},
    {"time_out_of_range",
     "Times too far off for 64 bits of nanoseconds are held at the limit: durations and windows "
     "that they bound are wrong.",
     Claim::kTimes},
    {"deep_nesting", "Values nested deeper than 256 levels; they are read as missing.",
     Claim::kNothing},
    {"bare_word", "Words without quotes where JSON wants a value; they are read as missing.",
     Claim::kNothing},
    {"unclosed_event", "Events whose closing brackets are missing; what they hold is kept.",
     Claim::kNothing},
    {"repaired_event", "Events that are not valid JSON and could be repaired; see the other notes.",
     Claim::kNothing},
    {"dropped_unparsable", "Fragments that could not be read as events and are left out.",
     Claim::kHostCause},
    {"dropped_device_work",
     "Fragments that could not be read and may have been device work: busy time may be too low. "
     "Record again, or repair the file.",
     Claim::kCoverage | Claim::kLinks | Claim::kHostCause},
    {"dropped_no_time", "Host events without a usable time are left out.", Claim::kHostCause},
    {"dropped_work_no_time",
     "Device work without a usable time (0 or none) is left out: busy time may be too low.",
     Claim::kCoverage},
    {"unsupported_phase", "Events of a Chrome-trace phase that carries no time here; left out.",
     Claim::kNothing},
    {"unknown_category", "Events of a category this version does not know; kept as other spans.",
     Claim::kNothing},
    {"resynchronised",
     "The reader lost its place in damaged text and continued at the next event it could find.",
     Claim::kNothing},
    {"truncated_input",
     "The input ends before the trace does (a killed job, a full disk, a partial copy): device "
     "work may be missing, so idle time and causes cannot be concluded. Record again.",
     Claim::kCoverage | Claim::kLinks | Claim::kHostCause},
    {"damaged_compression",
     "The compressed data is damaged or cut behind the end of the trace: nothing is lost.",
     Claim::kNothing},
    {"missing_closing",
     "The closing brackets are missing, but the last event of a recording is "
     "there: nothing is lost.",
     Claim::kNothing},
    {"concatenated_documents", "Several JSON documents in one file; their events are read as one.",
     Claim::kNothing},
    {"trailing_garbage", "Bytes after the end of the document are ignored.", Claim::kNothing},
    {"byte_order_mark", "The file starts with a byte-order mark; it is ignored.", Claim::kNothing},
    {"repaired_header", "Fields outside the events are not valid JSON; some may be missing.",
     Claim::kNothing},
    {"no_events", "The file holds no events. Was anything run while the profiler was on?",
     Claim::kNothing},
    {"python_thread_unknown",
     "Python frames that the recorder could not give a thread stand on a track of their own.",
     Claim::kNothing},
    {"device_index_mismatch",
     "Device work names a device that the file does not describe; the description of the file's "
     "only model is used.",
     Claim::kNothing},
    {"copy_direction_from_call",
     "Copies whose record and launching call name different directions; the call's is used.",
     Claim::kNothing},
}};

}  // namespace

const NoteText& text_of(Note note) { return kTexts[static_cast<std::size_t>(note)]; }

void Notes::merge(const Notes& later) {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (later.entries_[i].count == 0) continue;
    if (entries_[i].count == 0) entries_[i].first_offset = later.entries_[i].first_offset;
    entries_[i].count += later.entries_[i].count;
  }
}

void Notes::report(std::string_view input, model::Hygiene& hygiene) const {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].count == 0) continue;
    std::string hint(kTexts[i].hint);
    if (entries_[i].first_offset >= 0) {
      hint += " First at byte " + std::to_string(entries_[i].first_offset) + ".";
    }
    hygiene.add(kTexts[i].code, input, entries_[i].count, hint, kTexts[i].forbids);
  }
}

}  // namespace rooflab::importers::kineto
