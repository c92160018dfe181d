// SPDX-License-Identifier: Apache-2.0
// Matrix products. out[.., M, N] = left[.., M, K] right[.., K, N]: 2 M N K operations a batch (a
// multiply-add is two); traffic is left, right, the result and an addend, each once. A
// one-dimensional right operand is a column.
#include <algorithm>

#include "analysis/work_model.h"

namespace rooflab::analysis {
namespace {

struct ProductShape {
  double rows = 0, columns = 0, inner = 0, batch = 1;
};

double leading(const std::vector<std::int64_t>& dims, std::size_t trailing) {
  double total = 1;
  for (std::size_t i = 0; i + trailing < dims.size(); ++i) total *= static_cast<double>(dims[i]);
  return total;
}

std::optional<ProductShape> product_shape(const std::vector<std::int64_t>& left,
                                          const std::vector<std::int64_t>& right,
                                          bool right_transposed) {
  if (left.empty() || right.empty()) return std::nullopt;
  const std::int64_t inner = left.back();
  ProductShape shape;
  shape.inner = static_cast<double>(inner);
  shape.rows = left.size() > 1 ? static_cast<double>(left[left.size() - 2]) : 1.0;
  if (right.size() == 1) {
    if (right[0] != inner) return std::nullopt;
    shape.columns = 1;
    shape.batch = leading(left, 2);
    return shape;
  }
  const std::int64_t before_last = right[right.size() - 2];
  const std::int64_t last = right.back();
  if ((right_transposed ? last : before_last) != inner) return std::nullopt;
  shape.columns = static_cast<double>(right_transposed ? before_last : last);
  // One of the two may be broadcast over the other's batch.
  shape.batch = std::max(leading(left, 2), leading(right, 2));
  return shape;
}

}  // namespace

std::optional<OpWork> matmul_work(const hw::OperatorForm& form, const OpArguments& arguments) {
  const OpArgument* const left = tensor_at(arguments, form.number("left"));
  const OpArgument* const right = tensor_at(arguments, form.number("right"));
  if (left == nullptr || right == nullptr) return std::nullopt;
  const auto shape = product_shape(left->tensor().dims, right->tensor().dims,
                                   form.number("right_transposed", 0) != 0);
  if (!shape) return std::nullopt;
  const OpArgument* const added = tensor_at(arguments, form.number("added"));
  const double results = shape->batch * shape->rows * shape->columns;
  OpWork work;
  work.flops = 2 * results * shape->inner;
  work.bytes = left->bytes() + right->bytes() + (added == nullptr ? 0.0 : added->bytes()) +
               results * form.number("out_bytes", left->element_bytes);
  work.precision = left->precision;
  work.matrix = true;
  return work;
}

}  // namespace rooflab::analysis
