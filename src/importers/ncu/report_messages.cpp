// SPDX-License-Identifier: Apache-2.0
#include "importers/ncu/report_messages.h"

#include <limits>
#include <protozero/pbf_reader.hpp>

namespace rooflab::importers::ncu {
namespace {

using protozero::pbf_reader;
using protozero::pbf_wire_type;

std::string_view view(const protozero::data_view& data) { return {data.data(), data.size()}; }

pbf_reader reader_of(std::string_view message) {
  return pbf_reader(message.data(), message.size());
}

bool is(const pbf_reader& r, pbf_wire_type type) { return r.wire_type() == type; }

void read_sizes(pbf_reader message, std::array<std::int32_t, 3>& sizes) {
  while (message.next()) {
    if (!is(message, pbf_wire_type::varint) || message.tag() < 1 || message.tag() > 3) {
      message.skip();
      continue;
    }
    const std::size_t axis = message.tag() - 1;
    const std::uint64_t value = message.get_uint64();
    const bool fits = value > 0 && value <= std::numeric_limits<std::int32_t>::max();
    sizes[axis] = fits ? static_cast<std::int32_t>(value) : -1;
  }
}

void read_value(pbf_reader message, ReportMetric& metric) {
  while (message.next()) {
    if (message.tag() == 1 && is(message, pbf_wire_type::length_delimited)) {
      metric.text = view(message.get_view());
    } else if (message.tag() == 2 && is(message, pbf_wire_type::fixed32)) {
      metric.number = static_cast<double>(message.get_float());
      metric.is_number = true;
    } else if (message.tag() == 3 && is(message, pbf_wire_type::fixed64)) {
      metric.number = message.get_double();
      metric.is_number = true;
    } else if ((message.tag() == 4 || message.tag() == 5) && is(message, pbf_wire_type::varint)) {
      metric.number = static_cast<double>(message.get_uint64());
      metric.is_number = true;
    } else {
      message.skip();
    }
  }
}

ReportMetric read_metric(pbf_reader message) {
  ReportMetric metric;
  while (message.next()) {
    if (message.tag() == 1 && is(message, pbf_wire_type::varint)) {
      metric.name = message.get_uint64();
    } else if (message.tag() == 2 && is(message, pbf_wire_type::length_delimited)) {
      read_value(message.get_message(), metric);
    } else {
      message.skip();
    }
  }
  return metric;
}

void read_result_fields(pbf_reader message, ReportResult& result) {
  int best_name = -1;  // 7 full, 6 function, 5 mangled
  while (message.next()) {
    const auto tag = static_cast<int>(message.tag());
    if (is(message, pbf_wire_type::length_delimited)) {
      if (tag >= 5 && tag <= 7) {
        const std::string_view name = view(message.get_view());
        if (name.empty() || tag <= best_name) continue;
        result.name = name;
        best_name = tag;
      } else if (tag == 10) {
        read_sizes(message.get_message(), result.grid);
      } else if (tag == 11) {
        read_sizes(message.get_message(), result.block);
      } else if (tag == 13) {
        result.metrics.push_back(read_metric(message.get_message()));
      } else {
        message.skip();
      }
    } else if (tag == 1 && is(message, pbf_wire_type::varint)) {
      const std::uint64_t process = message.get_uint64();
      if (process <= std::numeric_limits<std::uint32_t>::max())
        result.process = static_cast<std::int64_t>(process);
    } else {
      message.skip();
    }
  }
}

void read_strings(pbf_reader message, std::vector<std::string>& strings) {
  while (message.next()) {
    if (message.tag() == 1 && is(message, pbf_wire_type::length_delimited)) {
      strings.emplace_back(view(message.get_view()));
    } else {
      message.skip();
    }
  }
}

}  // namespace

bool read_version(std::string_view message, std::uint64_t& version) {
  try {
    pbf_reader reader = reader_of(message);
    while (reader.next()) {
      if (reader.tag() == 1 && is(reader, pbf_wire_type::varint)) {
        version = reader.get_uint64();
      } else {
        reader.skip();
      }
    }
  } catch (const protozero::exception&) {
    return false;
  }
  return true;
}

bool read_block_header(std::string_view message, BlockHeader& header,
                       std::vector<std::string>& strings) {
  try {
    pbf_reader reader = reader_of(message);
    while (reader.next()) {
      const bool number = is(reader, pbf_wire_type::varint);
      if (reader.tag() == 1 && number) {
        header.sources = reader.get_uint64();
      } else if (reader.tag() == 2 && number) {
        header.results = reader.get_uint64();
      } else if (reader.tag() == 5 && number) {
        header.payload_bytes = reader.get_uint64();
      } else if (reader.tag() == 4 && is(reader, pbf_wire_type::length_delimited)) {
        read_strings(reader.get_message(), strings);
      } else {
        reader.skip();
      }
    }
  } catch (const protozero::exception&) {
    return false;
  }
  return true;
}

bool read_result(std::string_view message, ReportResult& result) {
  try {
    read_result_fields(reader_of(message), result);
  } catch (const protozero::exception&) {
    return false;
  }
  return true;
}

}  // namespace rooflab::importers::ncu
