// SPDX-License-Identifier: Apache-2.0
// Another tool's figures beside what they mean (`why --as ID`).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/page.h"
#include "report/text.h"
#include "report/why.h"

namespace rooflab::report {
namespace {

// A value as the peer prints it, so that digits can be compared.
double rounded(const analysis::PeerFigure& figure) {
  const double scale = std::pow(10.0, std::clamp(figure.decimals, 0, 12));
  return std::round(figure.value * scale) / scale;
}

}  // namespace

Table peer_table(const analysis::Peer& peer, const analysis::PeerReport& figures) {
  Table t;
  t.id = peer.id;
  t.title = peer.title;
  t.columns = {{"label", "row", Unit::kText},
               {"figure", "figure", Unit::kText},
               {"value", "value", Unit::kNumber}};
  for (const analysis::PeerRow& row : figures.rows) {
    for (const analysis::PeerFigure& figure : row.figures) {
      t.rows.push_back({row.label, figure.key, rounded(figure)});
    }
  }
  t.notes = {figures.definition, figures.difference};
  return t;
}

Json peer_json(const analysis::Peer& peer, const analysis::PeerReport& figures) {
  Json rows = Json::array();
  for (const analysis::PeerRow& row : figures.rows) {
    Json values = Json::object();
    for (const analysis::PeerFigure& figure : row.figures) values[figure.key] = rounded(figure);
    rows.push_back({{"label", row.label}, {"figures", std::move(values)}});
  }
  Json body = {{"id", peer.id},
               {"title", peer.title},
               {"definition", figures.definition},
               {"difference", figures.difference},
               {"rows", std::move(rows)}};
  return {{"as", std::move(body)}};
}

std::string peer_text(const analysis::Peer& peer, const analysis::PeerReport& figures,
                      const Style& style) {
  Page page(style);
  page.heading(peer.title);
  for (const analysis::PeerRow& row : figures.rows) {
    page.line(printable(row.label));
    for (const analysis::PeerFigure& figure : row.figures) {
      page.line(fmt::format("  {} {:>16.{}f}", pad_right(printable(figure.key), 32), figure.value,
                            std::clamp(figure.decimals, 0, 12)));
    }
  }
  page.line();
  page.paragraph("what they mean: ", figures.definition);
  page.paragraph("why they differ from ours: ", figures.difference);
  return std::move(page).take();
}

}  // namespace rooflab::report
