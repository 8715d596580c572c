// SPDX-License-Identifier: Apache-2.0
#include "vector_file.hpp"

#include <ostream>
#include <stdexcept>

#include <fmt/format.h>

#include <tc/study/compressed_file.hpp>

namespace tc::study {
namespace {

constexpr std::size_t longest_header = 1000;

vector_header read_header(compressed_input& input) {
  std::string line;
  const bool has_line_feed = input.read_line(line, longest_header);
  if (line.empty() && !has_line_feed) throw vector_error(input.name(), "is empty; a vector file begins with a line of text");
  if (!has_line_feed) throw vector_error(input.name(), "does not begin with a line of text, which is the header of a vector file");
  try {
    return parse_header(line);
  } catch (const std::invalid_argument& error) {
    throw vector_error(input.name(), error.what());
  }
}

}  // namespace

vector_reader::vector_reader(const std::filesystem::path& file)
    : input_(file), header_(read_header(input_)), layout_(header_), bytes_(4UL * layout_.stored_words()), stored_(layout_.stored_words()) {}

bool vector_reader::next(vector_case& values) {
  if (cases_read_ == header_.cases) {
    if (char extra = 0; input_.read(&extra, 1) == 1)
      fail(fmt::format("goes on after the {} cases of {} bytes that its header announces", header_.cases, bytes_.size()));
    return false;
  }
  const std::size_t count = input_.read(bytes_.data(), bytes_.size());
  if (count != bytes_.size())
    fail(fmt::format("is truncated: case {} of {} has {} bytes instead of {}", cases_read_, header_.cases, count, bytes_.size()));
  for (std::size_t i = 0; i < stored_.size(); ++i) {
    stored_[i] = 0;
    for (unsigned byte = 0; byte < 4; ++byte) stored_[i] |= std::uint32_t{static_cast<unsigned char>(bytes_[4 * i + byte])} << (8 * byte);
  }
  check_unused_bits();
  if (values.d.empty() || cases_read_ == 0) values = make_case(header_);
  layout_.gather(stored_.data(), values);
  ++cases_read_;
  return true;
}

void vector_reader::check_unused_bits() const {
  for (unsigned i = 0; i < stored_.size(); ++i) {
    if ((stored_[i] & layout_.unused_bits(i)) == 0) continue;
    const vector_operand which = layout_.operand_at(i);
    const auto& format = shape_of(header_, which).format;
    fail(fmt::format("case {}: an element of {} is {:#x}, but {} has {} bits", cases_read_, study::name(which), stored_[i], format.name,
                     format.storage_bits));
  }
}

void vector_reader::fail(const std::string& message) const { throw vector_error(name(), message); }

vector_writer::vector_writer(std::ostream& out, const vector_header& header) : out_(out), layout_(header), stored_(layout_.stored_words()) {
  out_ << text_of(header) << '\n';
}

void vector_writer::write(const vector_case& values) {
  layout_.scatter(values, stored_.data());
  std::string bytes;
  bytes.reserve(4 * stored_.size());
  for (const std::uint32_t word : stored_)
    for (unsigned byte = 0; byte < 4; ++byte) bytes += static_cast<char>(word >> (8 * byte) & 0xff);
  out_ << bytes;
}

}  // namespace tc::study
