// SPDX-License-Identifier: Apache-2.0
#include "verdict/limit.h"

#include <algorithm>
#include <array>
#include <map>

#include "analysis/owner_totals.h"

namespace rooflab::verdict {
namespace {

struct BranchLimit {
  std::string_view branch;
  Limit limit;
};
// First match wins. Copies inside one device move its own memory; all others cross a link.
constexpr std::array<BranchLimit, 12> kBranches{{
    {"idle.starved.input", Limit::kInput},
    {"idle.starved.sync", Limit::kSync},
    {"idle.starved.framework", Limit::kLaunch},
    {"idle.starved", Limit::kHost},
    {"idle.in_call", Limit::kLaunch},
    {"idle.dispatch", Limit::kLaunch},
    {"idle.graph", Limit::kLaunch},
    {"copy.exposed.d2d", Limit::kMemory},
    {"copy", Limit::kTransfer},
    {"comm.exposed.wait", Limit::kStraggler},
    {"comm", Limit::kComm},
    {"memset", Limit::kMemory},
}};

Limit limit_of_roof(analysis::Roof roof) {
  switch (roof) {
    case analysis::Roof::kMemory:
      return Limit::kMemory;
    case analysis::Roof::kCompute:
      return Limit::kCompute;
    case analysis::Roof::kLatency:
      return Limit::kLatency;
    case analysis::Roof::kUnknown:
      return Limit::kDevice;
  }
  return Limit::kDevice;
}

class Shares {
 public:
  void add(Limit limit, double ratio, const std::string& owner) {
    if (!(ratio > 0)) return;
    auto it = std::find_if(rows_.begin(), rows_.end(),
                           [&](const Row& r) { return r.share.limit == limit; });
    if (it == rows_.end())
      it = rows_.insert(rows_.end(), Row{LimitShare{limit, Ratio{}, owner, Ratio{}}, {}});
    it->share.ratio.value += ratio;
    double& sum = it->owners[owner];
    sum += ratio;
    if (sum > it->share.owner_ratio.value) {
      it->share.owner = owner;
      it->share.owner_ratio = Ratio{sum};
    }
  }
  [[nodiscard]] std::vector<LimitShare> sorted() {
    std::stable_sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) {
      return a.share.ratio.value > b.share.ratio.value;
    });
    std::vector<LimitShare> out;
    for (Row& row : rows_) out.push_back(std::move(row.share));
    return out;
  }

 private:
  struct Row {
    LimitShare share;
    std::map<std::string, double> owners;
  };
  std::vector<Row> rows_;
};

// compute.* divides as the kernel time of the window does among the roofs that bind. Collectives
// and blit copies stand in the kernel table too, but not in compute.*.
void add_compute(const analysis::Analysis& a, Ratio compute, Shares& shares) {
  const auto counts = [](const analysis::KernelRow& row) {
    return row.kernel_class < analysis::KernelClass::kComm;
  };
  Nanos total;
  for (const analysis::KernelRow& row : a.kernels.rows) {
    if (counts(row)) total += row.sum;
  }
  if (total.value <= 0) {
    shares.add(Limit::kDevice, compute.value, "compute");
    return;
  }
  for (const analysis::KernelRow& row : a.kernels.rows) {
    if (!counts(row)) continue;
    const std::string owner = "compute." + std::string(analysis::to_string(row.kernel_class));
    shares.add(limit_of_roof(row.limit), compute.value * ratio_of(row.sum, total).value, owner);
  }
}

}  // namespace

std::optional<Limit> limit_of_owner(std::string_view owner) {
  for (const BranchLimit& branch : kBranches) {
    if (analysis::in_branch(owner, branch.branch)) return branch.limit;
  }
  return std::nullopt;
}

std::vector<LimitShare> limit_shares(const analysis::Analysis& a) {
  return limit_shares(a, analysis::owner_totals(a.accounting),
                      analysis::window_total(a.accounting));
}

std::vector<LimitShare> limit_shares(const analysis::Analysis& a,
                                     const std::vector<analysis::OwnerShare>& owners, Nanos total) {
  Shares shares;
  Nanos compute;
  for (const analysis::OwnerShare& share : owners) {
    if (const auto limit = limit_of_owner(share.owner)) {
      shares.add(*limit, ratio_of(share.time, total).value, share.owner);
    }
    if (analysis::in_branch(share.owner, "compute")) compute += share.time;
  }
  add_compute(a, ratio_of(compute, total), shares);
  return shares.sorted();
}

}  // namespace rooflab::verdict
