// SPDX-License-Identifier: Apache-2.0
// Attention on q[B,H,Sq,D], k[B,Hk,Sk,D], v[B,Hk,Sk,Dv]. P = pairs of query and key that the mask
// leaves. Forward, 2 products: 2 P (D + Dv). Backward, 5 products (scores again, dP, dV, dQ, dK): 2
// P (3 D + 2 Dv). Traffic: q, k, v and the result; backward also their gradients, the result and
// its gradient. The scores are not counted: a fused kernel keeps them on the chip. An additive mask
// or a sliding window is not seen: P is then too high or its traffic too low. A causal mask of a
// non-square problem can be aligned to either corner: the smaller P is taken.
#include <algorithm>

#include "analysis/work_model.h"

namespace rooflab::analysis {
namespace {

struct AttentionShape {
  double batch = 0, heads = 0, queries = 0, keys = 0, head = 0, value_head = 0;
};

std::optional<AttentionShape> attention_shape(const OpTensor& q, const OpTensor& k,
                                              const OpTensor& v, bool sequence_first) {
  if (q.dims.size() != 4 || k.dims.size() != 4 || v.dims.size() != 4) return std::nullopt;
  const std::size_t sequence = sequence_first ? 1 : 2;
  const std::size_t heads = sequence_first ? 2 : 1;
  if (k.dims[3] != q.dims[3] || k.dims[sequence] != v.dims[sequence]) return std::nullopt;
  const auto at = [](const OpTensor& t, std::size_t axis) {
    return static_cast<double>(t.dims[axis]);
  };
  return AttentionShape{at(q, 0),        at(q, heads), at(q, sequence),
                        at(k, sequence), at(q, 3),     at(v, 3)};
}

double pairs_of(const AttentionShape& s, bool causal) {
  const double square = s.queries * s.keys;
  if (!causal) return square;
  const double low = std::min(s.queries, s.keys);
  // Aligned to the upper left corner: row i sees min(i + 1, keys); to the lower right: it misses
  // queries - 1 - i keys.
  const double upper_left = low * (low + 1) / 2 + (s.queries - low) * s.keys;
  const double lower_right =
      s.queries <= s.keys ? square - s.queries * (s.queries - 1) / 2 : low * (low + 1) / 2;
  return std::min(upper_left, lower_right);
}

}  // namespace

std::optional<OpWork> attention_work(const hw::OperatorForm& form, const OpArguments& arguments) {
  const int first = form.number("q");
  const OpArgument* const q = tensor_at(arguments, first);
  const OpArgument* const k = tensor_at(arguments, first + 1);
  const OpArgument* const v = tensor_at(arguments, first + 2);
  if (q == nullptr || k == nullptr || v == nullptr) return std::nullopt;
  if (tensor_at(arguments, form.number("lengths")) != nullptr) return std::nullopt;
  const auto shape =
      attention_shape(q->tensor(), k->tensor(), v->tensor(), form.number("sequence_first", 0) != 0);
  if (!shape) return std::nullopt;
  const bool backward = form.number("backward", 0) != 0;
  const double pairs =
      shape->batch * shape->heads * pairs_of(*shape, is_set(arguments, form.number("causal")));
  const double result =
      shape->batch * shape->heads * shape->queries * shape->value_head * q->element_bytes;
  const double inputs = q->bytes() + k->bytes() + v->bytes();
  OpWork work;
  work.flops =
      2 * pairs *
      (backward ? 3 * shape->head + 2 * shape->value_head : shape->head + shape->value_head);
  work.bytes = backward ? 2 * inputs + 2 * result : inputs + result;
  work.precision = q->precision;
  work.matrix = true;
  return work;
}

}  // namespace rooflab::analysis
