// SPDX-License-Identifier: Apache-2.0
// A profile as lists of plain values, to compare two of them and to say where they differ.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "model/columns.h"
#include "model/fields.h"
#include "model/run_file/stored.h"

namespace rooflab::testing {

struct ProfileValues {
  std::map<std::string, std::vector<std::int64_t>> numbers;  // "spans.start"
  std::map<std::string, std::vector<std::string>> texts;

  template <class Row>
  void rows(const std::string& table, const std::vector<Row>& rows) {
    model::for_each_field<Row>([&](const std::string& name, auto field) {
      for (const Row& row : rows) add(table + "." + name, std::invoke(field, row));
    });
  }
  template <class Row>
  void row(const std::string& table, const Row& row) {
    rows(table, std::vector<Row>{row});
  }
  template <class Table>
  void columns(const std::string& table, const Table& columns) {
    model::for_each_column(columns, [&](std::string_view name, const auto& column) {
      for (const auto& value : column) add(table + "." + std::string(name), value);
    });
  }

 private:
  template <class T>
  void add(const std::string& name, const T& value) {
    if constexpr (std::is_same_v<T, std::string>) {
      texts[name].push_back(value);
    } else {
      numbers[name].push_back(model::run::to_stored(value));
    }
  }
};

inline ProfileValues values_of(const model::Profile& p) {
  ProfileValues out;
  for (std::size_t i = 0; i < p.strings.size(); ++i)
    out.texts["strings"].emplace_back(p.strings.view(StringId(i)));
  model::for_each_table(p, out);
  out.rows("hygiene", p.hygiene.notes());
  return out;
}

// The names of the columns that differ; empty = equal.
inline std::string difference(const model::Profile& a, const model::Profile& b) {
  const ProfileValues va = values_of(a), vb = values_of(b);
  std::string out;
  const auto compare = [&](const auto& ma, const auto& mb) {
    for (const auto& [name, values] : ma) {
      const auto it = mb.find(name);
      if (it == mb.end() || it->second != values) out += name + " ";
    }
    if (ma.size() != mb.size()) out += "(other columns) ";
  };
  compare(va.numbers, vb.numbers);
  compare(va.texts, vb.texts);
  return out;
}

}  // namespace rooflab::testing
