// SPDX-License-Identifier: Apache-2.0
// A recording of tests/data (or any trace), read and analysed like the tool does; a test that needs
// one and cannot read it fails with the reader's words.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "analysis/analysis.h"
#include "importers/importer.h"

namespace rooflab::testing {

struct Recording {
  hw::DeviceCatalog catalog;
  model::Profile profile;
  analysis::Analysis analysis;
};

// Takes the profile and analyses it; false, with a failure, if it cannot be.
inline bool analyse_into(Recording& out, model::Profile profile) {
  auto catalog = hw::DeviceCatalog::load();
  if (!catalog) {
    ADD_FAILURE() << catalog.error().message;
    return false;
  }
  out.catalog = std::move(*catalog);
  out.profile = std::move(profile);
  auto analysis = analysis::analyse(out.profile, out.catalog, {});
  if (!analysis) {
    ADD_FAILURE() << analysis.error().message;
    return false;
  }
  out.analysis = std::move(*analysis);
  return true;
}

// A profile that the test made or cut itself.
inline std::unique_ptr<Recording> analysed_profile(model::Profile profile) {
  auto out = std::make_unique<Recording>();
  return analyse_into(*out, std::move(profile)) ? std::move(out) : nullptr;
}

// Null, with a failure, if it cannot be read. The analysis points into the recording: keep it.
inline std::unique_ptr<Recording> analysed(const std::string& path) {
  auto profile = importers::import_file(path);
  if (!profile) {
    ADD_FAILURE() << path << ": " << profile.error().message;
    return nullptr;
  }
  return analysed_profile(std::move(*profile));
}

}  // namespace rooflab::testing
