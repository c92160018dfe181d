// SPDX-License-Identifier: Apache-2.0
#include "analysis/work_model.h"

#include "analysis/operator_forms.h"

namespace rooflab::analysis {
namespace {

// aten::add_ writes into its first argument; aten::__and__ is only spelt that way.
bool in_place(std::string_view name) {
  return name.size() > 2 && name.back() == '_' && name[name.size() - 2] != '_';
}

std::optional<OpWork> by_form(const hw::OperatorForm& form, std::string_view name,
                              const OpArguments& arguments) {
  if (form.form == "matmul") return matmul_work(form, arguments);
  if (form.form == "attention") return attention_work(form, arguments);
  if (form.form == "convolution") return convolution_work(form, arguments);
  if (form.form == "convolution_backward") return convolution_backward_work(form, arguments);
  if (form.form == "pointwise") return pointwise_work(form, arguments, in_place(name));
  if (form.form == "stream") return stream_work(form, arguments);
  if (form.form == "reduction") return reduction_work(form, arguments);
  if (form.form == "gather") return gather_work(form, arguments);
  if (form.form == "gather_each") return gather_each_work(form, arguments);
  return std::nullopt;
}

// FLOPs or bytes of one operator call beyond this are a damaged shape: an H200 needs 11 days for
// 1e21 of its fastest operations. NaN fails the comparison too.
constexpr double kImplausibleWork = 1e21;

}  // namespace

const OpArgument* tensor_at(const OpArguments& arguments, int position) {
  if (position < 0 || static_cast<std::size_t>(position) >= arguments.size()) return nullptr;
  const OpArgument& argument = arguments[static_cast<std::size_t>(position)];
  return argument.is_tensor ? &argument : nullptr;
}

bool is_set(const OpArguments& arguments, int position) {
  if (position < 0 || static_cast<std::size_t>(position) >= arguments.size()) return false;
  const std::string& value = arguments[static_cast<std::size_t>(position)].concrete;
  return value == "True" || value == "true" ||
         (!value.empty() && value[0] >= '1' && value[0] <= '9');
}

std::optional<OpWork> work_of_op(std::string_view op_name, const OpArguments& arguments) {
  const hw::OperatorForm* const form = operator_form(op_name);
  if (form == nullptr || arguments.empty()) return std::nullopt;
  const std::optional<OpWork> work = by_form(*form, op_name, arguments);
  // A call on empty tensors is no work, and a shape can say anything: see kImplausibleWork.
  const auto plausible = [](double value) { return value >= 0 && value < kImplausibleWork; };
  if (!work || !plausible(work->flops) || !plausible(work->bytes) || work->bytes <= 0)
    return std::nullopt;
  return work;
}

}  // namespace rooflab::analysis
