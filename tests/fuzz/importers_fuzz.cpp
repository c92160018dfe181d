// SPDX-License-Identifier: Apache-2.0
// Any bytes through every importer that claims them: no crash, no hang, no out-of-bounds handle.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/io/byte_source.h"
#include "importers/importer.h"

namespace {

using rooflab::model::Profile;

void check_handles(const Profile& p) {
  for (std::size_t i = 0; i < p.work.size(); ++i) {
    CHECK(p.work.track[i].row < p.tracks.size(), "work stands on a track");
    CHECK(p.work.duration[i] >= 0, "the builder has removed negative durations");
    CHECK(!p.work.launch[i].valid() || p.work.launch[i].row < p.spans.size(), "launch is a span");
  }
  for (std::size_t i = 0; i < p.spans.size(); ++i) {
    CHECK(p.spans.track[i].row < p.tracks.size(), "a span stands on a track");
    CHECK(p.spans.duration[i] >= 0, "the builder has removed negative durations");
  }
  for (std::size_t i = 0; i < p.measured.size(); ++i) {
    CHECK(p.measured.device[i].row < p.devices.size(), "a measured launch is on a device");
    CHECK(p.measured.config[i].row < p.launch_configs.size(), "a measured launch has sizes");
  }
  for (std::size_t i = 0; i < p.metrics.size(); ++i)
    CHECK(p.metrics.launch[i].row < p.measured.size(), "a counter is of a measured launch");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const rooflab::importers::Importer& importer : rooflab::importers::all_importers()) {
    std::string head;
    const std::unique_ptr<rooflab::ByteSource> source =
        rooflab::with_head(rooflab::memory_source(bytes), std::size_t{64} << 10U, head);
    if (importer.sniff({head, "fuzz"}) == 0) continue;
    rooflab::importers::ImportOptions options;
    options.threads = 1;
    const auto profile = importer.read(*source, "fuzz", options);
    if (profile) check_handles(*profile);
  }
  return 0;
}
