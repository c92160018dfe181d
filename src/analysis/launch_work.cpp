// SPDX-License-Identifier: Apache-2.0
#include "analysis/launch_work.h"

#include <unordered_map>

namespace rooflab::analysis {

bool is_compute(KernelClass c) {
  return c != KernelClass::kComm && c != KernelClass::kCopy && c != KernelClass::kMemset;
}

LaunchWorks::LaunchWorks(const model::Profile& profile, const KernelClasses& classes,
                         const std::vector<model::SpanId>& ops)
    : profile_(&profile), classes_(&classes), ops_(&ops) {
  find_launches();
  model_operators();
}

bool LaunchWorks::counts(std::size_t i) const {
  const model::WorkTable& work = profile_->work;
  return i < ops_->size() && (*ops_)[i].row < profile_->spans.size() &&
         work.kind[i] == model::WorkKind::kKernel && work.duration[i] > 0 &&
         is_compute(classes_->of(work.name[i]));
}

void LaunchWorks::find_launches() {
  launches_of_span_.assign(profile_->spans.size(), kNone);
  for (std::size_t i = 0; i < profile_->work.size(); ++i) {
    if (!counts(i)) continue;
    const std::uint32_t span = (*ops_)[i].row;
    if (launches_of_span_[span] == kNone) {
      launches_of_span_[span] = static_cast<std::uint32_t>(launches_.size());
      launches_.emplace_back();
      span_of_launches_.push_back(span);
    }
    OpLaunches& launches = launches_[launches_of_span_[span]];
    const std::int64_t duration = profile_->work.duration[i];
    launches.time = saturating_add(launches.time, duration);
    const KernelMath math = classes_->math(profile_->work.name[i]);
    if (!math.known || duration <= launches.longest) continue;
    launches.longest = duration;
    launches.math = math;
  }
}

void LaunchWorks::model_operators() {
  std::unordered_map<std::uint64_t, std::uint32_t> model_of_call;
  std::unordered_map<std::uint32_t, OpArguments>
      arguments_of;  // by ArgsId: operators can share them
  for (std::size_t k = 0; k < launches_.size(); ++k) {
    const std::uint32_t span = span_of_launches_[k];
    const model::ArgsId args = profile_->spans.args[span];
    const StringId name = profile_->spans.name[span];
    if (args.row >= profile_->op_args.size()) continue;
    const auto [entry, fresh] =
        model_of_call.try_emplace((std::uint64_t{name.row} << 32U) | args.row, kNone);
    if (fresh) {
      const auto [parsed, unseen] = arguments_of.try_emplace(args.row);
      if (unseen) {
        const model::OpArgs& texts = profile_->op_args[args.row];
        parsed->second =
            parse_op_arguments(profile_->text(texts.dims), profile_->text(texts.types),
                               profile_->text(texts.strides), profile_->text(texts.concrete));
      }
      if (const auto work = work_of_op(profile_->text(name), parsed->second)) {
        entry->second = static_cast<std::uint32_t>(models_.size());
        models_.push_back(*work);
      }
    }
    launches_[k].model = entry->second;
  }
}

std::optional<LaunchWork> LaunchWorks::of(std::size_t i) const {
  if (!counts(i)) return std::nullopt;
  const OpLaunches& launches = launches_[launches_of_span_[(*ops_)[i].row]];
  if (launches.model == kNone) return std::nullopt;
  const OpWork& work = models_[launches.model];
  const double share =
      static_cast<double>(profile_->work.duration[i]) / static_cast<double>(launches.time);
  return LaunchWork{work.flops * share, work.bytes * share, work.precision, work.matrix,
                    launches.math};
}

}  // namespace rooflab::analysis
