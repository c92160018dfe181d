// SPDX-License-Identifier: Apache-2.0
// Builds all tables of one profile in the order in which they need each other.
#include "analysis/analysis.h"

#include <algorithm>

namespace rooflab::analysis {
namespace {

// A filter that names what the file does not have is a mistake on the command line, not an empty
// result.
Result<void> check_filters(const model::Profile& p, const Selection& selection) {
  if (selection.device) {
    const bool known = std::any_of(p.devices.begin(), p.devices.end(), [&](const model::Device& d) {
      return d.index == *selection.device;
    });
    if (!known) {
      std::string hint = "the file has devices";
      for (const model::Device& d : p.devices) hint += " " + std::to_string(d.index);
      if (p.devices.empty()) hint = "the file has no device";
      return fail(ErrorCode::kUsage,
                  "there is no device " + std::to_string(*selection.device) + " in this file",
                  "--device", hint);
    }
  }
  if (!selection.stream) return {};
  const bool known = std::any_of(p.tracks.begin(), p.tracks.end(), [&](const model::Track& t) {
    return t.kind == model::TrackKind::kStream && t.stream == *selection.stream;
  });
  if (known) return {};
  return fail(ErrorCode::kUsage,
              "there is no stream " + std::to_string(*selection.stream) + " in this file",
              "--stream", "`rooflab info` lists the streams");
}

Result<Analysis> analyse_all(const model::Profile& profile, const hw::DeviceCatalog& catalog,
                             const Selection& selection, const model::Job* job, std::size_t place) {
  RL_CHECK_OK(check_filters(profile, selection));
  Analysis out;
  out.profile = &profile;
  out.selection = selection;
  out.job = job;
  out.place = place;
  out.tree = build_host_tree(profile);
  out.classes = classify_kernels(profile);
  out.ops = ops_of_work(profile, out.tree);
  out.units = find_units(profile, out.tree, out.classes, selection);
  RL_TRY(out.window, choose_window(profile, out.units, selection));
  if (!selection.step_range.empty() && out.units.units.empty()) {
    return fail(ErrorCode::kUsage, "no range is named " + selection.step_range, "--step-range",
                "`rooflab info` lists the ranges");
  }
  std::vector<LastStart> last_starts;
  if (job != nullptr) last_starts = last_starts_of(*job, place);
  out.accounting = account(profile, out.tree, out.classes, out.units, out.window, selection,
                           /*whole_trace=*/false, last_starts);
  out.metrics = device_metrics(profile, out.classes);
  for (const DeviceAccounting& d : out.accounting.devices) {
    add_copies(copies_between(profile, out.classes, d.device, d.window.start, d.window.end,
                              selection.stream),
               out.copies);
  }
  out.blocking = blocking_calls(profile, out.tree, out.accounting);
  out.kernels = kernel_table(profile, out.classes, out.ops, out.window, catalog);
  if (out.kernels.device.valid()) {
    const model::Device& device = profile.devices[out.kernels.device.row];
    out.hardware = catalog.find(profile.text(device.name), device.multiprocessors);
  }
  out.faults = find_kernel_faults(out, catalog);
  out.counters = kernel_counters(profile, out.classes, out.ops, out.window, catalog);
  return out;
}

}  // namespace

Result<Analysis> analyse(const model::Profile& profile, const hw::DeviceCatalog& catalog,
                         const Selection& selection) {
  return analyse_all(profile, catalog, selection, nullptr, 0);
}

Result<Analysis> analyse_rank(const model::Profile& profile, const hw::DeviceCatalog& catalog,
                              const Selection& selection, const model::Job& job,
                              std::size_t place) {
  return analyse_all(profile, catalog, selection, &job, place);
}

}  // namespace rooflab::analysis
