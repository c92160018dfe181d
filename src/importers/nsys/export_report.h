// SPDX-License-Identifier: Apache-2.0
// A closed report (.nsys-rep) made readable by the program that can read it: `nsys export` writes a
// SQLite database into a directory of its own, which goes away with this object.
//
// No shell is started, and nothing of the report's content reaches a command line.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace rooflab::importers::nsys {

class ExportedReport {
 public:
  // `program`: the path of nsys.
  [[nodiscard]] static Result<ExportedReport> make(const std::string& program,
                                                   const std::string& report);
  ExportedReport(ExportedReport&& other) noexcept;
  ExportedReport& operator=(ExportedReport&&) = delete;
  ExportedReport(const ExportedReport&) = delete;
  ExportedReport& operator=(const ExportedReport&) = delete;
  ~ExportedReport();

  [[nodiscard]] std::string database() const { return (directory_ / "report.sqlite").string(); }

 private:
  explicit ExportedReport(std::filesystem::path directory) : directory_(std::move(directory)) {}
  std::filesystem::path directory_;  // empty: moved from
};

}  // namespace rooflab::importers::nsys
