// SPDX-License-Identifier: Apache-2.0
// How a value of the model stands in a column of a run file: as one int64. Integers, flags and
// enumerators as their number, a handle as its row or -1, floating values as their bits.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "base/handle.h"

namespace rooflab::model::run {

// What the footer calls a column's values; a reader refuses a column of another kind.
enum class ValueKind : std::uint8_t { kInteger = 0, kHandle = 1, kFloatBits = 2, kText = 3 };

template <class T>
struct IsHandle : std::false_type {};
template <class Tag>
struct IsHandle<Handle<Tag>> : std::true_type {};

template <class T>
constexpr ValueKind value_kind() {
  if constexpr (IsHandle<T>::value) return ValueKind::kHandle;
  return std::is_floating_point_v<T> ? ValueKind::kFloatBits : ValueKind::kInteger;
}

template <class T>
constexpr std::int64_t to_stored(T value) {
  if constexpr (IsHandle<T>::value) {
    return value.valid() ? std::int64_t{value.row} : -1;
  } else if constexpr (std::is_same_v<T, double>) {
    return std::bit_cast<std::int64_t>(value);
  } else if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<std::int32_t>(value);
  } else {
    return static_cast<std::int64_t>(value);
  }
}

// False where the number does not fit the type.
template <class T>
constexpr bool from_stored(std::int64_t stored, T& value) {
  if constexpr (IsHandle<T>::value) {
    if (stored < -1 || stored >= std::int64_t{T::kNone}) return false;
    value = stored < 0 ? T() : T(static_cast<std::uint32_t>(stored));
  } else if constexpr (std::is_same_v<T, double>) {
    value = std::bit_cast<double>(stored);
  } else if constexpr (std::is_same_v<T, float>) {
    if (!std::in_range<std::int32_t>(stored)) return false;
    value = std::bit_cast<float>(static_cast<std::int32_t>(stored));
  } else if constexpr (std::is_same_v<T, bool>) {
    if (stored != 0 && stored != 1) return false;
    value = stored != 0;
  } else if constexpr (std::is_enum_v<T>) {
    if (!std::in_range<std::underlying_type_t<T>>(stored)) return false;
    value = static_cast<T>(stored);
  } else if constexpr (std::is_same_v<T, std::uint64_t>) {
    value = static_cast<std::uint64_t>(stored);  // all 64 bits are used
  } else {
    if (!std::in_range<T>(stored)) return false;
    value = static_cast<T>(stored);
  }
  return true;
}

}  // namespace rooflab::model::run
