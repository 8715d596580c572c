// SPDX-License-Identifier: Apache-2.0
#include "line_reader.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <istream>
#include <system_error>
#include <utility>

#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <fmt/format.h>

#include <tc/trace/trace_error.hpp>

namespace tc::trace {
namespace {

constexpr std::size_t initial_buffer_bytes = std::size_t{1} << 16;

// First bytes of the two containers. Neither can begin a text of this format.
constexpr int xz_first_byte = 0xfd, gzip_first_byte = 0x1f;

// Those of UTF-16, whose byte-order mark Windows writes in front of what a shell redirects. Neither occurs in UTF-8.
constexpr int utf16_first_byte = 0xff, utf16_big_endian_first_byte = 0xfe;

}  // namespace

line_reader::line_reader(const std::filesystem::path& path, std::uint64_t max_unpacked_bytes)
    : name_(path.string()), max_unpacked_bytes_(max_unpacked_bytes), buffer_(initial_buffer_bytes) {
  std::error_code unknown;  // which opening it then tells
  if (std::filesystem::is_directory(path, unknown)) fail("is a folder; a trace is a file");
  file_ = std::make_unique<std::ifstream>(path, std::ios::binary);
  if (!*file_) fail(fmt::format("cannot be opened: {}", std::strerror(errno)));
  const int first = file_->peek();
  if (path.extension() == ".xz" && first != xz_first_byte) fail("is named .xz but does not hold xz data");
  if (path.extension() == ".gz" && first != gzip_first_byte) fail("is named .gz but does not hold gzip data");
  unpack(*file_);
}

line_reader::line_reader(std::istream& text, std::string name, std::uint64_t max_unpacked_bytes)
    : name_(std::move(name)), max_unpacked_bytes_(max_unpacked_bytes), buffer_(initial_buffer_bytes) {
  unpack(text);
}

line_reader::~line_reader() = default;

void line_reader::unpack(std::istream& raw) {
  const int first = raw.peek();
  raw.clear();  // an empty text is not an error of the stream
  text_ = &raw;
  if (first == utf16_first_byte || first == utf16_big_endian_first_byte) fail("is a text in UTF-16; write it as UTF-8");
  if (first != xz_first_byte && first != gzip_first_byte) return;
  auto filters = std::make_unique<boost::iostreams::filtering_istream>();
  if (first == xz_first_byte)
    filters->push(boost::iostreams::lzma_decompressor());
  else
    filters->push(boost::iostreams::gzip_decompressor());
  filters->push(raw);
  filters->exceptions(std::ios_base::badbit);
  text_ = filters.get();
  unpacked_ = std::move(filters);
}

bool line_reader::next(std::string_view& line) {
  std::size_t searched = 0;
  for (;;) {
    const char* text = buffer_.data() + begin_;
    if (const void* found = std::memchr(text + searched, '\n', end_ - begin_ - searched)) {
      line = {text, static_cast<std::size_t>(static_cast<const char*>(found) - text)};
      check_length(line.size());
      begin_ += line.size() + 1;
      ++line_;
      return true;
    }
    searched = end_ - begin_;
    if (!refill()) break;
  }
  if (begin_ == end_) return false;
  line = {buffer_.data() + begin_, end_ - begin_};
  check_length(line.size());
  begin_ = end_;
  terminated_ = false;
  ++line_;
  return true;
}

std::string_view line_reader::beginning() {
  constexpr std::size_t shown_bytes = std::size_t{1} << 14;
  while (end_ - begin_ < shown_bytes && refill()) {
  }
  return {buffer_.data() + begin_, std::min(end_ - begin_, shown_bytes)};
}

bool line_reader::refill() {
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  check_length(end_);
  if (end_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
  try {
    text_->read(buffer_.data() + end_, static_cast<std::streamsize>(buffer_.size() - end_));
  } catch (const std::ios_base::failure&) {
    fail("the compressed data are damaged or cut off");
  }
  if (text_->bad()) fail("cannot be read any further");
  const auto count = static_cast<std::size_t>(text_->gcount());
  end_ += count;
  if (unpacked_ != nullptr) unpacked_bytes_ += count;
  if (progress_) tell_progress();
  if (unpacked_bytes_ > max_unpacked_bytes_)
    fail(fmt::format("the compressed data are more than {} bytes when they are unpacked; unpack the file before", max_unpacked_bytes_));
  return count != 0;
}

void line_reader::tell_progress(progress_listener listener) {
  std::error_code unknown;
  const std::uintmax_t bytes = file_ == nullptr ? 0 : std::filesystem::file_size(name_, unknown);
  if (bytes == 0 || unknown) return;  // a pipe has no size
  file_bytes_ = bytes;
  progress_ = std::move(listener);
}

void line_reader::tell_progress() {
  const std::streamoff position = file_->tellg();  // -1 at the end
  progress_(position < 0 ? file_bytes_ : static_cast<std::uint64_t>(position), file_bytes_);
}

void line_reader::check_length(std::size_t bytes) const {
  if (bytes > max_line_bytes) fail(fmt::format("the line is longer than {} bytes", max_line_bytes));
}

void line_reader::fail(const std::string& message) const { throw trace_error(name_, line_ + 1, 1, message); }

}  // namespace tc::trace
