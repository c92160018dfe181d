// SPDX-License-Identifier: Apache-2.0
// Three passes: nearest enclosing operator of every span (parents stand before children), device
// time of each operator and what it encloses (backwards), then the rows. Linear in spans and works.
#include "analysis/op_table.h"

#include <algorithm>
#include <unordered_map>

namespace rooflab::analysis {
namespace {

constexpr std::uint32_t kNone = 0xffffffffU;

// By span row: the innermost operator that encloses it, not itself; kNone = none.
std::vector<std::uint32_t> enclosing_ops(const model::Profile& p, const HostTree& tree) {
  std::vector<std::uint32_t> enclosing(p.spans.size(), kNone);
  for (std::size_t row = 0; row < enclosing.size() && row < tree.parent.size(); ++row) {
    const std::uint32_t parent = tree.parent[row].row;
    if (parent >= row) continue;  // none
    enclosing[row] = p.spans.kind[parent] == model::SpanKind::kOp ? parent : enclosing[parent];
  }
  return enclosing;
}

// Gives operators with equal keys one row. Most operators with equal arguments have one name, so a
// row is looked up by name, or by arguments, before it is searched for.
class RowKeys {
 public:
  RowKeys(const model::Profile& p, bool by_shape)
      : p_(p),
        by_shape_(by_shape),
        row_of_name_(p.strings.size(), kNone),
        last_of_args_(p.op_args.size()) {}

  std::uint32_t row_of(std::size_t span, std::vector<OpRow>& rows) {
    const StringId name = p_.spans.name[span];
    const std::uint32_t args = p_.spans.args[span].row;
    if (!by_shape_ || args >= last_of_args_.size()) {
      std::uint32_t& row = row_of_name_[name.row < row_of_name_.size() ? name.row : 0];
      if (row == kNone) row = add_row(name, {}, {}, rows);
      return row;
    }
    Last& last = last_of_args_[args];
    if (last.row == kNone || last.name != name) last = {name, search(name, p_.op_args[args], rows)};
    return last.row;
  }

 private:
  struct Last {
    StringId name;
    std::uint32_t row = kNone;
  };

  static std::uint32_t add_row(StringId name, StringId dims, StringId types,
                               std::vector<OpRow>& rows) {
    OpRow& row = rows.emplace_back();
    row.name = name;
    row.dims = dims;
    row.types = types;
    return static_cast<std::uint32_t>(rows.size() - 1);
  }

  // Arguments that differ only in strides or concrete values have one row.
  std::uint32_t search(StringId name, const model::OpArgs& texts, std::vector<OpRow>& rows) {
    const auto shape = shapes_
                           .try_emplace((std::uint64_t{texts.dims.row} << 32U) | texts.types.row,
                                        static_cast<std::uint32_t>(shapes_.size()))
                           .first->second;
    const auto [entry, fresh] =
        row_of_shape_.try_emplace((std::uint64_t{name.row} << 32U) | shape, kNone);
    if (fresh) entry->second = add_row(name, texts.dims, texts.types, rows);
    return entry->second;
  }

  const model::Profile& p_;
  bool by_shape_;
  std::vector<std::uint32_t> row_of_name_;
  std::vector<Last> last_of_args_;
  std::unordered_map<std::uint64_t, std::uint32_t> shapes_, row_of_shape_;
};

void add(Nanos& total, std::int64_t ns) { total = Nanos(saturating_add(total.value, ns)); }

bool inside(const Window* between, std::int64_t start) {
  return between == nullptr || (start >= between->start.value && start < between->end.value);
}

// By span row: time of the device work that it and the operators inside it launched.
std::vector<std::int64_t> device_times(const model::Profile& p,
                                       const std::vector<model::SpanId>& ops,
                                       const std::vector<std::uint32_t>& enclosing,
                                       const Window* between) {
  std::vector<std::int64_t> times(p.spans.size(), 0);
  for (std::size_t i = 0; i < p.work.size() && i < ops.size(); ++i) {
    if (ops[i].row < times.size() && inside(between, p.work.start[i]))
      times[ops[i].row] = saturating_add(times[ops[i].row], p.work.duration[i]);
  }
  for (std::size_t row = times.size(); row-- > 0;) {
    if (enclosing[row] == kNone || p.spans.kind[row] != model::SpanKind::kOp) continue;
    times[enclosing[row]] = saturating_add(times[enclosing[row]], times[row]);
  }
  return times;
}

}  // namespace

OpTable op_table(const model::Profile& p, const HostTree& tree,
                 const std::vector<model::SpanId>& ops, bool by_shape, const Window* between) {
  const std::vector<std::uint32_t> enclosing = enclosing_ops(p, tree);
  const std::vector<std::int64_t> device = device_times(p, ops, enclosing, between);
  OpTable table;
  RowKeys keys(p, by_shape);
  std::vector<std::uint32_t> row_of_span(p.spans.size(), kNone);
  std::vector<std::uint32_t> open;         // operators around the current span, outermost first
  std::vector<std::uint32_t> open_in_row;  // by row: how many of those are of it
  for (std::size_t span = 0; span < p.spans.size(); ++span) {
    if (p.spans.kind[span] != model::SpanKind::kOp) continue;
    const std::uint32_t key = row_of_span[span] = keys.row_of(span, table.rows);
    open_in_row.resize(table.rows.size(), 0);
    while (!open.empty() && open.back() != enclosing[span]) {
      --open_in_row[row_of_span[open.back()]];
      open.pop_back();
    }
    OpRow& row = table.rows[key];
    row.calls += 1;
    add(row.host_self, p.spans.duration[span]);
    if (!open.empty()) add(table.rows[row_of_span[open.back()]].host_self, -p.spans.duration[span]);
    if (open_in_row[key] == 0) {
      add(row.host_sum, p.spans.duration[span]);
      add(row.device_sum, device[span]);
    }
    open.push_back(static_cast<std::uint32_t>(span));
    ++open_in_row[key];
  }
  for (std::size_t i = 0; i < p.work.size() && i < ops.size(); ++i) {
    if (ops[i].row >= row_of_span.size() || row_of_span[ops[i].row] == kNone) continue;
    OpRow& row = table.rows[row_of_span[ops[i].row]];
    add(row.device_self, p.work.duration[i]);
    row.kernels += p.work.kind[i] == model::WorkKind::kKernel ? 1 : 0;
  }
  // Children that overlap each other (a damaged file) can add up to more than their parent.
  for (OpRow& row : table.rows) row.host_self = std::max(row.host_self, Nanos(0));
  std::sort(table.rows.begin(), table.rows.end(), [&](const OpRow& a, const OpRow& b) {
    if (a.device_self != b.device_self) return a.device_self > b.device_self;
    if (a.host_self != b.host_self) return a.host_self > b.host_self;
    if (a.name != b.name) return p.text(a.name) < p.text(b.name);
    return p.text(a.dims) < p.text(b.dims);
  });
  return table;
}

}  // namespace rooflab::analysis
