// SPDX-License-Identifier: Apache-2.0
#include "compressed_file.hpp"

#include <cerrno>
#include <cstring>
#include <ios>
#include <ostream>
#include <system_error>
#include <utility>

#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <fmt/format.h>

#include <tc/config/built_in_files.hpp>

namespace tc::study {
namespace {

namespace io = boost::iostreams;

// First bytes of the two containers. No header line begins so.
constexpr int xz_first_byte = 0xfd, gzip_first_byte = 0x1f;

/// Gives a stream what a compressor makes. Throws where the stream fails: the compressor would offer the same bytes again for ever.
class stream_sink {
 public:
  using char_type = char;
  using category = io::sink_tag;

  explicit stream_sink(std::ostream& target) : target_(&target) {}

  std::streamsize write(const char* bytes, std::streamsize count) {
    if (!target_->write(bytes, count)) throw std::ios_base::failure("the compressed file cannot be written");
    return count;
  }

 private:
  std::ostream* target_;
};

}  // namespace

compressed_input::compressed_input(const std::filesystem::path& path)
    : name_(path.string()), file_(std::make_unique<std::ifstream>()), unpacked_(nullptr) {
  if (config::is_folder(path)) throw vector_error(name_, "is a folder; vectors are in files");
  file_->open(path, std::ios::binary);
  if (!*file_) throw vector_error(name_, fmt::format("cannot be opened: {}", std::strerror(errno)));
  const int first = file_->peek();
  file_->clear();  // an empty file is not an error of the stream
  if (path.extension() == ".xz" && first != xz_first_byte) throw vector_error(name_, "is named .xz but does not hold xz data");
  if (path.extension() == ".gz" && first != gzip_first_byte) throw vector_error(name_, "is named .gz but does not hold gzip data");

  auto filters = std::make_unique<io::filtering_istream>();
  if (first == xz_first_byte) filters->push(io::lzma_decompressor());
  if (first == gzip_first_byte) filters->push(io::gzip_decompressor());
  filters->push(*file_);
  filters->exceptions(std::ios_base::badbit);
  unpacked_ = std::move(filters);
}

compressed_input::~compressed_input() = default;
compressed_input::compressed_input(compressed_input&&) noexcept = default;
compressed_input& compressed_input::operator=(compressed_input&&) noexcept = default;

std::size_t compressed_input::read(char* bytes, std::size_t count) {
  try {
    unpacked_->read(bytes, static_cast<std::streamsize>(count));
  } catch (const std::ios_base::failure&) {
    throw vector_error(name_, "the compressed data are damaged or cut off");
  }
  return static_cast<std::size_t>(unpacked_->gcount());
}

bool compressed_input::read_line(std::string& line, std::size_t limit) {
  line.clear();
  for (char next = 0; line.size() <= limit && read(&next, 1) == 1; line += next)
    if (next == '\n') return true;
  return false;
}

compression compression_of(const std::filesystem::path& path) {
  if (path.extension() == ".xz") return compression::xz;
  return path.extension() == ".gz" ? compression::gzip : compression::none;
}

std::filesystem::path without_compression(const std::filesystem::path& path) {
  return compression_of(path) == compression::none ? path : std::filesystem::path(path).replace_extension();
}

void write_compressed(std::ostream& target, compression how, const std::function<void(std::ostream&)>& write) {
  io::filtering_ostream filters;
  if (how == compression::xz) filters.push(io::lzma_compressor());
  if (how == compression::gzip) filters.push(io::gzip_compressor());
  filters.push(stream_sink(target));
  filters.exceptions(std::ios_base::badbit);
  write(filters);
  filters.reset();
}

}  // namespace tc::study
