// SPDX-License-Identifier: Apache-2.0
// All tables of one profile, built once and handed to rules and report. Pure: no I/O, no clock.
#pragma once

#include <vector>

#include "analysis/accounting.h"
#include "analysis/blocking_calls.h"
#include "analysis/host_tree.h"
#include "analysis/kernel_class.h"
#include "analysis/kernel_counters.h"
#include "analysis/kernel_faults.h"
#include "analysis/kernel_table.h"
#include "analysis/metrics.h"
#include "analysis/op_table.h"
#include "analysis/selection.h"
#include "analysis/units.h"
#include "base/result.h"
#include "hw/device_catalog.h"
#include "model/job.h"
#include "model/profile.h"

namespace rooflab::analysis {

struct RankComparison;  // analysis/rank_comparison.h

struct Analysis {
  const model::Profile* profile = nullptr;
  const hw::DeviceEntry* hardware =
      nullptr;  // the catalogue entry of the device in `kernels`; null = unknown
  Selection selection;
  HostTree tree;
  KernelClasses classes;
  std::vector<model::SpanId> ops;  // by work row
  Units units;
  Window window;
  Accounting accounting;
  Metrics metrics;
  std::vector<CopyGroup> copies;  // that start inside the window; `metrics` covers the whole file
  BlockingCalls blocking;
  KernelTable kernels;
  KernelFaults faults;      // of the whole file
  KernelCounters counters;  // of launches that were measured alone
  // Where the other ranks' files are given: the job, this profile's place in it, and how its ranks
  // compare (set once all of them are analysed). Null for one file.
  const model::Job* job = nullptr;
  std::size_t place = 0;
  const RankComparison* ranks = nullptr;
};

// The profile must outlive the result. Error: a filter selects nothing.
[[nodiscard]] Result<Analysis> analyse(const model::Profile& profile,
                                       const hw::DeviceCatalog& catalog,
                                       const Selection& selection);
// The same for the rank at `place` of a job, which must outlive the result: what its collectives
// waited for other ranks is told from transfer.
[[nodiscard]] Result<Analysis> analyse_rank(const model::Profile& profile,
                                            const hw::DeviceCatalog& catalog,
                                            const Selection& selection, const model::Job& job,
                                            std::size_t place);

}  // namespace rooflab::analysis
