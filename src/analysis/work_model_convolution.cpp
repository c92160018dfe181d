// SPDX-License-Identifier: Apache-2.0
// Convolutions, as the direct algorithm does them: 2 * results * (weight elements of one output
// channel), where the results are those of the forward pass; the transposed ones do the same work
// for each input element. An algorithm that needs fewer operations (Winograd) can beat this roof;
// launches that do are counted as above the roof. Backward: once for the input's gradient, once for
// the weight's, as the output mask says.
#include <cmath>

#include "analysis/work_model.h"

namespace rooflab::analysis {
namespace {

// Weight elements of one output channel: all axes but the first.
double weights_of_channel(const OpTensor& weight) {
  double total = 1;
  for (std::size_t i = 1; i < weight.dims.size(); ++i) total *= static_cast<double>(weight.dims[i]);
  return total;
}

// Entry `axis` of a concrete list, or its only entry.
std::optional<std::int64_t> entry(const OpArguments& arguments, int position, std::size_t axis,
                                  std::optional<std::int64_t> otherwise) {
  if (position < 0) return otherwise;
  if (static_cast<std::size_t>(position) >= arguments.size()) return std::nullopt;
  const auto numbers = parse_numbers(arguments[static_cast<std::size_t>(position)].concrete);
  if (!numbers) return std::nullopt;
  if (numbers->size() == 1) return numbers->front();
  if (axis >= numbers->size()) return std::nullopt;
  return (*numbers)[axis];
}

// (size + 2 padding - dilation (kernel - 1) - 1) / stride + 1 along each spatial axis, in double:
// values are a file's.
std::optional<double> results_of(const hw::OperatorForm& form, const OpArguments& arguments,
                                 const OpTensor& input, const OpTensor& weight) {
  double results = static_cast<double>(input.dims[0]) * static_cast<double>(weight.dims[0]);
  for (std::size_t axis = 2; axis < input.dims.size(); ++axis) {
    const auto stride = entry(arguments, form.number("stride"), axis - 2, std::nullopt);
    const auto padding = entry(arguments, form.number("padding"), axis - 2, std::nullopt);
    const auto dilation = entry(arguments, form.number("dilation"), axis - 2, 1);
    if (!stride || !padding || !dilation || *stride < 1) return std::nullopt;
    const double span =
        static_cast<double>(input.dims[axis]) + 2.0 * static_cast<double>(*padding) -
        static_cast<double>(*dilation) * (static_cast<double>(weight.dims[axis]) - 1.0) - 1.0;
    if (span < 0) return std::nullopt;
    results *=
        static_cast<double>(static_cast<std::int64_t>(span / static_cast<double>(*stride)) + 1);
  }
  return results;
}

bool fits(const OpArgument* data, const OpArgument* weight) {
  return data != nullptr && weight != nullptr && data->tensor().dims.size() >= 3 &&
         data->tensor().dims.size() == weight->tensor().dims.size();
}

}  // namespace

std::optional<OpWork> convolution_work(const hw::OperatorForm& form, const OpArguments& arguments) {
  const OpArgument* const input = tensor_at(arguments, form.number("input"));
  const OpArgument* const weight = tensor_at(arguments, form.number("weight"));
  if (!fits(input, weight) || is_set(arguments, form.number("transposed"))) return std::nullopt;
  const auto results = results_of(form, arguments, input->tensor(), weight->tensor());
  if (!results) return std::nullopt;
  OpWork work;
  work.flops = 2 * *results * weights_of_channel(weight->tensor());
  work.bytes = input->bytes() + weight->bytes() + *results * input->element_bytes;
  work.precision = input->precision;
  work.matrix = true;
  return work;
}

std::optional<OpWork> convolution_backward_work(const hw::OperatorForm& form,
                                                const OpArguments& arguments) {
  const OpArgument* const grad = tensor_at(arguments, form.number("grad"));
  const OpArgument* const weight = tensor_at(arguments, form.number("weight"));
  const OpArgument* const input = tensor_at(arguments, form.number("input"));
  if (!fits(grad, weight) || is_set(arguments, form.number("transposed"))) return std::nullopt;
  int passes = 1;  // the input's gradient alone
  const int mask = form.number("mask");
  if (mask >= 0) {
    if (input == nullptr || static_cast<std::size_t>(mask) >= arguments.size()) return std::nullopt;
    const std::string& text =
        arguments[static_cast<std::size_t>(mask)].concrete;  // "[True, False, True]"
    const std::size_t comma = text.find(',');
    if (comma == std::string::npos) return std::nullopt;
    const std::string_view first = std::string_view(text).substr(0, comma);
    const std::string_view second =
        std::string_view(text).substr(comma + 1, text.find(',', comma + 1) - comma - 1);
    passes = (first.find("rue") != std::string_view::npos ? 1 : 0) +
             (second.find("rue") != std::string_view::npos ? 1 : 0);
  }
  OpWork work;
  work.flops = 2.0 * passes * grad->tensor().elements() * weights_of_channel(weight->tensor());
  work.bytes = grad->bytes() + weight->bytes() + (input == nullptr ? 0.0 : 2 * input->bytes());
  work.precision = grad->precision;
  work.matrix = true;
  return work;
}

}  // namespace rooflab::analysis
