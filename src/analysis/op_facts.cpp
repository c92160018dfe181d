// SPDX-License-Identifier: Apache-2.0
#include "analysis/op_facts.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "analysis/operator_forms.h"

namespace rooflab::analysis {
namespace {

// Tensor units are fed by loads of 16 bytes; sizes along contiguous axes that are no multiple of
// that rule the fast kernels out (NVIDIA Matrix Multiplication Background, section Tensor Core
// Requirements; CUTLASS issue 75).
constexpr int kFastLoadBytes = 16;

double up_to_multiple(double size, int multiple) { return std::ceil(size / multiple) * multiple; }

struct Axis {
  const char* name;
  double size;
};

class Alignment {
 public:
  explicit Alignment(int element_bytes)
      : multiple_(element_bytes > 0 && element_bytes < kFastLoadBytes
                      ? kFastLoadBytes / element_bytes
                      : 1) {}

  [[nodiscard]] int multiple() const { return multiple_; }
  [[nodiscard]] bool fits(double size) const {
    return std::fmod(size, static_cast<double>(multiple_)) == 0;
  }
  void check(const Axis& axis, OpFacts& facts) {
    if (fits(axis.size)) return;
    const std::string text =
        std::string(axis.name) + " " + std::to_string(static_cast<std::int64_t>(axis.size));
    if (facts.sizes.find(text) != std::string::npos) return;
    facts.sizes += (facts.sizes.empty() ? "" : ", ") + text;
    facts.padding *= up_to_multiple(axis.size, multiple_) / axis.size;
    facts.misaligned = true;
  }

