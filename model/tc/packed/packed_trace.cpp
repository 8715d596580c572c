// SPDX-License-Identifier: Apache-2.0
#include "packed_trace.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <istream>
#include <utility>

#include <fmt/format.h>

#include <tc/packed/packed_stream.hpp>
#include <tc/trace/header_text.hpp>
#include <tc/trace/spool_file.hpp>
#include <tc/trace/trace_error.hpp>

namespace tc::packed {
namespace {

/// An image in the stream of images.
class image_in_stream final : public trace::content_source {
 public:
  image_in_stream(std::shared_ptr<const packed_stream> stream, std::uint64_t begin) : stream_(std::move(stream)), begin_(begin) {}

  void copy(std::uint64_t offset, std::uint8_t* destination, std::size_t count) const override {
    for (std::size_t done = 0; done < count;) done += stream_->read(begin_ + offset + done, destination + done, count - done);
  }

 private:
  std::shared_ptr<const packed_stream> stream_;
  std::uint64_t begin_;
};

std::optional<trace::memory_content> find_image(const packed_trace& trace, std::uint64_t line, std::uint64_t bytes) {
  const auto& images = trace.kernel.images;
  const auto found = std::lower_bound(images.begin(), images.end(), line,
                                      [](const packed_image& image, std::uint64_t wanted) { return image.line < wanted; });
  if (found == images.end() || found->line != line || found->bytes != bytes) return std::nullopt;
  return trace::memory_content::part(std::make_shared<const image_in_stream>(trace.images, found->offset), bytes);
}

}  // namespace

bool is_packed(const std::filesystem::path& path) {
  return std::filesystem::is_regular_file(path) && packed_file::begins_with(std::ifstream(path, std::ios::binary).peek());
}

std::unique_ptr<packed_file> open_packed(const std::filesystem::path& path) {
  trace::positioned_file file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) throw trace::trace_error::at_offset(path.string(), 0, fmt::format("cannot be opened: {}", std::strerror(errno)));
  return std::make_unique<packed_file>(std::move(file), path.string());
}

std::unique_ptr<packed_file> copy_packed(std::istream& in, const std::string& name, const std::filesystem::path& spool_folder) {
  constexpr std::size_t piece = std::size_t{1} << 16;
  trace::spool_file copy(spool_folder);
  for (bool more = true; more;) {
    std::uint8_t* const room = copy.reserve(piece);
    in.read(reinterpret_cast<char*>(room), piece);
    copy.commit(room + in.gcount());
    more = in.gcount() != 0;
  }
  copy.finish();
  return std::make_unique<packed_file>(std::move(copy).take(), name);
}

packed_trace read_packed(std::unique_ptr<packed_file> opened, const std::filesystem::path& folder, const trace::open_options& options) {
  const trace::size_limits& limits = options.limits;
  const std::shared_ptr<packed_file> file = std::move(opened);
  const packed_block_sizes sizes = read_block_sizes(*file);
  packed_trace read;
  read.images = std::make_shared<const packed_stream>(file, file->directory().images, sizes.images);
  read.kernel = read_kernel(*file, limits);
  read.contents = std::make_unique<trace::trace_contents>();
  trace::trace_contents& contents = *read.contents;
  contents.name = file->name();
  contents.header = trace::parse_header(
      read.kernel.header, file->name(), folder, [&](std::uint64_t line, std::uint64_t bytes) { return find_image(read, line, bytes); },
      limits, options.matrix_shapes);
  contents.header.registers = read.kernel.registers;
  contents.instructions = read.kernel.instructions;
  read.forms = read_code(*file, contents, limits);
  read_warps(*file, contents, limits);
  contents.steps = std::make_unique<packed_steps>(packed_stream(file, file->directory().steps, sizes.steps));
  return read;
}

}  // namespace tc::packed
