// SPDX-License-Identifier: Apache-2.0
// Opening an input and finding who can read it; what a directory holds.
#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>

#include "importers/importer.h"

namespace rooflab::importers {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHeadBytes = std::size_t{64} << 10U;
// In a directory, files that are merely JSON are not taken for traces.
constexpr int kSureEnough = 50;

struct Opened {
  std::unique_ptr<ByteSource> source;
  std::string head;
};

// Nothing came out: the file has no bytes, or compressed bytes that decompress to nothing.
Error nothing_inside(const ByteSource& source, const std::string& path) {
  const std::string damage(source.damage());
  return {ErrorCode::kUnreadable,
          damage.empty() ? "the input is empty" : "the input holds no text: it " + damage, path,
          "copy or record it again"};
}

Result<Opened> open_with_head(const std::string& path) {
  RL_TRY(std::unique_ptr<ByteSource> source, open_source(path));
  Opened opened;
  opened.source = with_head(std::move(source), kHeadBytes, opened.head);
  return opened;
}

struct Choice {
  Importer importer{};
  int confidence = 0;
};

Choice choose(const Probe& probe) {
  Choice best;
  for (const Importer& importer : all_importers()) {
    const int confidence = importer.sniff(probe);
    if (confidence > best.confidence) best = {importer, confidence};
  }
  return best;
}

// Empty for stdin, which can be read only once, and for what cannot be opened: reading it says why.
std::string recording_of(const std::string& path) {
  if (path == "-") return {};
  const Result<Opened> opened = open_with_head(path);
  if (!opened) return {};
  const Probe probe{opened->head, path};
  const Choice choice = choose(probe);
  return choice.confidence > 0 && choice.importer.recording != nullptr
             ? choice.importer.recording(probe)
             : std::string();
}

Error unknown_format(const std::string& path) {
  std::string known;
  for (const Importer& importer : all_importers()) {
    known += (known.empty() ? "" : ", ") + std::string(importer.title);
  }
  return {ErrorCode::kUnreadable, "the format is not known", path, "rooflab reads: " + known};
}

}  // namespace

Result<model::Profile> import_file(const std::string& path, const ImportOptions& options) {
  RL_TRY(Opened opened, open_with_head(path));
  if (opened.head.empty()) return tl::unexpected<Error>(nothing_inside(*opened.source, path));
  const Choice choice = choose({opened.head, path});
  if (choice.confidence == 0) return tl::unexpected<Error>(unknown_format(path));
  return choice.importer.read(*opened.source, path, options);
}

Result<std::vector<std::string>> expand_inputs(const std::string& path) {
  std::error_code error;
  if (path == "-" || !fs::is_directory(path, error)) return std::vector<std::string>{path};
  std::vector<std::string> inputs;
  std::size_t files = 0;
  for (fs::directory_iterator it(path, error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;  // a file that vanished meanwhile is no input
    if (!it->is_regular_file(ignored)) continue;
    ++files;
    const std::string name = it->path().string();
    Result<Opened> opened = open_with_head(name);
    if (opened && choose({opened->head, name}).confidence >= kSureEnough) inputs.push_back(name);
  }
  if (error) {
    return fail(ErrorCode::kUnreadable, "the directory cannot be read: " + error.message(), path);
  }
  if (inputs.empty()) {
    return fail(ErrorCode::kUnreadable,
                "the directory holds nothing that rooflab can read (" + std::to_string(files) +
                    (files == 1 ? " file)" : " files)"),
                path, "directories are not searched below the first level; name the files");
  }
  std::sort(inputs.begin(), inputs.end());
  return inputs;
}

std::vector<Input> group_inputs(const std::vector<std::string>& paths) {
  std::vector<Input> inputs;
  std::map<std::string, std::size_t> by_recording;
  for (const std::string& path : paths) {
    const std::string recording = paths.size() > 1 ? recording_of(path) : std::string();
    const auto [it, added] = by_recording.try_emplace(recording, inputs.size());
    if (recording.empty() || added) {
      inputs.push_back({path, {path}});
    } else {
      Input& input = inputs[it->second];
      input.paths.push_back(path);
      input.name = recording;
    }
  }
  return inputs;
}

}  // namespace rooflab::importers
