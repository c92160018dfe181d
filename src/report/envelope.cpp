// SPDX-License-Identifier: Apache-2.0
#include "report/envelope.h"

#include <nlohmann/json.hpp>

namespace rooflab::report {

std::string_view to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage:
      return "usage";
    case ErrorCode::kUnreadable:
      return "unreadable";
    case ErrorCode::kUnavailable:
      return "unavailable";
    case ErrorCode::kInconclusive:
      return "inconclusive";
    case ErrorCode::kOutput:
      return "output";
  }
  return "unreadable";
}

Json envelope(std::string_view verb, std::string_view version, Json inputs, Json data,
              const std::vector<Warning>& warnings) {
  Json out = Json::object();
  out["schema"] = "rooflab." + std::string(verb) + "/1";
  out["tool"] = {{"name", "rooflab"}, {"version", std::string(version)}};
  out["inputs"] = std::move(inputs);
  out["data"] = std::move(data);
  out["warnings"] = Json::array();
  for (const Warning& warning : warnings) {
    out["warnings"].push_back(
        {{"message", warning.message}, {"where", warning.where}, {"hint", warning.hint}});
  }
  return out;
}

Json error_json(const Error& error) {
  Json body = {{"code", std::string(to_string(error.code))},
               {"message", error.message},
               {"where", error.where},
               {"hint", error.hint}};
  return {{"error", std::move(body)}};
}

Json input_json(const model::Profile& profile) {
  const model::Provenance& from = profile.provenance;
  Json out = Json::object();
  out["path"] = from.input;
  out["format"] = from.importer;
  out["tool"] = from.tool;
  out["tool_version"] = from.tool_version;
  out["rank"] = profile.rank.rank >= 0 ? Json(profile.rank.rank) : Json(nullptr);
  out["world_size"] = profile.rank.world_size >= 0 ? Json(profile.rank.world_size) : Json(nullptr);
  return out;
}

}  // namespace rooflab::report
