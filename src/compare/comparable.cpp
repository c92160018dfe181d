// SPDX-License-Identifier: Apache-2.0
#include "compare/comparable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/human.h"
#include "compare/noise.h"

namespace rooflab::compare {
namespace {

using analysis::Analysis;

std::string device_name(const Analysis& a) {
  for (const analysis::DeviceAccounting& d : a.accounting.devices) {
    if (d.device.row < a.profile->devices.size()) {
      return std::string(a.profile->text(a.profile->devices[d.device.row].name));
    }
  }
  return {};
}

class Doubts {
 public:
  Doubts(const Analysis& before, const Analysis& after) : a_(before), b_(after) {}

  std::vector<Doubt> find() && {
    trust(a_, "the first run");
    trust(b_, "the second run");
    units();
    device();
    recorder();
    return std::move(out_);
  }

 private:
  void refuse(std::string text) { out_.push_back({true, std::move(text)}); }
  void qualify(std::string text) { out_.push_back({false, std::move(text)}); }

  void trust(const Analysis& a, const std::string& which) {
    if (a.profile->hygiene.forbids(model::Claim::kTimes)) {
      refuse(which + "'s times are not to be trusted (see its hygiene notes)");
    }
    if (a.accounting.devices.empty()) refuse(which + " holds no device work");
    if (!a.window.steady) {
      refuse(which + " is not in steady state: " +
             (a.window.note.empty() ? "its units drift" : a.window.note) +
             "; record more units after the warm-up");
    }
  }

  void units() {
    if (a_.window.unit_count == 0 || b_.window.unit_count == 0) {
      refuse(
          "a run has no units of work: nothing tells that both did the same amount "
          "(--step-range NAME names a range that repeats)");
      return;
    }
    if (a_.units.source != b_.units.source) {
      refuse(fmt::format("the units of work are found in two ways: {} against {}",
                         analysis::to_string(a_.units.source),
                         analysis::to_string(b_.units.source)));
    } else if (a_.units.source == analysis::UnitSource::kKernelPeriod) {
      refuse(
          "neither run marks its steps: the period of its kernels is not known to be the same "
          "work (--step-range NAME)");
    }
    if (std::min(a_.window.unit_count, b_.window.unit_count) < kLeastUnits) {
      qualify("a run has fewer than four units: their noise is not known");
    }
  }

  void device() {
    const std::string a = device_name(a_);
    const std::string b = device_name(b_);
    if (!a.empty() && !b.empty() && a != b) {
      qualify("the devices differ (" + a + " against " + b +
              "): a change may be the device's and not the program's");
    }
    if (a_.accounting.devices.size() != b_.accounting.devices.size()) {
      refuse(fmt::format("{} devices worked in the first run, {} in the second",
                         a_.accounting.devices.size(), b_.accounting.devices.size()));
    }
  }

  void recorder() {
    const model::Provenance& a = a_.profile->provenance;
    const model::Provenance& b = b_.profile->provenance;
    if (a.tool != b.tool && !a.tool.empty() && !b.tool.empty()) {
      qualify("two tools recorded them (" + a.tool + ", " + b.tool + "): their cost differs");
    } else if (a.shapes_recorded != b.shapes_recorded || a.stacks_recorded != b.stacks_recorded ||
               a.memory_recorded != b.memory_recorded ||
               a.host_ops_recorded != b.host_ops_recorded) {
      qualify("the recorder was set differently: its cost on the host differs");
    }
  }

  const Analysis& a_;
  const Analysis& b_;
  std::vector<Doubt> out_;
};

}  // namespace

std::vector<Doubt> doubts(const Analysis& before, const Analysis& after) {
  return Doubts(before, after).find();
}

}  // namespace rooflab::compare
