// SPDX-License-Identifier: Apache-2.0
#include "packed_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include <tc/packed/packed_format.hpp>
#include <tc/trace/trace_error.hpp>

namespace tc::packed {

packed_file::packed_file(trace::positioned_file file, std::string name)
    : file_(std::move(file)), name_(std::move(name)), size_(file_.size()) {
  read_preamble();
  read_directory();
}

void packed_file::read_preamble() {
  if (size_ < preamble_bytes) fail(size_, "the packed trace is cut off");
  std::array<std::uint8_t, preamble_bytes> preamble{};
  read(0, preamble.data(), preamble.size());
  if (!std::equal(packed_magic.begin(), packed_magic.end(), preamble.begin()))
    fail(0, "neither a trace nor a packed trace; if it was one, its line ends have been changed: transfer it as binary data");
  constexpr std::size_t version_at = packed_magic.size(), checksum_at = version_at + 4;
  if (checksum_of(preamble.data(), checksum_at) != get_fixed<4>(preamble.data() + checksum_at))
    fail(0, "the packed trace is damaged: its first bytes do not agree with their checksum");
  const std::uint64_t version = get_fixed<4>(preamble.data() + version_at);
  if (version != packed_version)
    fail(version_at,
         fmt::format("version {} of the packed format; this tcsim reads version {}. Unpack the trace with the tcsim that packed "
                     "it (tcsim trace unpack)",
                     version, packed_version));
}

void packed_file::read_directory() {
  if (size_ < preamble_bytes + tail_bytes) fail(size_, "the packed trace is cut off");
  std::array<std::uint8_t, tail_bytes> tail{};
  const std::uint64_t tail_offset = size_ - tail_bytes;
  read(tail_offset, tail.data(), tail.size());
  constexpr std::size_t checksum_at = 8, magic_at = 12;
  if (checksum_of(tail.data(), checksum_at) != get_fixed<4>(tail.data() + checksum_at) ||
      !std::equal(tail_magic.begin(), tail_magic.end(), tail.begin() + magic_at))
    fail(tail_offset, "the packed trace is cut off or damaged: these are not the last bytes of one");
  directory_offset_ = get_fixed<8>(tail.data());
  byte_reader directory(*this, directory_offset_);
  if (directory.next_offset() != tail_offset) fail(directory.next_offset(), "the packed trace does not end behind its directory");
  packed_directory::visit(directory_, [&](std::uint64_t& number) { number = directory.number(); });
}

std::uint64_t packed_file::read_block(std::uint64_t offset, std::vector<std::uint8_t>& plain) {
  const std::uint64_t left = offset < size_ ? size_ - offset : 0;
  const auto cut_off = [&] { fail(offset, "the packed trace is damaged: no block can begin here"); };
  if (left < block_head::bytes) cut_off();
  block_.resize(block_head::bytes);
  read(offset, block_.data(), block_.size());
  const block_head head = block_head::decode(block_.data());
  if (left - block_head::bytes < head.stored) cut_off();
  if (head.plain > max_plain_bytes)
    fail(offset,
         fmt::format("the block has {} bytes when it is unpacked; a packed trace has blocks of up to {}", head.plain, max_plain_bytes));
  block_.resize(block_head::bytes + head.stored);
  read(offset + block_head::bytes, block_.data() + block_head::bytes, head.stored);
  if (!unpacker_.unpack(block_.data(), plain)) fail(offset, "the packed trace is damaged: the block does not agree with its checksum");
  return offset + block_.size();
}

void packed_file::verify() {
  std::vector<std::uint8_t> plain;
  for (std::uint64_t offset = preamble_bytes; offset < directory_offset_;) offset = read_block(offset, plain);
}

void packed_file::read(std::uint64_t offset, std::uint8_t* destination, std::size_t count) const {
  if (!file_.read(offset, destination, count)) fail(offset, fmt::format("cannot be read: {}", std::strerror(errno)));
}

void packed_file::fail(std::uint64_t offset, const std::string& message) const {
  throw trace::trace_error::at_offset(name_, offset, message);
}

}  // namespace tc::packed
