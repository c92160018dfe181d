// SPDX-License-Identifier: Apache-2.0
// `rooflab info FILE...`: what is inside, without analysing it.
#include "report/info.h"

#include <memory>
#include <nlohmann/json.hpp>

#include "analysis/kernel_class.h"
#include "cli/files.h"
#include "cli/verb.h"

namespace rooflab::cli {
namespace {

Result<Answer> describe(const Globals& g, const model::Profile& profile) {
  const analysis::KernelClasses classes = analysis::classify_kernels(profile);
  auto metrics = std::make_shared<analysis::Metrics>(analysis::device_metrics(profile, classes));
  Answer answer;
  answer.text = [&profile, metrics, &g] { return report::info_text(profile, *metrics, g.style); };
  answer.json = [&profile, metrics] { return report::info_json(profile, *metrics); };
  answer.table = [&profile, metrics] { return report::info_table(profile, *metrics); };
  answer.no_verdict = forbids_verdict(profile);
  return answer;
}

}  // namespace

Verb verb_info() {
  return {"info", "say what is inside a file",
          [](CLI::App& app, Globals& g) -> std::function<int()> {
            auto request = std::make_shared<FilesRequest>();
            request->verb = "info";
            request->analyse = false;
            request->accepts_empty = true;
            app.add_option("FILE", request->paths, "traces, run files or folders; - is stdin")
                ->required();
            app.footer("Example:\n  rooflab info trace.json.gz");
            return [request, &g] {
              return answer_files(
                  g, *request, [&g](const Loaded& loaded) { return describe(g, loaded.profile); });
            };
          },
          kFormats | kColors};
}

}  // namespace rooflab::cli
