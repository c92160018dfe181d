// SPDX-License-Identifier: Apache-2.0
// XPlane: what the XLA profiler of JAX and TensorFlow writes (*.xplane.pb), a protocol buffer read
// off the wire without its schema. The parts are in importers/xla/ and importers/wire.h.
//
// Refuses more than 4 GB (protocol buffers end at 2 GB) and bytes that hold no plane. A file that
// was cut off gives what is whole in it.
//
//   jax.profiler.trace("out")  ->  out/plugins/profile/<time>/<host>.xplane.pb
#include "importers/importer.h"
#include "importers/xla/xspace.h"
#include "model/builder.h"

namespace rooflab::importers {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{4} << 30U;
constexpr std::size_t kStep = std::size_t{1} << 20U;

int sniff(const Probe& probe) { return xla::begins_like_xspace(probe.head) ? 95 : 0; }

Result<model::Profile> read(ByteSource& source, const std::string& path, const ImportOptions&) {
  std::string bytes;
  for (;;) {
    const std::size_t before = bytes.size();
    bytes.resize(before + kStep);
    RL_TRY(const std::size_t got, source.read({bytes.data() + before, kStep}));
    bytes.resize(before + got);
    if (got == 0) break;
    if (bytes.size() > kMaxBytes)
      return fail(ErrorCode::kUnreadable, "an XPlane of more than 4 GB", path,
                  "record a shorter part of the run");
  }
  model::Builder builder(path);
  if (!xla::read_xspace(bytes, path, builder)) {
    return fail(ErrorCode::kUnreadable, "the bytes hold no plane of an XLA profile", path,
                "rooflab reads the .xplane.pb that jax.profiler writes");
  }
  builder.profile().provenance.importer = "xplane";
  return std::move(builder).build();
}

}  // namespace

Importer importer_xplane() {
  return {"xplane", "XLA profiler XPlane (JAX, TensorFlow)", &sniff, &read};
}

}  // namespace rooflab::importers
