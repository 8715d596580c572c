// SPDX-License-Identifier: Apache-2.0
// Packed traces. Every byte of one is under a checksum, so inputs are mutated block by block, and checksums and places put right. What is
// read and verified must unpack to a text.
#include <array>
#include <memory>
#include <random>
#include <sstream>
#include <vector>

#include <tc/packed/packed_format.hpp>
#include <tc/packed/packed_trace.hpp>
#include <tc/packed/trace_packer.hpp>
#include <tc/trace/trace.hpp>
#include <tc/trace/trace_error.hpp>

#include "support.hpp"

/// Of libFuzzer: mutates `size` bytes in place, up to `max_size`; returns how many they are then.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);
/// libFuzzer calls it in place of LLVMFuzzerMutate.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed);

namespace tcsim::fuzz {
namespace {

using tc::packed::byte_writer;
using bytes = std::vector<std::uint8_t>;

/// The blocks of a packed trace in the order of the file, unpacked. Its file holds them uncompressed, as a packed trace may.
class packed_blocks {
 public:
  explicit packed_blocks(tc::packed::packed_file& file) : directory_(file.directory()) {
    read(file, directory_.images.begin, directory_.images.end, parts_[images]);
    read(file, directory_.steps.begin, directory_.steps.end, parts_[steps]);
    read(file, directory_.text, directory_.kernel, parts_[text]);
    for (const auto& [part, offset] : {std::pair{kernel, directory_.kernel}, {code, directory_.code}, {warps, directory_.warps}})
      read(file, offset, offset + 1, parts_[part]);
    parts_[sizes] = {sizes_content()};
    parts_[directory] = {directory_content()};
  }

  /// Mutates one of the blocks; what tells sizes and places follows from the others unless it is that.
  template <class Random>
  void mutate(Random& random) {
    std::vector<std::pair<part, bytes*>> all;
    for (unsigned i = 0; i < part_count; ++i)
      for (bytes& block : parts_[i]) all.emplace_back(static_cast<part>(i), &block);
    const auto& [changed, block] = all[random() % all.size()];
    constexpr std::size_t room = 256;
    const std::size_t size = block->size();
    block->resize(size + room);
    block->resize(LLVMFuzzerMutate(block->data(), size, block->size()));
    changed_ = changed;
  }

  /// The file.
  bytes content() {
    byte_writer preamble;
    for (const std::uint8_t byte : tc::packed::packed_magic) preamble.byte(byte);
    preamble.fixed<4>(tc::packed::packed_version);
    preamble.fixed<4>(tc::packed::checksum_of(preamble.bytes().data(), preamble.bytes().size()));
    bytes file = preamble.bytes();
    append_stream(images, directory_.images, file);
    append_stream(steps, directory_.steps, file);
    directory_.text = append(parts_[text], file);
    directory_.kernel = append(parts_[kernel], file);
    directory_.code = append(parts_[code], file);
    directory_.warps = append(parts_[warps], file);
    if (changed_ != sizes) parts_[sizes] = {sizes_content()};
    directory_.block_sizes = append(parts_[sizes], file);
    if (changed_ != directory) parts_[directory] = {directory_content()};
    append_tail(append(parts_[directory], file), file);
    return file;
  }

 private:
  enum part : unsigned { images, steps, text, kernel, code, warps, sizes, directory, part_count };

  static void read(tc::packed::packed_file& file, std::uint64_t begin, std::uint64_t end, std::vector<bytes>& blocks) {
    while (begin < end) begin = file.read_block(begin, blocks.emplace_back());
  }

  /// Appends a block as it is: compressing it would take longer than all else.
  static void append_block(const bytes& plain, bytes& file) {
    byte_writer content;
    content.fixed<4>(plain.size());
    content.fixed<4>(plain.size());
    content.append(plain.data(), plain.data() + plain.size());
    byte_writer checksum;
    checksum.fixed<4>(tc::packed::checksum_of(content.bytes().data(), content.bytes().size()));
    for (const byte_writer* part : {&checksum, &content}) file.insert(file.end(), part->bytes().begin(), part->bytes().end());
  }

  static std::uint64_t append(const std::vector<bytes>& blocks, bytes& file) {
    const std::uint64_t begin = file.size();
    for (const bytes& block : blocks) append_block(block, file);
    return begin;
  }

  void append_stream(part which, tc::packed::stream_place& place, bytes& file) {
    place.begin = file.size();
    place.bytes = 0;
    stored_[which].clear();
    for (const bytes& block : parts_[which]) {
      const std::size_t begin = file.size();
      append_block(block, file);
      stored_[which].push_back(file.size() - begin);
      place.bytes += block.size();
    }
    place.end = file.size();
  }

  bytes sizes_content() const {
    byte_writer out;
    for (const auto& stream : stored_) {
      out.number(stream.size());
      for (const std::uint64_t size : stream) out.number(size);
    }
    return out.bytes();
  }

  bytes directory_content() const {
    byte_writer out;
    tc::packed::packed_directory::visit(directory_, [&](std::uint64_t number) { out.number(number); });
    return out.bytes();
  }

  static void append_tail(std::uint64_t directory_offset, bytes& file) {
    byte_writer tail;
    tail.fixed<8>(directory_offset);
    tail.fixed<4>(tc::packed::checksum_of(tail.bytes().data(), tail.bytes().size()));
    for (const std::uint8_t byte : tc::packed::tail_magic) tail.byte(byte);
    file.insert(file.end(), tail.bytes().begin(), tail.bytes().end());
  }

  tc::packed::packed_directory directory_;
  std::array<std::vector<bytes>, part_count> parts_;
  std::array<std::vector<std::uint64_t>, 2> stored_;  ///< bytes of each block of images and of steps
  part changed_ = part_count;
};

/// The input with a block mutated; empty if it is no packed trace, or would be too large.
bytes mutated(const std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed) {
  std::minstd_rand random(seed);
  if (random() % 16 == 0) return {};
  try {
    packed_blocks blocks(*tc::packed::open_packed(memory_file(text_of(data, size)).path()));
    blocks.mutate(random);
    bytes content = blocks.content();
    return content.size() > max_size ? bytes{} : content;
  } catch (const tc::trace::trace_error&) {
    return {};
  }
}

void copy_content(const tc::trace::memory_content& content) {
  std::array<std::uint8_t, 4096> piece;
  const std::uint64_t bytes = std::min<std::uint64_t>(content.bytes(), piece.size());
  content.copy(0, piece.data(), bytes);
  content.copy(content.bytes() - bytes, piece.data(), bytes);
}

void read(const std::filesystem::path& path) {
  const tc::trace::trace trace = tc::trace::trace::open(path);
  trace.summary();
  for (const auto& image : trace.header().memory) copy_content(image.content);
  for (const auto& image : trace.header().constants) copy_content(image.content);
  trace.verify();
  std::ostringstream text;
  tc::packed::unpack_trace(path, "/nonexistent", text);
}

}  // namespace
}  // namespace tcsim::fuzz

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed) {
  const auto content = tcsim::fuzz::mutated(data, size, max_size, seed);
  if (content.empty()) return LLVMFuzzerMutate(data, size, max_size);
  std::copy(content.begin(), content.end(), data);
  return content.size();
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tcsim::fuzz;
  if (size == 0 || !tc::packed::packed_file::begins_with(*data)) return 0;  // which trace_text reads
  try {
    read(memory_file(text_of(data, size)).path());
  } catch (const tc::trace::trace_error&) {
    // With an offset, or a line of the header.
  }
  return 0;
}
