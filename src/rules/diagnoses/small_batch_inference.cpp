// SPDX-License-Identifier: Apache-2.0
// Inference of one item (or a few rows) at a time: every matrix product reads the whole weights for
// a handful of rows, or the launches of a step serve one item. More items in a step cost the device
// almost nothing. Says nothing about training, nor where several items are already in a step and
// the products have rows to work on. Whether requests can wait for each other the file does not
// say.
#include <fmt/format.h>

#include <optional>

#include "analysis/markers.h"
#include "analysis/op_shapes.h"
#include "analysis/operator_forms.h"
#include "analysis/owner_totals.h"
#include "analysis/work_model.h"
#include "base/human.h"
#include "rules/fixes.h"
#include "rules/launch_path.h"
#include "rules/rule.h"

namespace rooflab::rules {
namespace {

// A product needs a row for each FLOP that a byte of 16-bit weights pays for: 100-300 on devices of
// 2017-2025. At 16 the weights' traffic is six times the computation or more.
constexpr std::int64_t kFewRows = 16;
constexpr double kLeastShare = 0.30;
constexpr double kMostOfProducts = 0.8;
constexpr const char* kStatedBatch = "8";

struct Products {
  std::int64_t count = 0,
               few = 0;  // launches of matrix products with shapes, and those for few rows
  std::int64_t without_shapes = 0;
  Nanos few_rows_time;          // kernels of products with at most kFewRows rows
  std::int64_t least_rows = 0;  // of the last product counted as few
  std::string example;          // its operator and shapes
};

struct Rows {
  std::int64_t rows = 0;   // all leading axes together
  std::int64_t items = 0;  // the first axis where there are three or more, else 0
};

std::optional<Rows> rows_of(const model::Profile& p, std::size_t span) {
  const hw::OperatorForm* form = analysis::operator_form(p.text(p.spans.name[span]));
  if (form == nullptr || form->form != "matmul" || !p.spans.args[span].valid()) return std::nullopt;
  const model::OpArgs& args = p.op_args[p.spans.args[span].row];
  const analysis::OpArguments parsed = analysis::parse_op_arguments(
      p.text(args.dims), p.text(args.types), p.text(args.strides), p.text(args.concrete));
  const analysis::OpArgument* left = analysis::tensor_at(parsed, form->number("left"));
  const analysis::OpArgument* right = analysis::tensor_at(parsed, form->number("right"));
  if (left == nullptr || right == nullptr) return std::nullopt;
  const std::vector<std::int64_t>& dims = left->tensor().dims;
  // A batch of products multiplies activations with each other: no weights in it.
  if (dims.size() < 2 || right->tensor().dims.size() != 2) return std::nullopt;
  Rows out;
  out.rows = 1;
  for (std::size_t i = 0; i + 1 < dims.size(); ++i) {
    if (dims[i] < 0 || __builtin_mul_overflow(out.rows, dims[i], &out.rows)) return std::nullopt;
  }
  if (dims.size() > 2) out.items = dims[0];
  return out;
}

// The shape as the caller wrote it: the outermost of the product operators around a launch.
std::optional<Rows> rows_around(const analysis::Analysis& a, model::SpanId op, std::size_t& where) {
  std::optional<Rows> found;
  for (model::SpanId at = op; at.valid() && at.row < a.tree.parent.size();
       at = a.tree.parent[at.row]) {
    if (a.profile->spans.kind[at.row] != model::SpanKind::kOp) continue;
    const std::optional<Rows> rows = rows_of(*a.profile, at.row);
    if (!rows) {
      if (found) break;
      continue;
    }
    const std::int64_t items = found && rows->items == 0 ? found->items : rows->items;
    found = Rows{rows->rows, items};
    where = at.row;
  }
  return found;
}

bool inside(const analysis::Analysis& a, std::size_t work) {
  const std::int64_t start = a.profile->work.start[work];
  return start >= a.window.start.value && start < a.window.end.value;
}

Products find_products(const analysis::Analysis& a) {
  Products out;
  const model::WorkTable& work = a.profile->work;
  model::SpanId last_op;
  for (std::size_t row = 0; row < work.size(); ++row) {
    if (work.kind[row] != model::WorkKind::kKernel || !inside(a, row)) continue;
    if (a.classes.of(work.name[row]) != analysis::KernelClass::kGemm) continue;
    const model::SpanId op = row < a.ops.size() ? a.ops[row] : model::SpanId();
    std::size_t where = 0;
    const std::optional<Rows> rows = op.valid() ? rows_around(a, op, where) : std::nullopt;
    if (!rows) {
      ++out.without_shapes;
      continue;
    }
    const bool again = op == last_op;  // split products launch several kernels
    last_op = op;
    const bool few_rows = rows->rows <= kFewRows;
    if (few_rows) {
      out.few_rows_time = Nanos(saturating_add(out.few_rows_time.value, work.duration[row]));
    }
    if (again) continue;
    ++out.count;
    if (!few_rows && rows->items != 1) continue;
    ++out.few;
    if (!out.example.empty()) continue;
    out.least_rows = rows->rows;
    const model::OpArgs& args = a.profile->op_args[a.profile->spans.args[where].row];
    out.example = std::string(a.profile->text(a.profile->spans.name[where])) + " " +
                  std::string(a.profile->text(args.dims));
  }
  return out;
}

bool trains(const model::Profile& p) {
  if (!p.forward_backward.empty()) return true;
  analysis::MarkedNames names(p);
  for (std::size_t row = 0; row < p.spans.size(); ++row) {
    if ((names.of(p.spans.name[row], analysis::use_of(p.spans.kind[row])) &
         analysis::bit(analysis::Marker::kBackward)) != 0) {
      return true;
    }
  }
  return false;
}

Outcome check(const analysis::Analysis& a, const WithDeviceWork& /*has*/,
              const WithHostCause& /*has*/, const WithShapes& /*has*/) {
  if (trains(*a.profile)) return Clear{};
  const Products products = find_products(a);
  if (products.count == 0 && products.without_shapes > 0) {
    return NotEvaluated{"shapes of the matrix products (graph replays have none: record eager)"};
  }
  const bool few = products.count > 0 && static_cast<double>(products.few) >=
                                             kMostOfProducts * static_cast<double>(products.count);
  const LaunchPath path = launch_path(a);
  const Nanos window = analysis::window_total(a.accounting);
  const Nanos owned = path.idle() + products.few_rows_time;
  const Ratio share = ratio_of(owned, window);
  if (!few || share.value < kLeastShare) return Clear{};

  Finding f;
  f.id = f.rule = "small_batch_inference";
  f.layer = Layer::kFramework;
  f.ratio = share;
  f.owners = {"idle.in_call", "idle.dispatch", "idle.starved.framework", "compute.gemm"};
  f.remedy = {{"batch", {kStatedBatch}}};
  f.where = products.example;
  f.title = "each step serves one item or a few rows";
  f.evidence.push_back(
      {fmt::format("{} of {} matrix products are for one item or at most {} rows, as {}",
                   human_count(products.few), human_count(products.count), kFewRows,
                   products.example),
       "small_products_count", static_cast<double>(products.few)});
  f.evidence.push_back(
      {fmt::format("{} of the window ({}) would serve more items at the same price: {} idle for "
                   "launches, {} reading weights for at most {} rows",
                   human_time(owned), human_percent(share), human_time(path.idle()),
                   human_time(products.few_rows_time), kFewRows),
       "shared_price_ns", static_cast<double>(owned.value)});
  f.evidence.push_back({fmt::format("the gain is computed for {} times the items in a step, per "
                                    "item; a single item is not served faster",
                                    kStatedBatch),
                        "", 0});
  f.chain = {"each request is run on its own",
             "launches and weights are paid for once a step, whatever its number of items",
             "the device is mostly idle or reads weights for few rows"};
  f.falsifier = "run two items in one step: if it takes twice as long, the batch is not the reason";
  f.fixes = shipped_fixes(f.rule, {});
  return std::vector<Finding>{std::move(f)};
}

}  // namespace

Rule rule_small_batch_inference() {
  return make_rule(
      {.id = "small_batch_inference",
       .layer = Layer::kFramework,
       .title = "Each step serves one item or a few rows",
       .why = "Launch cost and weight traffic are paid once a step. With one item in it they are "
              "paid for that item alone; several requests in one step share them.",
       .thresholds = {{"few_rows", static_cast<double>(kFewRows),
                       "rows of a product up to which its weights' traffic is several times its "
                       "computation on every device of data/devices"},
                      {"least_share_ratio", kLeastShare,
                       "idle for launches and such products, share of the window"},
                      {"most_of_products_ratio", kMostOfProducts,
                       "share of the products that are for one item or few rows"},
                      {"stated_batch", 8, "items that the gain is computed for"}},
       .tested_on_real_input = true},
      &check);
}

}  // namespace rooflab::rules
