// SPDX-License-Identifier: Apache-2.0
#include "packed_format.hpp"

#include <new>
#include <zstd.h>
#include <zstd_errors.h>

#include <boost/crc.hpp>

namespace tc::packed {
namespace {

/// What a function of the library returned, unless it had too little memory: nothing is wrong with the bytes then.
std::size_t with_memory(std::size_t result) {
  if (ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation) throw std::bad_alloc();
  return result;
}

std::vector<std::uint8_t> compress(const std::uint8_t* plain, std::size_t count) {
  std::vector<std::uint8_t> stored(ZSTD_compressBound(count));
  stored.resize(with_memory(ZSTD_compress(stored.data(), stored.size(), plain, count, ZSTD_CLEVEL_DEFAULT)));
  return stored;
}

}  // namespace

block_head block_head::decode(const std::uint8_t* in) {
  block_head head;
  head.checksum = static_cast<std::uint32_t>(get_fixed<4>(in));
  head.stored = static_cast<std::uint32_t>(get_fixed<4>(in + 4));
  head.plain = static_cast<std::uint32_t>(get_fixed<4>(in + 8));
  return head;
}

std::uint32_t checksum_of(const std::uint8_t* bytes, std::size_t count) {
  boost::crc_32_type checksum;
  checksum.process_bytes(bytes, count);
  return checksum.checksum();
}

void append_block(const std::uint8_t* plain, std::size_t count, std::vector<std::uint8_t>& out) {
  const std::vector<std::uint8_t> packed = compress(plain, count);
  const bool is_shorter = packed.size() < count;
  byte_writer content;
  content.fixed<4>(is_shorter ? packed.size() : count);
  content.fixed<4>(count);
  if (is_shorter) plain = packed.data();
  content.append(plain, plain + (is_shorter ? packed.size() : count));
  byte_writer checksum;
  checksum.fixed<4>(checksum_of(content.bytes().data(), content.bytes().size()));
  out.insert(out.end(), checksum.bytes().begin(), checksum.bytes().end());
  out.insert(out.end(), content.bytes().begin(), content.bytes().end());
}

struct block_unpacker::working_memory {
  working_memory() : frames(ZSTD_createDCtx()) {
    if (frames == nullptr) throw std::bad_alloc();
  }
  ~working_memory() { ZSTD_freeDCtx(frames); }
  working_memory(const working_memory&) = delete;
  working_memory& operator=(const working_memory&) = delete;

  ZSTD_DCtx* frames;
};

block_unpacker::block_unpacker() = default;
block_unpacker::~block_unpacker() = default;

bool block_unpacker::unpack(const std::uint8_t* block, std::vector<std::uint8_t>& plain) {
  const block_head head = block_head::decode(block);
  const std::size_t counts = block_head::bytes - sizeof head.checksum;
  if (checksum_of(block + sizeof head.checksum, counts + head.stored) != head.checksum) return false;
  const std::uint8_t* const stored = block + block_head::bytes;
  if (head.stored != head.plain) return expand(stored, head, plain);
  plain.assign(stored, stored + head.stored);
  return true;
}

bool block_unpacker::expand(const std::uint8_t* stored, const block_head& head, std::vector<std::uint8_t>& plain) {
  if (memory_ == nullptr) memory_ = std::make_unique<working_memory>();
  plain.resize(head.plain);
  return with_memory(ZSTD_decompressDCtx(memory_->frames, plain.data(), plain.size(), stored, head.stored)) == plain.size();
}

}  // namespace tc::packed
