// SPDX-License-Identifier: Apache-2.0
#include "importers/wire.h"

#include <protozero/exception.hpp>
#include <protozero/pbf_reader.hpp>

namespace rooflab::importers::wire {

bool each_field(std::string_view message, const std::function<void(const Field&)>& visit) {
  protozero::pbf_reader reader(message.data(), message.size());
  Field field;
  bool in_bytes = false;
  try {
    while (reader.next()) {
      field = Field{};
      field.number = reader.tag();
      switch (reader.wire_type()) {
        case protozero::pbf_wire_type::varint:
          field.bits = reader.get_uint64();
          break;
        case protozero::pbf_wire_type::fixed64:
          field.type = Type::kFixed64;
          field.bits = reader.get_fixed64();
          break;
        case protozero::pbf_wire_type::fixed32:
          field.type = Type::kFixed32;
          field.bits = reader.get_fixed32();
          break;
        case protozero::pbf_wire_type::length_delimited: {
          field.type = Type::kBytes;
          in_bytes = true;
          const protozero::data_view view = reader.get_view();
          in_bytes = false;
          field.bytes = {view.data(), view.size()};
          break;
        }
        default:
          return false;
      }
      visit(field);
    }
    return true;
  } catch (const protozero::end_of_buffer_exception&) {
    if (!in_bytes) return false;
    // The length was read, and what there is stands behind it.
    field.bytes = {reader.data().data(), reader.data().size()};
    visit(field);
    return false;
  } catch (const protozero::exception&) {
    return false;
  }
}

}  // namespace rooflab::importers::wire
