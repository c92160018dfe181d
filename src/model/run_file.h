// SPDX-License-Identifier: Apache-2.0
// The run file (`.rlab`): a Profile on disk, about a tenth of the trace it came from, read back in
// a fraction of the time.
//
// Columns stand in chunks of 64 Ki rows, each encoded (offset, delta or dictionary), split into
// byte planes, compressed with zstd, with a checksum and its smallest and largest value in the
// footer. A file is complete or absent (written to a temporary name, renamed). Reading skips tables
// and columns it does not know, refuses another major version, damage, and content that breaks the
// model's invariants (validate.h), and never takes more memory than ReadLimits says.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/io/byte_source.h"
#include "base/result.h"
#include "model/profile.h"

namespace rooflab::model {

// The first bytes of every run file. The high byte and the line ends tell a text-mode copy.
constexpr std::string_view kRunFileMagic{"\x89RLAB\r\n\x1a", 8};
// Another major: columns changed their meaning. Another minor: tables or columns were added.
constexpr std::uint32_t kRunFileMajor = 1;
constexpr std::uint32_t kRunFileMinor = 1;

struct ReadLimits {
  // Bytes the model may take; 0 = 1 GiB + 1000 bytes per byte of the file. Real profiles take about
  // ten; a file that claims more is damaged or hostile.
  std::uint64_t model_bytes = 0;
};

[[nodiscard]] Result<void> write_run(const Profile& profile, const std::string& path);
// The bytes of a run file, for tests and for sending elsewhere.
[[nodiscard]] Result<std::string> encode_run(const Profile& profile);

[[nodiscard]] Result<Profile> read_run(const std::string& path);
[[nodiscard]] Result<Profile> read_run(ByteSource& source, const std::string& where);
[[nodiscard]] Result<Profile> decode_run(std::string_view bytes, const std::string& where,
                                         const ReadLimits& limits = {});

}  // namespace rooflab::model
