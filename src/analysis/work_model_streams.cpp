// SPDX-License-Identifier: Apache-2.0
// Operators whose work is their traffic: pointwise (with broadcasting), row-wise norms and copies,
// reductions, gathers. Operations are counted as one a result (pointwise), or as the form says;
// they matter for the roof only in the rarest case. Precision is the vector units' single
// precision, or double for double operands.
#include <algorithm>

#include "analysis/work_model.h"

namespace rooflab::analysis {
namespace {

Precision vector_precision(const OpArgument& argument) {
  return argument.precision == Precision::kFp64 ? Precision::kFp64 : Precision::kFp32;
}

// Elements of the shape that `tensors` broadcast to; nullopt if they do not.
std::optional<double> broadcast_elements(const std::vector<const OpArgument*>& tensors) {
  std::vector<std::int64_t> shape;  // last axis first
  for (const OpArgument* argument : tensors) {
    const std::vector<std::int64_t>& dims = argument->tensor().dims;
    if (dims.size() > shape.size()) shape.resize(dims.size(), 1);
    for (std::size_t i = 0; i < dims.size(); ++i) {
      std::int64_t& axis = shape[i];
      const std::int64_t d = dims[dims.size() - 1 - i];
      if (axis != d && axis != 1 && d != 1) return std::nullopt;
      axis = axis == 1 ? d : axis;
    }
  }
  return OpTensor{shape, {}}.elements();
}

// The result's element size: the widest of the operands with a shape; those without (numbers) count
// only if all are.
int promoted_bytes(const std::vector<const OpArgument*>& tensors) {
  int shaped = 0;
  int any = 0;
  for (const OpArgument* argument : tensors) {
    any = std::max(any, argument->element_bytes);
    if (!argument->tensor().dims.empty()) shaped = std::max(shaped, argument->element_bytes);
  }
  return shaped > 0 ? shaped : any;
}

std::vector<const OpArgument*> tensors_at(const OpArguments& arguments,
                                          const std::vector<int>& positions) {
  std::vector<const OpArgument*> found;
  for (const int position : positions) {
    if (const OpArgument* argument = tensor_at(arguments, position)) found.push_back(argument);
  }
  return found;
}

double bytes_of(const std::vector<const OpArgument*>& tensors) {
  double total = 0;
  for (const OpArgument* argument : tensors) total += argument->bytes();
  return total;
}

}  // namespace

std::optional<OpWork> pointwise_work(const hw::OperatorForm& form, const OpArguments& arguments,
                                     bool in_place) {
  const auto reads = tensors_at(arguments, form.list("reads"));
  if (reads.empty() || reads.front() != tensor_at(arguments, form.list("reads").front()))
    return std::nullopt;
  const std::optional<double> results = broadcast_elements(reads);
  if (!results) return std::nullopt;
  OpWork work;
  work.flops = *results;
  work.bytes = bytes_of(reads);
  work.bytes += in_place ? reads.front()->bytes()
                         : *results * form.number("out_bytes", promoted_bytes(reads));
  work.precision = vector_precision(*reads.front());
  return work;
}

std::optional<OpWork> stream_work(const hw::OperatorForm& form, const OpArguments& arguments) {
  const auto reads = tensors_at(arguments, form.list("reads"));
  const auto writes = tensors_at(arguments, form.list("writes"));
  if (writes.size() != form.list("writes").size() || writes.empty()) return std::nullopt;
  if (!form.list("reads").empty() &&
      (reads.empty() || reads.front() != tensor_at(arguments, form.list("reads").front()))) {
    return std::nullopt;
  }
  // A fresh result is dense, whatever the argument it is sized like; a target that is written in
  // place is not read.
  const double elements = writes.front()->tensor().elements();
  const bool fresh = std::find(reads.begin(), reads.end(), writes.front()) != reads.end();
  const int width = is_set(arguments, form.number("to_float")) ? 4 : writes.front()->element_bytes;
  OpWork work;
  work.flops = elements * form.number("flops_per_element", 0);
  work.bytes = bytes_of(reads) + (fresh ? elements * width : writes.front()->bytes());
  work.bytes += elements * form.number("extra_write_bytes", 0);
  work.precision = vector_precision(*writes.front());
  return work;
}

std::optional<OpWork> reduction_work(const hw::OperatorForm& form, const OpArguments& arguments) {
  const auto reads = tensors_at(arguments, form.list("reads"));
  if (reads.empty()) return std::nullopt;
  const OpTensor& input = reads.front()->tensor();
  const auto rank = static_cast<std::int64_t>(input.dims.size());
  const int position = form.number("axes");
  std::optional<std::vector<std::int64_t>> axes;
  if (position >= 0 && static_cast<std::size_t>(position) < arguments.size()) {
    axes = parse_numbers(arguments[static_cast<std::size_t>(position)].concrete);
  }
  OpTensor result{axes ? input.dims : std::vector<std::int64_t>(), {}};
  for (std::int64_t axis : axes.value_or(std::vector<std::int64_t>())) {
    if (axis < 0) axis += rank;
    if (axis < 0 || axis >= rank) return std::nullopt;
    result.dims[static_cast<std::size_t>(axis)] = 1;
  }
  OpWork work;
  work.flops = input.elements();
  work.bytes = reads.front()->bytes() + result.elements() * reads.front()->element_bytes;
  work.precision = vector_precision(*reads.front());
  return work;
}

// Rows of a table: each index is read, each row read and written. Rows that repeat could be read
// once: the table's size bounds what must be read.
std::optional<OpWork> gather_work(const hw::OperatorForm& form, const OpArguments& arguments) {
  const OpArgument* const table = tensor_at(arguments, form.number("table"));
  const OpArgument* const index = tensor_at(arguments, form.number("index"));
  if (table == nullptr || index == nullptr || table->tensor().dims.empty()) return std::nullopt;
  std::int64_t axis = 0;
  if (const int position = form.number("axis");
      position >= 0 && static_cast<std::size_t>(position) < arguments.size()) {
    axis = parse_numbers(arguments[static_cast<std::size_t>(position)].concrete)
               .value_or(std::vector<std::int64_t>{0})[0];
  }
  const auto rank = static_cast<std::int64_t>(table->tensor().dims.size());
  if (axis < 0) axis += rank;
  if (axis < 0 || axis >= rank || table->tensor().dims[static_cast<std::size_t>(axis)] <= 0)
    return std::nullopt;
  const double row = table->tensor().elements() /
                     static_cast<double>(table->tensor().dims[static_cast<std::size_t>(axis)]);
  const double moved = row * index->tensor().elements() * table->element_bytes;
  OpWork work;
  work.bytes = index->bytes() + std::min(moved, table->bytes()) + moved;
  work.precision = vector_precision(*table);
  return work;
}

// One element for each index.
std::optional<OpWork> gather_each_work(const hw::OperatorForm& form, const OpArguments& arguments) {
  const OpArgument* const index = tensor_at(arguments, form.number("index"));
  const OpArgument* const table = tensor_at(arguments, form.number("of"));
  if (index == nullptr || table == nullptr) return std::nullopt;
  const double moved = index->tensor().elements() * table->element_bytes;
  OpWork work;
  work.bytes = index->bytes() + std::min(moved, table->bytes()) + moved;
  work.precision = vector_precision(*table);
  return work;
}

}  // namespace rooflab::analysis
