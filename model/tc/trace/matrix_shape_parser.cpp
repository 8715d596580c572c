// SPDX-License-Identifier: Apache-2.0
#include "matrix_shape_parser.hpp"

#include <limits>
#include <map>
#include <optional>

#include <fmt/format.h>

#include <tc/isa/element_type.hpp>
#include <tc/isa/mma_operation.hpp>

namespace tc::trace {

namespace {

constexpr std::string_view shape_keywords = "m, n, k, a, b, c, d, combine and saturate";

class matrix_shape_reader {
 public:
  explicit matrix_shape_reader(text_cursor& in) : in_(in) {}

  std::string read(isa::matrix_shape_table& table) {
    if (in_.at_end()) in_.fail("the mnemonic is missing, such as HMMA.16832.F32");
    const std::size_t begin = in_.position();
    std::string mnemonic(in_.word());
    while (!in_.at_end()) read_keyword();
    for (const std::string_view needed : {"m", "n", "k", "a", "b", "d"})
      if (places_.count(needed) == 0) in_.fail(fmt::format("'{}' is missing; the form is '{}'", needed, matrix_shape_form));
    if (places_.count("c") == 0) mma_.c = mma_.d;
    try {
      table.declare(mnemonic, mma_);
    } catch (const isa::matrix_shape_error& error) {
      const auto place = places_.find(error.part());
      in_.fail_at(place == places_.end() ? begin : place->second, error.what());
    }
    return mnemonic;
  }

 private:
  void read_keyword() {
    const std::size_t begin = in_.position();
    const std::string_view keyword = in_.word();
    if (places_.count(keyword) != 0) in_.fail_at(begin, fmt::format("'{}' is given twice", keyword));
    const bool has_value = keyword != "saturate";
    if (has_value && in_.at_end() && is_keyword(keyword)) in_.fail(fmt::format("the value of '{}' is missing", keyword));
    if (std::uint16_t* const extent = extent_of(keyword)) {
      places_[keyword] = in_.position();
      *extent = static_cast<std::uint16_t>(in_.number(keyword, 1, std::numeric_limits<std::uint16_t>::max()));
    } else if (isa::element_type* const type = type_of(keyword)) {
      places_[keyword] = in_.position();
      *type = read_type();
    } else if (keyword == "combine") {
      places_[keyword] = in_.position();
      mma_.combine = read_combination();
    } else if (keyword == "saturate") {
      places_[keyword] = begin;
      mma_.saturate = true;
    } else {
      in_.fail_at(begin, fmt::format("unknown keyword '{}'; there are {}", keyword, shape_keywords));
    }
  }

  std::uint16_t* extent_of(std::string_view keyword) {
    return keyword == "m" ? &mma_.m : keyword == "n" ? &mma_.n : keyword == "k" ? &mma_.k : nullptr;
  }

  isa::element_type* type_of(std::string_view keyword) {
    if (keyword == "a") return &mma_.a;
    if (keyword == "b") return &mma_.b;
    return keyword == "c" ? &mma_.c : keyword == "d" ? &mma_.d : nullptr;
  }

  bool is_keyword(std::string_view word) { return extent_of(word) != nullptr || type_of(word) != nullptr || word == "combine"; }

  isa::element_type read_type() {
    const std::size_t begin = in_.position();
    const std::string_view word = in_.word();
    const std::optional<isa::element_type> type = isa::find_element_type(word);
    if (!type) in_.fail_at(begin, fmt::format("unknown element type '{}'; it is one as PTX writes it, such as f16, e2m1 or s32", word));
    return *type;
  }

  isa::bit_operation read_combination() {
    const std::size_t begin = in_.position();
    const std::string_view word = in_.word();
    if (word == "xor") return isa::bit_operation::exclusive_or;
    if (word == "and") return isa::bit_operation::conjunction;
    in_.fail_at(begin, fmt::format("bits are combined by xor or and, not by '{}'", word));
  }

  text_cursor& in_;
  isa::mma_operation mma_;
  std::map<std::string_view, std::size_t> places_;  ///< by keyword, where its value stands
};

}  // namespace

std::string parse_matrix_shape(text_cursor& in, isa::matrix_shape_table& table) { return matrix_shape_reader(in).read(table); }

}  // namespace tc::trace
