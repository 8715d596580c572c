// SPDX-License-Identifier: Apache-2.0
#include "atomic_arithmetic.hpp"

#include <cstring>
#include <string_view>

#include <tc/isa/element_type.hpp>
#include <tc/lanes/float_arithmetic.hpp>

namespace tc::lanes {

namespace {

using isa::atomic_operation;

/// Whether the opcode has a suffix.
bool has_suffix(const isa::instruction& code, std::string_view suffix) {
  const std::string_view opcode = std::string_view(code.text).substr(0, code.text.find_first_of(" \t"));
  for (std::size_t at = opcode.find(suffix); at != std::string_view::npos; at = opcode.find(suffix, at + 1)) {
    const std::size_t end = at + suffix.size();
    if (at > 0 && opcode[at - 1] == '.' && (end == opcode.size() || opcode[end] == '.')) return true;
  }
  return false;
}

/// Whether an operation is one of floating-point elements.
bool takes_numbers(atomic_operation operation) {
  return operation == atomic_operation::add || operation == atomic_operation::minimum || operation == atomic_operation::maximum;
}

double added(double x, double y) { return x + y; }

std::uint64_t element_at(const std::uint8_t* from, unsigned bytes) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < bytes; ++i) value |= std::uint64_t{from[i]} << 8 * i;
  return value;
}

void set_element(std::uint8_t* to, std::uint64_t value, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i) to[i] = static_cast<std::uint8_t>(value >> 8 * i);
}

}  // namespace

std::optional<atomic_arithmetic> atomic_arithmetic::of(const isa::instruction& code) {
  atomic_arithmetic result;
  result.mods_ = code.mods;
  result.operation_ = code.mods.atomic;
  if (code.mods.population && result.operation_ == atomic_operation::none) result.operation_ = atomic_operation::increment;
  if (result.operation_ == atomic_operation::none) return std::nullopt;
  result.tells_whether_written_ = has_suffix(code, "CAST");
  // Each lane of .POPC.INC adds one. Other increments have a limit.
  if (code.mods.population) result.operation_ = atomic_operation::add;
  if (code.mods.first_format != isa::element_type::none) {
    if (!takes_numbers(result.operation_)) return std::nullopt;
    result.format_ = &isa::format_of(code.mods.first_format);
    result.element_bytes_ = result.format_->storage_bits / 8;
    if (code.mods.packed) result.elements_ = code.mods.access_bits / result.format_->storage_bits;
    return result;
  }
  const bool is_wide = isa::is_64_bit(code.mods.type) || code.mods.access_bits == 64;
  if (code.mods.access_bits == 128) {
    // Two words of 64 bits, which are exchanged, or compared and exchanged, together.
    if (result.operation_ != atomic_operation::exchange && !result.compares()) return std::nullopt;
    result.elements_ = 2;
  }
  result.element_bytes_ = is_wide || code.mods.access_bits == 128 ? 8 : 4;
  result.is_signed_ = has_suffix(code, "S32") || has_suffix(code, "S64");
  return result;
}

std::uint64_t atomic_arithmetic::sum(std::uint64_t old, std::uint64_t operand) const {
  if (format_ == nullptr) return old + operand;
  if (*format_ == numerics::f64) {
    double x, y;
    std::memcpy(&x, &old, sizeof x);
    std::memcpy(&y, &operand, sizeof y);
    const double total = added(x, y);
    std::memcpy(&old, &total, sizeof total);
    return old;
  }
  const float_arithmetic arithmetic(mods_, *format_);
  return arithmetic.sum(arithmetic.operand(old, *format_), arithmetic.operand(operand, *format_));
}

bool atomic_arithmetic::is_less(std::uint64_t x, std::uint64_t y) const {
  if (format_ != nullptr) {
    const auto order = [this](std::uint64_t bits) {
      const auto magnitude = static_cast<std::int64_t>(bits & format_->magnitude_mask());
      return (bits & format_->sign_bit()) != 0 ? -magnitude - 1 : magnitude;
    };
    return order(x) < order(y);
  }
  if (!is_signed_) return x < y;
  const std::uint64_t sign = std::uint64_t{1} << (8 * element_bytes_ - 1);
  return (x ^ sign) < (y ^ sign);
}

bool atomic_arithmetic::perform(std::uint8_t* memory, const std::uint8_t* operand, const std::uint8_t* replacement) const {
  if (compares()) {
    const bool is_same = std::memcmp(memory, operand, bytes()) == 0;
    if (is_same) std::memcpy(memory, replacement, bytes());
    return is_same;
  }
  for (unsigned i = 0; i < bytes(); i += element_bytes_) {
    const std::uint64_t brought = mods_.population ? 1 : element_at(operand + i, element_bytes_);
    set_element(memory + i, combined(element_at(memory + i, element_bytes_), brought), element_bytes_);
  }
  return true;
}

std::uint64_t atomic_arithmetic::combined(std::uint64_t old, std::uint64_t operand) const {
  switch (operation_) {
    case atomic_operation::add:
      return sum(old, operand);
    case atomic_operation::minimum:
      return is_less(operand, old) ? operand : old;
    case atomic_operation::maximum:
      return is_less(old, operand) ? operand : old;
    case atomic_operation::increment:
      return old >= operand ? 0 : old + 1;
    case atomic_operation::decrement:
      return old == 0 || old > operand ? operand : old - 1;
    case atomic_operation::conjunction:
      return old & operand;
    case atomic_operation::disjunction:
      return old | operand;
    case atomic_operation::exclusive_or:
      return old ^ operand;
    default:
      return operand;
  }
}

}  // namespace tc::lanes