 private:
  int multiple_;
};

// The axis that lies contiguous in memory decides; rows must start aligned too.
void check_operand(const OpTensor& tensor, const Axis& outer, const Axis& inner,
                   Alignment& alignment, OpFacts& facts) {
  const std::size_t rank = tensor.dims.size();
  if (rank < 2 || tensor.strides.size() != rank) {
    alignment.check(inner, facts);
    return;
  }
  const std::int64_t last = tensor.strides[rank - 1];
  const std::int64_t before = tensor.strides[rank - 2];
  const bool transposed = last != 1 && before == 1;
  alignment.check(transposed ? outer : inner, facts);
  const auto row = static_cast<double>(transposed ? last : before);
  const double rows = transposed ? inner.size : outer.size;
  if (facts.misaligned || rows < 2 || alignment.fits(row)) return;
  facts.misaligned = true;
  facts.sizes = "a row's length in memory " + std::to_string(static_cast<std::int64_t>(row));
}

void product_facts(const hw::OperatorForm& form, const OpArguments& arguments, OpFacts& facts) {
  const OpArgument* const left = tensor_at(arguments, form.number("left"));
  const OpArgument* const right = tensor_at(arguments, form.number("right"));
  if (left == nullptr || right == nullptr) return;
  const std::vector<std::int64_t>& a = left->tensor().dims;
  const std::vector<std::int64_t>& b = right->tensor().dims;
  if (a.size() < 2 || b.size() < 2) return;  // a vector: no tile to fill
  const bool transposed = form.number("right_transposed", 0) != 0;
  if (a.back() <= 0 || a[a.size() - 2] <= 0 || b.back() <= 0 || b[b.size() - 2] <= 0) return;
  facts.kind = OpKind::kProduct;
  facts.precision = left->precision;
  facts.element_bytes = left->element_bytes;
  facts.k = static_cast<double>(a.back());
  facts.m = static_cast<double>(a[a.size() - 2]);
  facts.n = static_cast<double>(transposed ? b[b.size() - 2] : b.back());
  const double results = facts.k > 0 ? facts.work.flops / (2 * facts.k) : 0;
  facts.batch = facts.m * facts.n > 0 ? std::max(1.0, results / (facts.m * facts.n)) : 1.0;
  facts.weight_operand = b.size() == 2;
  facts.right_bytes = right->bytes();
  if (facts.weight_operand) {  // a linear layer's leading axes are rows
    facts.m *= facts.batch;
    facts.batch = 1;
  }
  Alignment alignment(left->element_bytes);
  facts.alignment = alignment.multiple();
  // A vector in disguise is not padded.
  if (std::min({facts.m, facts.n, facts.k}) < facts.alignment) return;
  const Axis m{"M", facts.m};
  const Axis n{"N", facts.n};
  const Axis k{"K", facts.k};
  check_operand(left->tensor(), m, k, alignment, facts);
  check_operand(right->tensor(), transposed ? n : k, transposed ? k : n, alignment, facts);
  alignment.check(n, facts);  // the result's rows
}

void convolution_facts(const hw::OperatorForm& form, const OpArguments& arguments, OpFacts& facts) {
  const OpArgument* const weight = tensor_at(arguments, form.number("weight"));
  if (weight == nullptr || weight->tensor().dims.size() < 3) return;
  facts.kind = OpKind::kConvolution;
  facts.precision = weight->precision;
  facts.element_bytes = weight->element_bytes;
  facts.n = static_cast<double>(weight->tensor().dims[0]);
  facts.k = static_cast<double>(weight->tensor().dims[1]);
  facts.weight_operand = true;
  facts.right_bytes = weight->bytes();
  Alignment alignment(weight->element_bytes);
  facts.alignment = alignment.multiple();
  alignment.check({"channels in", facts.k}, facts);
  alignment.check({"channels out", facts.n}, facts);
}

Operand operand_of(const OpArgument& argument) {
  return {argument.tensor().elements(), argument.bytes(), argument.element_bytes};
}

bool same_layout(const OpTensor& a, const OpTensor& b) {
  if (a.dims != b.dims || a.strides.size() != a.dims.size() || b.strides.size() != b.dims.size())
    return true;  // not recorded: nothing can be said
  for (std::size_t i = 0; i < a.dims.size(); ++i) {
    if (a.dims[i] > 1 && a.strides[i] != b.strides[i]) return false;
  }
  return true;
}

// Whether a reduction's axes are the last ones, so that a row can stay on chip.
bool over_last_axes(const hw::OperatorForm& form, const OpArguments& arguments, std::size_t rank) {
  const int position = form.number("axes");
  if (position < 0 || static_cast<std::size_t>(position) >= arguments.size()) return false;
  auto axes = parse_numbers(arguments[static_cast<std::size_t>(position)].concrete);
  if (!axes || axes->size() >= rank) return false;
  for (std::int64_t& axis : *axes) {
    if (axis < 0) axis += static_cast<std::int64_t>(rank);
  }
  std::sort(axes->begin(), axes->end());
  for (std::size_t i = 0; i < axes->size(); ++i) {
    if ((*axes)[i] != static_cast<std::int64_t>(rank - axes->size() + i)) return false;
  }
  return true;
}

void stream_facts(const hw::OperatorForm& form, const OpArguments& arguments, OpFacts& facts) {
  for (const int position : form.list("reads")) {
    if (const OpArgument* read = tensor_at(arguments, position))
      facts.reads.push_back(operand_of(*read));
  }
  if (facts.reads.empty()) return;
  double read = 0;
  for (const Operand& operand : facts.reads) read += operand.bytes;
  // The work model knows what is written; what is left of its bytes is the result.
  facts.result.bytes = std::max(0.0, facts.work.bytes - read);
  double elements = 0;
  for (const Operand& operand : facts.reads) elements = std::max(elements, operand.elements);
  facts.result.elements = elements;
  if (form.form == "pointwise") {
    facts.kind = OpKind::kPointwise;
  } else if (form.form == "reduction") {
    facts.kind = OpKind::kReduction;
    facts.trailing = over_last_axes(
        form, arguments, tensor_at(arguments, form.list("reads").front())->tensor().dims.size());
    facts.result.elements = facts.reads.front().element_bytes > 0
                                ? facts.result.bytes / facts.reads.front().element_bytes
                                : 0;
  } else if (form.number("copy", 0) != 0) {
    const OpArgument* const source = tensor_at(arguments, form.list("reads").front());
    const OpArgument* const target = tensor_at(arguments, form.list("writes").front());
    if (source == nullptr || target == nullptr) return;
    facts.kind = OpKind::kCopy;
    facts.result = operand_of(*target);
    facts.type_change =
        source->element_bytes != target->element_bytes || source->precision != target->precision;
    facts.layout_change = !same_layout(source->tensor(), target->tensor());
  } else if (form.number("softmax", 0) != 0) {
    facts.kind = OpKind::kSoftmax;
  } else if (form.number("softmax_backward", 0) != 0) {
    facts.kind = OpKind::kSoftmaxBackward;
  } else if (form.number("batch_norm", 0) != 0) {
    facts.kind = OpKind::kBatchNorm;
  }
  if (facts.kind != OpKind::kOther && facts.result.elements > 0) {
    facts.result.element_bytes =
        static_cast<int>(std::lround(facts.result.bytes / facts.result.elements));
  }
  facts.precision = facts.work.precision;
}

// Kernels, and copies that an operator leaves to the copy engine.
bool on_device(const model::Profile& p, std::size_t work_row) {
  return p.work.kind[work_row] == model::WorkKind::kKernel ||
         p.work.direction[work_row] == model::CopyDirection::kDeviceToDevice;
}

}  // namespace

OpFacts op_facts(std::string_view op_name, const OpArguments& arguments) {
  OpFacts facts;
  const hw::OperatorForm* const form = operator_form(op_name);
  const std::optional<OpWork> work = work_of_op(op_name, arguments);
  if (form == nullptr || !work) return facts;
  facts.work = *work;
  if (form->form == "matmul") {
    product_facts(*form, arguments, facts);
  } else if (form->form == "convolution" || form->form == "convolution_backward") {
    convolution_facts(*form, arguments, facts);
  } else if (form->form == "pointwise" || form->form == "stream" || form->form == "reduction") {
    stream_facts(*form, arguments, facts);
  }
  return facts;
}

OpFactsTable::OpFactsTable(const model::Profile& profile, const std::vector<model::SpanId>& ops) {
  of_work_.assign(profile.work.size(), kNone);
  std::unordered_map<std::uint64_t, std::uint32_t> of_call;
  for (std::size_t i = 0; i < profile.work.size() && i < ops.size(); ++i) {
    const std::uint32_t span = ops[i].row;
    if (!on_device(profile, i) || span >= profile.spans.size()) continue;
    const model::ArgsId args = profile.spans.args[span];
    const StringId name = profile.spans.name[span];
    if (args.row >= profile.op_args.size()) continue;
    const auto [entry, fresh] =
        of_call.try_emplace((std::uint64_t{name.row} << 32U) | args.row, kNone);
    if (fresh) {
      const model::OpArgs& texts = profile.op_args[args.row];
      OpFacts facts =
          op_facts(profile.text(name),
                   parse_op_arguments(profile.text(texts.dims), profile.text(texts.types),
                                      profile.text(texts.strides), profile.text(texts.concrete)));
      if (facts.kind != OpKind::kOther) {
        entry->second = static_cast<std::uint32_t>(facts_.size());
        facts_.push_back(std::move(facts));
      }
    }
    of_work_[i] = entry->second;
  }
}

}  // namespace rooflab::analysis
