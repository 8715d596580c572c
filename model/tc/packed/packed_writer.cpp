// SPDX-License-Identifier: Apache-2.0
#include "packed_writer.hpp"

#include <algorithm>
#include <cstring>
#include <ostream>

#include <tc/packed/packed_format.hpp>

namespace tc::packed {

packed_writer::packed_writer(std::ostream& out, const std::filesystem::path& spool_folder) : out_(out), text_blocks_(spool_folder) {
  byte_writer preamble;
  preamble.append(packed_magic.data(), packed_magic.data() + packed_magic.size());
  preamble.fixed<4>(packed_version);
  preamble.fixed<4>(checksum_of(preamble.bytes().data(), preamble.bytes().size()));
  write(preamble.bytes().data(), preamble.bytes().size());
  directory_.images.block_bytes = image_block_bytes;
  directory_.steps.block_bytes = step_block_bytes;
  directory_.images.begin = offset_;
}

std::uint64_t packed_writer::add_image(const std::vector<std::uint8_t>& bytes) {
  const std::uint64_t offset = directory_.images.bytes;
  append(images_, bytes.data(), bytes.data() + bytes.size());
  return offset;
}

std::uint64_t packed_writer::add_steps(const std::uint8_t* begin, const std::uint8_t* end) {
  if (directory_.steps.bytes == 0) end_images();
  append(steps_, begin, end);
  return directory_.steps.bytes;
}

void packed_writer::end_images() {
  end(images_);
  directory_.steps.begin = offset_;
}

void packed_writer::append(block_stream& stream, const std::uint8_t* begin, const std::uint8_t* end) {
  const auto block = static_cast<std::size_t>(stream.place.block_bytes);
  stream.place.bytes += static_cast<std::uint64_t>(end - begin);
  stream.waiting.insert(stream.waiting.end(), begin, end);
  std::size_t done = 0;
  for (; stream.waiting.size() - done >= block; done += block) write_block(stream, stream.waiting.data() + done, block);
  stream.waiting.erase(stream.waiting.begin(), stream.waiting.begin() + static_cast<std::ptrdiff_t>(done));
}

void packed_writer::write_block(block_stream& stream, const std::uint8_t* bytes, std::size_t count) {
  block_.clear();
  append_block(bytes, count, block_);
  stream.sizes.push_back(block_.size());
  write(block_.data(), block_.size());
}

void packed_writer::end(block_stream& stream) {
  if (!stream.waiting.empty()) write_block(stream, stream.waiting.data(), stream.waiting.size());
  stream.waiting.clear();
  stream.place.end = offset_;
}

void packed_writer::add_text(std::uint64_t line, std::string_view text) {
  text_.number(line - text_line_);
  text_.text(text);
  text_line_ = line;
  if (text_.bytes().size() >= text_block_bytes) flush_text();
}

void packed_writer::flush_text() {
  block_.clear();
  append_block(text_.bytes().data(), text_.bytes().size(), block_);
  text_.clear();
  std::uint8_t* const room = text_blocks_.reserve(block_.size());
  text_blocks_.commit(std::copy(block_.begin(), block_.end(), room));
}

void packed_writer::finish(const byte_writer& kernel, const byte_writer& code, const byte_writer& warps) {
  end(steps_);
  directory_.text = offset_;
  write_text();
  directory_.kernel = write_block(kernel.bytes());
  directory_.code = write_block(code.bytes());
  directory_.warps = write_block(warps.bytes());
  byte_writer sizes, directory;
  write_block_sizes(sizes_, sizes);
  directory_.block_sizes = write_block(sizes.bytes());
  packed_directory::visit(directory_, [&](std::uint64_t number) { directory.number(number); });
  write_tail(write_block(directory.bytes()));
}

void packed_writer::write_text() {
  if (!text_.bytes().empty()) flush_text();
  text_blocks_.finish();
  std::vector<std::uint8_t> piece(text_block_bytes);
  for (std::uint64_t done = 0; done < text_blocks_.size();) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), text_blocks_.size() - done));
    done += text_blocks_.read(done, piece.data(), count);
    write(piece.data(), count);
  }
}

/// Returns where the block begins.
std::uint64_t packed_writer::write_block(const std::vector<std::uint8_t>& plain) {
  const std::uint64_t begin = offset_;
  block_.clear();
  append_block(plain.data(), plain.size(), block_);
  write(block_.data(), block_.size());
  return begin;
}

void packed_writer::write_tail(std::uint64_t directory_offset) {
  byte_writer tail;
  tail.fixed<8>(directory_offset);
  tail.fixed<4>(checksum_of(tail.bytes().data(), tail.bytes().size()));
  tail.append(tail_magic.data(), tail_magic.data() + tail_magic.size());
  write(tail.bytes().data(), tail.bytes().size());
}

void packed_writer::write(const std::uint8_t* bytes, std::size_t count) {
  out_.write(reinterpret_cast<const char*>(bytes), static_cast<std::streamsize>(count));
  offset_ += count;
}

}  // namespace tc::packed
