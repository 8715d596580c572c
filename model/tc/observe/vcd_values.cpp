#include "vcd_values.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>

namespace tc::observe {

namespace {

using byte_digits = std::array<char, 8>;

constexpr std::array<byte_digits, 256> all_digits() {
  std::array<byte_digits, 256> table{};
  for (std::size_t byte = 0; byte < 256; ++byte)
    for (std::size_t bit = 0; bit < 8; ++bit) table[byte][bit] = (byte >> (7 - bit)) & 1U ? '1' : '0';
  return table;
}

constexpr std::array<byte_digits, 256> digits = all_digits();

std::string_view without_leading_zeros(std::string_view binary) { return binary.substr(std::min(binary.find('1'), binary.size() - 1)); }

}  // namespace

void vcd_values::time(std::uint64_t cycle) {
  std::array<char, 20> decimal{};
  const auto end = std::to_chars(decimal.data(), decimal.data() + decimal.size(), cycle);
  ((text_ += '#') += std::string_view(decimal.data(), static_cast<std::size_t>(end.ptr - decimal.data()))) += '\n';
}

void vcd_values::number(std::uint64_t value, unsigned bits, std::string_view identifier) {
  if (bits == 1) {
    ((text_ += (value & 1U) != 0 ? '1' : '0') += identifier) += '\n';
    return;
  }
  if (bits < 64) value &= (std::uint64_t{1} << bits) - 1;
  std::array<char, 64> binary{};
  const unsigned bytes = value < 256 ? 1 : 8;
  for (unsigned b = 0; b < bytes; ++b) {
    const byte_digits& each = digits[(value >> (8 * (bytes - 1 - b))) & 0xffU];
    std::copy(each.begin(), each.end(), binary.begin() + 8 * b);
  }
  (text_ += 'b') += without_leading_zeros({binary.data(), std::size_t{8} * bytes});
  end_vector(identifier);
}

void vcd_values::text(std::string_view value, unsigned bits, std::string_view identifier) {
  const std::size_t begin = text_.size() + 1;
  text_ += "b0";
  for (const char c : value.substr(0, bits / 8)) {
    const byte_digits& each = digits[static_cast<unsigned char>(c)];
    text_.append(each.data(), each.size());
  }
  const std::size_t zeros = std::min(text_.find('1', begin), text_.size() - 1) - begin;
  text_.erase(begin, zeros);
  end_vector(identifier);
}

void vcd_values::undriven(unsigned bits, std::string_view identifier) {
  if (bits == 1) {
    ((text_ += 'z') += identifier) += '\n';
    return;
  }
  text_ += "bz";
  end_vector(identifier);
}

}  // namespace tc::observe
