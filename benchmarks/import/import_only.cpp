// SPDX-License-Identifier: Apache-2.0
// Imports a trace and prints what it became, one line of JSON: the importer's share of any verb's
// time, and figures that an independent reader can check.
//
//   import_only FILE [THREADS]
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "importers/importer.h"

namespace {

using rooflab::model::Profile;
using rooflab::model::SpanKind;
using rooflab::model::WorkKind;

void print(const Profile& p, double seconds) {
  long long work_ns[3] = {0, 0, 0};
  long long work_count[3] = {0, 0, 0};
  long long linked = 0;
  for (std::size_t i = 0; i < p.work.size(); ++i) {
    const auto kind = static_cast<std::size_t>(p.work.kind[i]);
    work_ns[kind] += p.work.duration[i];
    ++work_count[kind];
    if (p.work.launch[i].valid()) ++linked;
  }
  long long span_count[9] = {};
  long long span_ns[9] = {};
  for (std::size_t i = 0; i < p.spans.size(); ++i) {
    const auto kind = static_cast<std::size_t>(p.spans.kind[i]);
    ++span_count[kind];
    span_ns[kind] += p.spans.duration[i];
  }
  std::printf(
      "{\"seconds\":%.3f,\"kernels\":[%lld,%lld],\"copies\":[%lld,%lld],\"sets\":[%lld,%lld],"
      "\"linked\":%lld,\"spans\":[",
      seconds, work_count[0], work_ns[0], work_count[1], work_ns[1], work_count[2], work_ns[2],
      linked);
  for (int i = 0; i < 9; ++i)
    std::printf("%s[%lld,%lld]", i == 0 ? "" : ",", span_count[i], span_ns[i]);
  std::printf(
      "],\"memory\":%zu,\"instants\":%zu,\"fwdbwd\":%zu,\"strings\":%zu,\"epoch\":%lld,\"hygiene\":"
      "{",
      p.memory_events.size(), p.instants.size(), p.forward_backward.size(), p.strings.size(),
      static_cast<long long>(p.provenance.epoch_ns));
  bool first = true;
  for (const auto& note : p.hygiene.notes()) {
    std::printf("%s\"%s\":%lld", first ? "" : ",", note.code.c_str(),
                static_cast<long long>(note.count));
    first = false;
  }
  std::printf("}}\n");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: import_only FILE [THREADS]\n");
    return 2;
  }
  rooflab::importers::ImportOptions options;
  if (argc > 2) options.threads = static_cast<unsigned>(std::atoi(argv[2]));
  const auto start = std::chrono::steady_clock::now();
  const auto profile = rooflab::importers::import_file(argv[1], options);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  if (!profile) {
    std::fprintf(stderr, "%s: %s (%s)\n", argv[1], profile.error().message.c_str(),
                 profile.error().hint.c_str());
    return 3;
  }
  print(*profile, took.count());
  return 0;
}
