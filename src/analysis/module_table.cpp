// SPDX-License-Identifier: Apache-2.0
// Modules from python frames named "nn.Module: Linear_0" (torch.profiler with_stack or
// with_modules): a module's path is the chain of such frames around it. Work belongs to the
// innermost module around its launch; the backward pass runs on another thread, so its operators
// belong to the module of the forward operator they are linked to.
#include <algorithm>
#include <unordered_map>

#include "analysis/op_table.h"

namespace rooflab::analysis {
namespace {

constexpr std::uint32_t kNone = 0xffffffffU;
constexpr std::string_view kModulePrefix =
    "nn.Module: ";  // torch/csrc/autograd/profiler_python.cpp
// Deeper ones count for their ancestor, so that paths stay of bounded length whatever a file holds.
constexpr std::uint32_t kDeepestModule = 64;
constexpr std::size_t kLongestName = 256;

struct Node {
  std::uint32_t parent = kNone;
  std::uint32_t depth = 1;
  StringId name;
  std::int64_t calls = 0;
  std::int64_t host = 0, device = 0, backward = 0;
};

struct Modules {
  std::vector<Node> nodes;             // parents before children
  std::vector<std::uint32_t> node_of;  // by span row: the innermost module around it or itself
};

bool is_module(const model::Profile& p, std::size_t row) {
  return p.spans.kind[row] == model::SpanKind::kPython &&
         p.text(p.spans.name[row]).substr(0, kModulePrefix.size()) == kModulePrefix;
}

Modules find_modules(const model::Profile& p, const HostTree& tree) {
  Modules modules;
  modules.node_of.assign(p.spans.size(), kNone);
  std::unordered_map<std::uint64_t, std::uint32_t> child;
  for (std::size_t row = 0; row < p.spans.size() && row < tree.parent.size(); ++row) {
    const std::uint32_t parent_row = tree.parent[row].row;
    const std::uint32_t around = parent_row < row ? modules.node_of[parent_row] : kNone;
    modules.node_of[row] = around;
    if (!is_module(p, row)) continue;
    const std::uint32_t depth = around == kNone ? 1 : modules.nodes[around].depth + 1;
    if (depth > kDeepestModule) continue;
    const StringId name = p.spans.name[row];
    const auto [entry, fresh] = child.try_emplace((std::uint64_t{around} << 32U) | name.row,
                                                  static_cast<std::uint32_t>(modules.nodes.size()));
    if (fresh) modules.nodes.push_back({around, depth, name, 0, 0, 0, 0});
    Node& node = modules.nodes[entry->second];
    node.calls += 1;
    node.host = saturating_add(node.host, p.spans.duration[row]);
    modules.node_of[row] = entry->second;
  }
  return modules;
}

// By span row: the module whose forward pass a span outside any module is the backward of.
std::vector<std::uint32_t> backward_modules(const model::Profile& p, const HostTree& tree,
                                            const Modules& modules) {
  std::vector<std::uint32_t> of(p.spans.size(), kNone);
  for (const model::ForwardBackward& link : p.forward_backward) {
    if (link.forward.row >= of.size() || link.backward.row >= of.size()) continue;
    if (modules.node_of[link.backward.row] == kNone)
      of[link.backward.row] = modules.node_of[link.forward.row];
  }
  for (std::size_t row = 0; row < of.size() && row < tree.parent.size(); ++row) {
    const std::uint32_t parent = tree.parent[row].row;
    if (of[row] == kNone && parent < row) of[row] = of[parent];
  }
  return of;
}

void add_device_time(const model::Profile& p, const HostTree& tree, Modules& modules) {
  const std::vector<std::uint32_t> backward = backward_modules(p, tree, modules);
  for (std::size_t i = 0; i < p.work.size(); ++i) {
    const model::SpanId from = p.work.launch[i].valid() ? p.work.launch[i] : p.work.op[i];
    if (from.row >= p.spans.size()) continue;
    const bool forward = modules.node_of[from.row] != kNone;
    const std::uint32_t node = forward ? modules.node_of[from.row] : backward[from.row];
    if (node == kNone) continue;
    std::int64_t& time = forward ? modules.nodes[node].device : modules.nodes[node].backward;
    time = saturating_add(time, p.work.duration[i]);
  }
  for (std::size_t i = modules.nodes.size(); i-- > 0;) {
    const Node& node = modules.nodes[i];
    if (node.parent == kNone) continue;
    Node& parent = modules.nodes[node.parent];
    parent.device = saturating_add(parent.device, node.device);
    parent.backward = saturating_add(parent.backward, node.backward);
  }
}

std::string path_of(const model::Profile& p, const Modules& modules, std::uint32_t node) {
  std::vector<std::string_view> names;
  for (; node != kNone; node = modules.nodes[node].parent) {
    names.push_back(p.text(modules.nodes[node].name).substr(kModulePrefix.size(), kLongestName));
  }
  std::string path;
  for (auto name = names.rbegin(); name != names.rend(); ++name) {
    if (!path.empty()) path += '/';
    path += *name;
  }
  return path;
}

}  // namespace

ModuleTable module_table(const model::Profile& p, const HostTree& tree) {
  Modules modules = find_modules(p, tree);
  ModuleTable table;
  if (modules.nodes.empty()) return table;
  add_device_time(p, tree, modules);
  for (std::size_t i = 0; i < modules.nodes.size(); ++i) {
    const Node& node = modules.nodes[i];
    table.rows.push_back({path_of(p, modules, static_cast<std::uint32_t>(i)), node.calls,
                          Nanos(node.host), Nanos(saturating_add(node.device, node.backward)),
                          Nanos(node.backward)});
  }
  std::stable_sort(table.rows.begin(), table.rows.end(),
                   [](const ModuleRow& a, const ModuleRow& b) {
                     if (a.device_sum != b.device_sum) return a.device_sum > b.device_sum;
                     return a.host_sum > b.host_sum;
                   });
  return table;
}

}  // namespace rooflab::analysis
