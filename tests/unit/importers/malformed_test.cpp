// SPDX-License-Identifier: Apache-2.0
// Damage of every kind seen in real traces, done to a recording: what comes back, what is counted,
// what may no longer be concluded. The damaged files are made here from one recording of six GEMMs:
// 12 device works, 40 spans.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "support/cases.h"
#include "support/profiles.h"

namespace rooflab::importers {
namespace {

using model::Claim;

constexpr std::size_t kWork = 12;
constexpr std::size_t kSpans = 40;

const std::string& recording() {
  static const std::string text =
      testing::text_of_file(testing::test_data("h200/gemm_aligned.json.gz"));
  return text;
}

// Replaces the nth occurrence (from 0) of `from`; the test fails if there is none.
std::string replaced(std::string text, const std::string& from, const std::string& to,
                     int nth = 0) {
  std::size_t at = text.find(from);
  for (; nth > 0 && at != std::string::npos; --nth) at = text.find(from, at + 1);
  if (at == std::string::npos) {
    ADD_FAILURE() << "the recording does not hold " << from;
    return text;
  }
  return text.replace(at, from.size(), to);
}

std::string cut_at(const std::string& text, const std::string& where, std::size_t plus = 0) {
  const std::size_t at = text.find(where);
  EXPECT_NE(at, std::string::npos) << where;
  return text.substr(0, at + plus);
}

// Start and end of the nth event of a category.
std::pair<std::size_t, std::size_t> event_at(const std::string& text, const std::string& category,
                                             int nth = 0) {
  std::size_t at = text.find("\"cat\": \"" + category + "\"");
  for (; nth > 0; --nth) at = text.find("\"cat\": \"" + category + "\"", at + 1);
  return {text.rfind('{', at), text.find("\n  }", at) + 4};
}

std::string in_event(const std::string& category, const std::string& from, const std::string& to) {
  std::string text = recording();
  const auto [begin, end] = event_at(text, category);
  return text.substr(0, begin) + replaced(text.substr(begin, end - begin), from, to) +
         text.substr(end);
}

struct Case {
  const char* name;
  std::function<std::string()> make;
  std::size_t work = kWork, spans = kSpans;
  std::map<std::string, std::int64_t> notes = {};  // codes of damage expected, with their counts
  bool conclusive = true;                          // all device work is known to be there
};

// Codes that the undamaged recording has too.
bool is_damage(const std::string& code) { return code != "out_of_order"; }

const std::string kSecondName = "\"name\": \"aten::mm\"";

std::vector<Case> cases() {
  const auto& text = recording;
  std::vector<Case> all{
      {"undamaged", [&] { return text(); }},
      // ---- the end is missing
      {"no_closing_brace",
       [&] { return text().substr(0, text().rfind('}')); },
       kWork,
       kSpans,
       {{"missing_closing", 1}}},
      {"no_closing_bracket",
       [&] { return cut_at(text(), "\n  ],\n  \"traceName\""); },
       kWork,
       kSpans,
       {{"missing_closing", 1}}},
      {"cut_before_the_last_event",
       [&] { return cut_at(text(), ",\n  {\n    \"name\": \"Record Window End\""); },
       kWork,
       kSpans,
       {{"truncated_input", 1}},
       false},
      {"cut_after_a_comma",
       [&] { return cut_at(text(), "\n  {\n    \"name\": \"Record Window End\""); },
       kWork,
       kSpans,
       {{"truncated_input", 1}},
       false},
      {"cut_in_an_event",
       [&] { return text().substr(0, event_at(text(), "kernel", 3).first + 60); },
       7,
       26,
       {{"truncated_input", 1}},
       false},
      {"cut_in_a_key",
       [&] { return cut_at(text(), kSecondName, 3); },
       0,
       2,
       {{"truncated_input", 1}},
       false},
      {"cut_in_a_string",
       [&] { return cut_at(text(), kSecondName, 14); },
       0,
       2,
       {{"truncated_input", 1}},
       false},
      {"cut_in_a_number",
       [&] { return cut_at(text(), "\"dur\": 3840.766", 10); },
       0,
       1,
       {{"truncated_input", 1}},
       false},
      {"cut_in_args",
       [&] { return cut_at(text(), "\"Input type\"", 20); },
       0,
       1,
       {{"truncated_input", 1}},
       false},
      {"cut_after_an_escape",
       [&] { return cut_at(text(), kSecondName, 13) + "\\"; },
       0,
       2,
       {{"truncated_input", 1}},
       false},
      {"only_the_header",
       [&] { return cut_at(text(), "\"traceEvents\": [", 16); },
       0,
       0,
       {{"truncated_input", 1}, {"no_events", 1}},
       false},
      // ---- numbers that JSON does not have
      {"nan_in_args",
       [&] { return in_event("kernel", "\"queued\": 0", "\"queued\": NaN"); },
       kWork,
       kSpans,
       {{"repaired_event", 1}, {"non_finite_number", 1}}},
      {"inf_in_args",
       [&] { return in_event("kernel", "\"queued\": 0", "\"queued\": inf"); },
       kWork,
       kSpans,
       {{"repaired_event", 1}, {"non_finite_number", 1}}},
      {"minus_inf",
       [&] { return in_event("kernel", "\"queued\": 0", "\"queued\": -inf"); },
       kWork,
       kSpans,
       {{"repaired_event", 1}, {"non_finite_number", 1}}},
      {"infinity",
       [&] { return in_event("kernel", "\"queued\": 0", "\"queued\": Infinity"); },
       kWork,
       kSpans,
       {{"repaired_event", 1}, {"non_finite_number", 1}}},
      {"not_available",
       [&] { return in_event("kernel", "\"queued\": 0", "\"queued\": N/A"); },
       kWork,
       kSpans,
       {{"repaired_event", 1}, {"non_finite_number", 1}}},
      {"nan_as_duration",
       [&] { return in_event("cpu_op", "\"dur\": 3840.766", "\"dur\": nan"); },
       kWork,
       kSpans,
       {{"repaired_event", 1}, {"non_finite_number", 1}, {"zero_duration_host", 1}}},
      {"python_words",
       [&] { return in_event("kernel", "\"queued\": 0", "\"queued\": None"); },
       kWork,
       kSpans,
       {{"repaired_event", 1}, {"bare_word", 1}}},
      {"huge_number",
       [&] { return in_event("cpu_op", "\"dur\": 3840.766", "\"dur\": 1e300"); },
       kWork,
       kSpans,
       {{"time_out_of_range", 1}, {"time_too_large", 1}}},
      {"huge_integer",
       [&] {
         return in_event("kernel", "\"correlation\": ", "\"correlation\": 99999999999999999999");
       },
       kWork,
       kSpans,
       {{"number_out_of_range", 1}, {"unlinked_work", 1}}},
      {"string_times",
       [&] {
         return in_event("cpu_op", "\"ts\": 5193885079526.606", "\"ts\": \"5193885079526.606\"");
       },
       kWork,
       kSpans,
       {{"string_timestamp", 1}}},
      {"no_time_on_work",
       [&] { return in_event("kernel", "\"ts\":", "\"tz\":"); },
       kWork - 1,
       kSpans,
       {{"dropped_work_no_time", 1}},
       false},
      {"no_time_on_the_host",
       [&] { return in_event("cpu_op", "\"ts\":", "\"tz\":"); },
       kWork,
       kSpans - 1,
       {{"dropped_no_time", 1}}},
      {"time_that_is_no_number",
       [&] { return in_event("kernel", "\"ts\": ", "\"ts\": null, \"was\": "); },
       kWork - 1,
       kSpans,
       {{"dropped_work_no_time", 1}},
       false},
      // ---- text that is not JSON
      {"raw_newline_in_a_name",
       [&] { return replaced(text(), kSecondName, "\"name\": \"aten\n::mm\""); },
       kWork,
       kSpans,
       {{"repaired_event", 1}, {"raw_control_character", 1}}},
      {"raw_tab_and_bell",
       [&] { return replaced(text(), kSecondName, "\"name\": \"a\tb\x07\""); },
       kWork,
       kSpans,
       {{"repaired_event", 1}, {"raw_control_character", 1}}},
      {"zero_byte_in_a_name",
       [&] { return replaced(text(), kSecondName, std::string("\"name\": \"a\0b\"", 13)); },
       kWork,
       kSpans,
       {{"repaired_event", 1}, {"raw_control_character", 1}}},
      {"quotes_in_a_name",
       [&] { return replaced(text(), kSecondName, "\"name\": \"the \"best\" op\""); },
       kWork,
       kSpans,
       {{"repaired_event", 1}, {"unescaped_quote", 1}}},
      {"one_quote_in_a_name",
       [&] { return replaced(text(), kSecondName, "\"name\": \"5\" disk\""); },
       kWork,
       kSpans,
       {{"repaired_event", 1}, {"unescaped_quote", 1}}},
      {"one_quote_in_a_kernel",
       [&] { return in_event("kernel", "\"name\": \"", "\"name\": \"a\"b<{x}>["); },
       kWork,
       kSpans,
       {{"repaired_event", 1}, {"unescaped_quote", 1}}},
      {"windows_path",
       [&] { return replaced(text(), kSecondName, R"("name": "C:\Users\x.py(3): f")"); },
       kWork,
       kSpans,
       {{"invalid_escape", 2}}},
      {"windows_directory",
       [&] { return replaced(text(), kSecondName, R"("name": "C:\Users\")"); },
       kWork,
       kSpans,
       {{"repaired_event", 1}, {"invalid_escape", 1}}},
      {"invalid_utf8",
       [&] { return replaced(text(), kSecondName, "\"name\": \"caf\xE9 \xFF\""); },
       kWork,
       kSpans,
       {{"invalid_utf8", 1}}},
      {"lone_surrogate",
       [&] { return replaced(text(), kSecondName, R"("name": "a\ud800b")"); },
       kWork,
       kSpans,
       {{"invalid_utf8", 1}}},
      // ---- commas and brackets
      {"trailing_comma_in_args",
       [&] { return in_event("kernel", "\"queued\": 0,", "\"queued\": 0,,"); },
       kWork,
       kSpans,
       {{"repaired_event", 1}, {"trailing_comma", 1}}},
      {"trailing_comma_in_the_list",
       [&] { return replaced(text(), "\n  ],\n  \"traceName\"", ",\n  ],\n  \"traceName\""); },
       kWork,
       kSpans,
       {{"trailing_comma", 1}}},
      {"two_commas_between_events",
       [&] { return replaced(text(), "},\n  {", "},,\n  {"); },
       kWork,
       kSpans,
       {{"trailing_comma", 1}}},
      {"no_comma_between_events",
       [&] { return replaced(text(), "},\n  {", "}\n  {"); },
       kWork,
       kSpans,
       {{"missing_comma", 1}}},
      {"no_comma_between_fields",
       [&] { return replaced(text(), "\"pid\": 467, \"tid\"", "\"pid\": 467 \"tid\""); },
       kWork,
       kSpans,
       {{"repaired_event", 1}, {"missing_comma", 1}}},
      {"args_not_closed",
       [&] { return replaced(text(), "\"Ev Idx\": 1\n    }\n  }", "\"Ev Idx\": 1\n    }\n  "); },
       kWork,
       kSpans,
       {{"repaired_event", 1}, {"unclosed_event", 1}}},
      {"text_between_events",
       [&] { return replaced(text(), "},\n  {", "},\n  oops,\n  {"); },
       kWork,
       kSpans,
       {{"dropped_unparsable", 1}}},
      {"event_that_is_no_object",
       [&] { return replaced(text(), "},\n  {", "},\n  null,\n  {"); },
       kWork,
       kSpans,
       {{"dropped_unparsable", 1}}},
      {"hopeless_host_event",
       [&] { return in_event("cpu_op", "\"tid\": 467,", "\"tid\" 467"); },
       kWork,
       kSpans - 1,
       {{"dropped_unparsable", 1}}},
      {"hopeless_kernel",
       [&] { return in_event("kernel", "\"tid\": 7,", "\"tid\" 7"); },
       kWork - 1,
       kSpans,
       {{"dropped_device_work", 1}},
       false},
      {"deep_nesting",
       [&] {
         return in_event("kernel", "\"queued\": 0",
                         "\"queued\": " + std::string(100000, '[') + std::string(100000, ']'));
       },
       kWork,
       kSpans,
       {{"repaired_event", 1}, {"deep_nesting", 1}}},
      {"duplicate_keys",
       [&] { return in_event("kernel", "\"queued\": 0", "\"device\": 0"); },
       kWork,
       kSpans,
       {{"duplicate_key", 1}}},
      // ---- around the events
      {"byte_order_mark",
       [&] { return "\xEF\xBB\xBF" + text(); },
       kWork,
       kSpans,
       {{"byte_order_mark", 1}}},
      {"second_document",
       [&] { return text() + "\n" + text(); },
       2 * kWork,
       2 * kSpans,
       {{"concatenated_documents", 1}, {"duplicate_correlation", 14}, {"stream_overlap", 12}}},
      {"garbage_after_the_end",
       [&] { return text() + "\nhello"; },
       kWork,
       kSpans,
       {{"trailing_garbage", 1}}},
      {"windows_path_in_the_header",
       [&] { return replaced(text(), "\"schemaVersion\": 1,", R"("dir": "C:\tmp\", "a": 1,)"); },
       kWork,
       kSpans,
       {{"repaired_header", 1}}},
      {"nan_in_the_header",
       [&] { return replaced(text(), "\"schemaVersion\": 1,", "\"v\": NaN,"); },
       kWork,
       kSpans,
       {}},
      {"broken_device_properties",
       [&] { return replaced(text(), "\"numSms\": 132", "\"numSms\": inf"); },
       kWork,
       kSpans,
       {{"non_finite_number", 1}}},
      {"damage_after_the_events",
       [&] { return replaced(text(), "\"traceName\": ", "\"traceName\" "); },
       kWork,
       kSpans,
       {{"repaired_header", 1}, {"missing_closing", 1}}},
  };
  return all;
}

std::string describe(const std::map<std::string, std::int64_t>& notes) {
  std::string out;
  for (const auto& [code, count] : notes) out += code + "=" + std::to_string(count) + " ";
  return out;
}

TEST(Malformed, RecoversWhatItCanAndCountsTheRest) {
  const std::vector<Case> all = cases();
  EXPECT_GE(all.size(), 40U);
  for (const Case& c : all) {
    SCOPED_TRACE(c.name);
    const Result<model::Profile> p = testing::import_text(c.make());
    ASSERT_TRUE(p.has_value()) << p.error().message;
    EXPECT_EQ(p->work.size(), c.work);
    EXPECT_EQ(p->spans.size(), c.spans);
    std::map<std::string, std::int64_t> notes;
    for (const model::HygieneNote& note : p->hygiene.notes()) {
      EXPECT_FALSE(note.hint.empty()) << note.code;
      if (is_damage(note.code)) notes[note.code] += note.count;
    }
    EXPECT_EQ(describe(notes), describe(c.notes));
    EXPECT_EQ(!p->hygiene.forbids(Claim::kCoverage), c.conclusive);
  }
}

TEST(Malformed, RepairedTextIsWhatWasMeant) {
  const auto names = [](const std::string& text) {
    std::vector<std::string> out;
    const Result<model::Profile> p = testing::import_text(text);
    for (std::size_t i = 0; p && i < p->spans.size(); ++i) {
      out.emplace_back(p->text(p->spans.name[i]));
    }
    return out;
  };
  const auto holds = [&](const std::string& replacement, const std::string& name) {
    const auto all = names(replaced(recording(), kSecondName, "\"name\": \"" + replacement + "\""));
    EXPECT_NE(std::find(all.begin(), all.end(), name), all.end()) << replacement;
  };
  holds("the \"best\" op", "the \"best\" op");
  holds("5\" disk", "5\" disk");
  holds(R"(C:\Users\)", R"(C:\Users\)");
  holds(R"(C:\Users\x.py)", R"(C:\Users\x.py)");
  holds("a\nb", "a\nb");
  holds("caf\xE9", "caf\xEF\xBF\xBD");
  holds(R"(\u00e9 \"quoted\" \\)", "\xC3\xA9 \"quoted\" \\");
}

TEST(Malformed, InputsThatAreNoTraceAreErrorsWithAHint) {
  for (const char* text : {"", "   ", "hello", "{}", "{\"a\": 1}", "{\"traceEvents\": 5}", "\x1f",
                           "null", "{\"traceEvents\"", "{\"never closed", "5", "\"text\""}) {
    const Result<model::Profile> p = testing::import_text(text);
    ASSERT_FALSE(p.has_value()) << text;
    EXPECT_EQ(p.error().code, ErrorCode::kUnreadable);
    EXPECT_FALSE(p.error().hint.empty());
  }
}

TEST(Malformed, AnEmptyListIsATraceWithoutEvents) {
  for (const char* text : {"[]", "{\"traceEvents\": []}", "{\"traceEvents\":[ ] , \"a\": 1}"}) {
    const Result<model::Profile> p = testing::import_text(text);
    ASSERT_TRUE(p.has_value()) << text;
    EXPECT_EQ(p->hygiene.count("no_events"), 1) << text;
    EXPECT_EQ(p->hygiene.count("truncated_input"), 0) << text;
  }
}

// Text made to cost much: it must not cost more than in proportion to its length.
TEST(Malformed, HostileTextTakesLinearTime) {
  const auto times = [](const std::string& piece, std::size_t bytes) {
    std::string out;
    while (out.size() < bytes) out += piece;
    return out;
  };
  constexpr std::size_t kBytes = std::size_t{3} << 20U;
  const std::string event =
      R"({"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":1})";
  for (const std::string& text :
       {"[" + times("x]" + event + ",", kBytes), times("[]", kBytes),
        times("[" + event + "]x", kBytes), "{\"traceEvents\":[" + times(event + "}", kBytes),
        "[" + times("{", kBytes), "[" + times(",{\"ph\":[", kBytes),
        "[" + times(",{\"ph\":\"", kBytes), "[" + times("\"", kBytes),
        times("{\"traceEvents\":[{\"name\":\"", kBytes), "{\"a\":" + times("[", kBytes),
        "[{\"name\":\"" + times("\\", kBytes), "{\"a\":\"" + times("\", ", kBytes)}) {
    const Result<model::Profile> p = testing::import_text(text);
    if (!p) {
      EXPECT_FALSE(p.error().hint.empty()) << text.substr(0, 40);
      continue;
    }
    EXPECT_FALSE(p->hygiene.empty()) << text.substr(0, 40);
  }
}

// Every place to cut: never a crash, never silence, and never fewer events with more text.
TEST(Malformed, EveryCutIsSaid) {
  const std::string& text = recording();
  const std::size_t begin = text.find("\"traceEvents\": [") + 16;
  const std::size_t end = text.find("\n  ],\n  \"traceName\"");
  std::size_t before = 0;
  for (std::size_t at = begin; at < end; at += 101) {
    const Result<model::Profile> p = testing::import_text(text.substr(0, at));
    ASSERT_TRUE(p.has_value()) << at;
    ASSERT_EQ(p->hygiene.count("truncated_input"), 1) << at;
    ASSERT_TRUE(p->hygiene.forbids(Claim::kCoverage)) << at;
    const std::size_t rows = p->work.size() + p->spans.size();
    ASSERT_GE(rows, before) << at;
    before = rows;
  }
  EXPECT_EQ(before, kWork + kSpans);
}

}  // namespace
}  // namespace rooflab::importers
