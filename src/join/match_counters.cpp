// SPDX-License-Identifier: Apache-2.0
#include "join/match_counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "model/kernel_key.h"

namespace rooflab::join {
namespace {

using model::MeasuredId;
using model::WorkId;

struct Size {
  std::array<std::int32_t, 3> grid{-1, -1, -1}, block{-1, -1, -1};
  auto operator<=>(const Size&) const = default;
  [[nodiscard]] bool known() const { return grid[0] > 0 && block[0] > 0; }
};

Size size_of(const model::Profile& p, model::LaunchConfigId config) {
  if (config.row >= p.launch_configs.size()) return {};
  const model::LaunchConfig& c = p.launch_configs[config.row];
  return {c.grid, c.block};
}

// The trace's kernels by name, then by size, in order of start.
struct Kernels {
  std::map<Size, std::vector<WorkId>> by_size;
  std::set<std::string> keys;  // full names with this base name
};

class Matcher {
 public:
  explicit Matcher(model::Profile& p) : p_(p) {
    std::vector<WorkId> works;
    for (std::size_t i = 0; i < p_.work.size(); ++i) {
      if (p_.work.kind[i] == model::WorkKind::kKernel) works.emplace_back(i);
    }
    std::stable_sort(works.begin(), works.end(), [&](WorkId a, WorkId b) {
      return p_.work.start[a.row] < p_.work.start[b.row];
    });
    for (const WorkId work : works) {
      const StringId name = p_.work.name[work.row];
      const std::string& key = key_of(name);
      const Size size = size_of(p_, p_.work.config[work.row]);
      by_key_[key].by_size[size].push_back(work);
      Kernels& base = by_base_[model::kernel_base(key)];
      base.by_size[size].push_back(work);
      base.keys.insert(key);
    }
  }

  CounterMatch run() {
    std::map<std::pair<std::string, Size>, std::vector<MeasuredId>> groups;
    for (std::size_t i = 0; i < p_.measured.size(); ++i) {
      p_.measured.work[i] = WorkId();
      groups[{key_of(p_.measured.name[i]), size_of(p_, p_.measured.config[i])}].emplace_back(i);
    }
    out_.launches = static_cast<std::int64_t>(p_.measured.size());
    for (auto& [key, launches] : groups) {
      std::stable_sort(launches.begin(), launches.end(), [&](MeasuredId a, MeasuredId b) {
        return p_.measured.order[a.row] < p_.measured.order[b.row];
      });
      match(key.first, key.second, launches);
    }
    return std::move(out_);
  }

 private:
  const std::string& key_of(StringId name) {
    auto it = key_of_name_.find(name);
    if (it == key_of_name_.end())
      it = key_of_name_.emplace(name, model::kernel_key(p_.text(name))).first;
    return it->second;
  }

  // By the full name, or by the function's own where one recorder writes no more than that.
  const Kernels* kernels_of(const std::string& key, std::string& why) const {
    if (const auto it = by_key_.find(key); it != by_key_.end()) return &it->second;
    const bool short_name = key.find('<') == std::string::npos;
    const auto base = by_base_.find(model::kernel_base(key));
    if (base == by_base_.end()) {
      why = "the trace has no kernel of that name";
      return nullptr;
    }
    const bool short_trace =
        base->second.keys.size() == 1 && base->second.keys.begin()->find('<') == std::string::npos;
    if (!short_name && !short_trace) {
      why = "the trace has only other instances of that template";
      return nullptr;
    }
    if (base->second.keys.size() > 1) {
      why = "the trace has several kernels of that name and the counters do not tell which";
      return nullptr;
    }
    return &base->second;
  }

  void match(const std::string& key, const Size& size, const std::vector<MeasuredId>& launches) {
    std::string why;
    const Kernels* const kernels = kernels_of(key, why);
    if (kernels == nullptr) return refuse(key, why, launches);
    if (const auto it = kernels->by_size.find(size); size.known() && it != kernels->by_size.end()) {
      const std::vector<WorkId>& works = it->second;
      const bool one_by_one = works.size() == launches.size();
      for (std::size_t i = 0; i < launches.size(); ++i)
        p_.measured.work[launches[i].row] = works[std::min(i, works.size() - 1)];
      (one_by_one ? out_.by_order : out_.by_size) += static_cast<std::int64_t>(launches.size());
      return;
    }
    const bool trace_has_sizes = std::any_of(kernels->by_size.begin(), kernels->by_size.end(),
                                             [](const auto& entry) { return entry.first.known(); });
    if (size.known() && trace_has_sizes)
      return refuse(key, "the trace launches it with other grids or blocks only", launches);
    if (kernels->by_size.size() > 1)
      return refuse(key, "its size was not recorded and the trace has several", launches);
    const std::vector<WorkId>& works = kernels->by_size.begin()->second;
    for (std::size_t i = 0; i < launches.size(); ++i)
      p_.measured.work[launches[i].row] = works[std::min(i, works.size() - 1)];
    out_.by_name += static_cast<std::int64_t>(launches.size());
  }

  void refuse(const std::string& key, const std::string& why,
              const std::vector<MeasuredId>& launches) {
    out_.refused.push_back({key, why, static_cast<std::int64_t>(launches.size())});
  }

  model::Profile& p_;
  std::map<std::string, Kernels> by_key_, by_base_;
  std::map<StringId, std::string> key_of_name_;
  CounterMatch out_;
};

}  // namespace

std::string CounterMatch::text() const {
  std::string out =
      fmt::format("{} of {} measured launches were found in the trace", matched(), launches);
  const auto part = [&](std::int64_t count, const char* words) {
    if (count > 0) out += fmt::format("; {} by {}", count, words);
  };
  part(by_order, "name, grid, block and order");
  part(by_size, "name, grid and block");
  part(by_name, "name");
  for (const Refused& r : refused)
    out += fmt::format("; not {} of {}: {}", r.launches, r.kernel, r.why);
  return out;
}

CounterMatch match_counters(model::Profile& profile) { return Matcher(profile).run(); }

}  // namespace rooflab::join
