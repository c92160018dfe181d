// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "base/human.h"
#include "cli/programs.h"
#include "hw/data.h"

namespace rooflab::cli {
namespace {

using report::Json;

std::string text_of(const Json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// By the loader's own search, as a program would find it; closed again at once.
bool library_loads(const std::string& name) {
  void* handle = dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (handle == nullptr) return false;
  dlclose(handle);
  return true;
}

// The first of the check's names that is there; empty if none is.
std::string find_any(const Json& check) {
  const std::string kind = text_of(check, "kind");
  const auto names = check.find("names");
  if (names == check.end() || !names->is_array()) return {};
  for (const Json& entry : *names) {
    const std::string name = entry.is_string() ? entry.get<std::string>() : "";
    std::error_code ignored;
    if (kind == "library" && library_loads(name)) return name;
    if (kind == "path" && std::filesystem::exists(name, ignored)) return name;
    if (kind == "tool") {
      if (const std::string found = find_program(name); !found.empty()) return found;
    }
  }
  return {};
}

// A kernel setting is good up to a value: perf_event_paranoid 1 or less.
std::vector<report::Cell> setting_row(const Json& check) {
  const std::string value = first_line(text_of(check, "file"));
  const long most = check.value("most", 0L);
  const bool good = !value.empty() && std::strtol(value.c_str(), nullptr, 10) <= most;
  const std::string state = value.empty() ? "absent" : (good ? "yes, " : "no, ") + value;
  return {text_of(check, "id"), state, text_of(check, "gives"),
          good ? std::string() : text_of(check, "enable")};
}

std::vector<report::Cell> check_row(const Json& check) {
  if (text_of(check, "kind") == "setting") return setting_row(check);
  const std::string found = find_any(check);
  return {text_of(check, "id"), found.empty() ? std::string("no") : "yes, " + found,
          text_of(check, "gives"), found.empty() ? text_of(check, "enable") : std::string()};
}

std::int64_t memory_bytes() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long size = sysconf(_SC_PAGE_SIZE);
  return pages > 0 && size > 0 ? static_cast<std::int64_t>(pages) * size : 0;
}

}  // namespace

report::Table examine_machine() {
  report::Table t;
  t.id = "doctor";
  t.columns = {{"check", "what", report::Unit::kText},
               {"state", "here", report::Unit::kText},
               {"gives", "gives", report::Unit::kText},
               {"enable", "how to get it", report::Unit::kText}};
  t.rows.push_back({std::string("cores"), std::to_string(std::thread::hardware_concurrency()),
                    std::string("parallel reading"), std::string()});
  t.rows.push_back({std::string("memory"), human_bytes(Bytes(memory_bytes())),
                    std::string("about 200 bytes an event"), std::string()});
  const std::string_view text = hw::shipped_text("doctor.json");
  const Json json = Json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
  if (json.is_object() && json.contains("checks")) {
    for (const Json& check : json["checks"]) t.rows.push_back(check_row(check));
  }
  t.notes = {"why, info, top, import and export need none of these: they work on files alone"};
  return t;
}

}  // namespace rooflab::cli
