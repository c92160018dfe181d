// SPDX-License-Identifier: Apache-2.0
#include "report/contents.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace rooflab::report {
namespace {

using model::Profile;

std::vector<StreamContent> streams_of(const Profile& p) {
  std::vector<StreamContent> by_track(p.tracks.size());
  for (std::size_t i = 0; i < p.work.size(); ++i) {
    StreamContent& row = by_track[p.work.track[i].row];
    row.works += 1;
    row.sum = Nanos(saturating_add(row.sum.value, p.work.duration[i]));
  }
  std::vector<StreamContent> out;
  for (std::size_t t = 0; t < by_track.size(); ++t) {
    if (by_track[t].works == 0) continue;
    by_track[t].device = p.tracks[t].device;
    by_track[t].stream = p.tracks[t].stream;
    out.push_back(by_track[t]);
  }
  std::sort(out.begin(), out.end(), [](const StreamContent& a, const StreamContent& b) {
    return std::tuple(a.device.row, a.stream) < std::tuple(b.device.row, b.stream);
  });
  return out;
}

std::vector<ThreadContent> threads_of(const Profile& p) {
  std::vector<ThreadContent> by_track(p.tracks.size());
  for (std::size_t i = 0; i < p.spans.size(); ++i) {
    if (p.tracks[p.spans.track[i].row].kind == model::TrackKind::kThread)
      by_track[p.spans.track[i].row].spans += 1;
  }
  for (const model::SpanId launch : p.work.launch) {
    if (launch.valid() && launch.row < p.spans.size())
      by_track[p.spans.track[launch.row].row].launched += 1;
  }
  std::vector<ThreadContent> out;
  for (std::size_t t = 0; t < by_track.size(); ++t) {
    if (by_track[t].spans == 0) continue;
    by_track[t].track = model::TrackId(static_cast<std::uint32_t>(t));
    out.push_back(by_track[t]);
  }
  std::stable_sort(out.begin(), out.end(), [](const ThreadContent& a, const ThreadContent& b) {
    return std::tuple(a.launched, a.spans) > std::tuple(b.launched, b.spans);
  });
  return out;
}

std::vector<RangeContent> ranges_of(const Profile& p) {
  std::vector<RangeContent> out;
  std::unordered_map<std::uint32_t, std::size_t> places;
  for (std::size_t i = 0; i < p.spans.size(); ++i) {
    if (p.spans.kind[i] != model::SpanKind::kUserRange) continue;
    const auto [place, fresh] = places.emplace(p.spans.name[i].row, out.size());
    if (fresh) out.push_back({p.spans.name[i], 0, {}});
    RangeContent& row = out[place->second];
    row.count += 1;
    row.sum = Nanos(saturating_add(row.sum.value, p.spans.duration[i]));
  }
  std::stable_sort(out.begin(), out.end(), [](const RangeContent& a, const RangeContent& b) {
    return a.sum.value > b.sum.value;
  });
  return out;
}

}  // namespace

Contents contents_of(const Profile& p) { return {streams_of(p), threads_of(p), ranges_of(p)}; }

std::vector<model::DeviceId> devices_without_work(const Profile& p) {
  std::vector<bool> works(p.devices.size(), false);
  for (const model::TrackId track : p.work.track) {
    const model::DeviceId device = p.tracks[track.row].device;
    if (device.valid() && device.row < works.size()) works[device.row] = true;
  }
  std::vector<model::DeviceId> out;
  for (std::size_t d = 0; d < works.size(); ++d) {
    if (!works[d]) out.push_back(model::DeviceId(static_cast<std::uint32_t>(d)));
  }
  return out;
}

}  // namespace rooflab::report
