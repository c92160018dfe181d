// SPDX-License-Identifier: Apache-2.0
#include "importers/json/whole_text.h"

#include <algorithm>

#include "importers/json/close_json.h"
#include "importers/kineto/text.h"

namespace rooflab::importers::json {
namespace {

// simdjson addresses a document with 32 bits.
constexpr std::size_t kMaxBytes = 0xFFFFFF00U;
constexpr std::size_t kStep = std::size_t{1} << 20U;

Result<std::string> read_all(ByteSource& source, const std::string& path) {
  std::string text;
  for (;;) {
    const std::size_t before = text.size();
    text.resize(before + kStep);
    RL_TRY(const std::size_t got, source.read({text.data() + before, kStep}));
    text.resize(before + got);
    if (got == 0) return text;
    if (text.size() > kMaxBytes) {
      return fail(ErrorCode::kUnreadable, "more than 4 GB of JSON cannot be read", path,
                  "record a shorter part of the run");
    }
  }
}

void mend_utf8(std::string& text, const std::string& path, model::Hygiene& hygiene) {
  kineto::Notes notes;
  std::string mended;
  mended.reserve(text.size());
  kineto::append_valid_utf8(text, mended, notes);
  text = std::move(mended);
  hygiene.add("invalid_utf8", path, notes.count(kineto::Note::kInvalidUtf8),
              "bytes that are no UTF-8 were replaced; harmless");
}

}  // namespace

Result<std::string> whole_text(ByteSource& source, const std::string& path,
                               model::Hygiene& hygiene) {
  RL_TRY(std::string text, read_all(source, path));
  text.erase(0, std::min(text.find_first_of("{["), text.size()));  // a byte-order mark
  const Closed closed = close_json(text);
  if (closed == Closed::kHopeless) {
    return fail(ErrorCode::kUnreadable,
                "this is no JSON, or it was cut off before its first record", path,
                "record it again");
  }
  hygiene.add("truncated_input", path, closed == Closed::kRepaired ? 1 : 0,
              "the file ends inside a record; what stood after it is missing",
              model::Claim::kCoverage);
  return text;
}

Result<simdjson::dom::element> parse(simdjson::dom::parser& parser, std::string& text,
                                     const std::string& path, model::Hygiene& hygiene) {
  simdjson::dom::element document;
  const auto attempt = [&] {
    const std::size_t size = text.size();
    text.append(simdjson::SIMDJSON_PADDING, ' ');  // read, and without meaning
    const auto error = parser.parse(text.data(), size, false).get(document);
    text.resize(size);
    return error;
  };
  simdjson::error_code error = attempt();
  if (error == simdjson::UTF8_ERROR) {
    mend_utf8(text, path, hygiene);
    error = attempt();
  }
  if (error == simdjson::SUCCESS) return document;
  return fail(ErrorCode::kUnreadable,
              std::string("the JSON is damaged: ") + simdjson::error_message(error), path,
              "record it again, or export it in another form");
}

}  // namespace rooflab::importers::json
