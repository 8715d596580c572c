#include "packed_block.hpp"

#include <algorithm>
#include <cstring>

#include <boost/crc.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>

#include <tc/trace/byte_writer.hpp>

namespace tc::trace {
namespace {

namespace io = boost::iostreams;

std::vector<char> compress(const std::uint8_t* plain, std::size_t count) {
  std::vector<char> stored;
  io::filtering_streambuf<io::output> filters;
  filters.push(io::zstd_compressor());
  filters.push(io::back_inserter(stored));
  filters.sputn(reinterpret_cast<const char*>(plain), static_cast<std::streamsize>(count));
  filters.reset();
  return stored;
}

/// Bytes in memory, as a filter reads them.
struct memory_source {
  using char_type = char;
  using category = io::source_tag;

  std::streamsize read(char* destination, std::streamsize most) {
    if (begin == end) return -1;
    const std::streamsize count = std::min<std::streamsize>(most, end - begin);
    std::memcpy(destination, begin, static_cast<std::size_t>(count));
    begin += count;
    return count;
  }

  const char *begin, *end;
};

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
  const std::vector<char> packed = compress(plain, count);
  const bool is_shorter = packed.size() < count;
  byte_writer content;
  content.fixed<4>(is_shorter ? packed.size() : count);
  content.fixed<4>(count);
  if (is_shorter) plain = reinterpret_cast<const std::uint8_t*>(packed.data());
  content.append(plain, plain + (is_shorter ? packed.size() : count));
  byte_writer checksum;
  checksum.fixed<4>(checksum_of(content.bytes().data(), content.bytes().size()));
  out.insert(out.end(), checksum.bytes().begin(), checksum.bytes().end());
  out.insert(out.end(), content.bytes().begin(), content.bytes().end());
}

struct block_unpacker::working_memory {
  io::zstd_decompressor frames;
};

block_unpacker::block_unpacker() = default;
block_unpacker::~block_unpacker() = default;

bool block_unpacker::unpack(const std::uint8_t* block, std::vector<std::uint8_t>& plain) {
  const block_head head = block_head::decode(block);
  const std::size_t counts = block_head::bytes - sizeof head.checksum;
  if (checksum_of(block + sizeof head.checksum, counts + head.stored) != head.checksum) return false;
  const std::uint8_t* const stored = block + block_head::bytes;
  if (head.stored != head.plain) return expand(reinterpret_cast<const char*>(stored), head, plain);
  plain.assign(stored, stored + head.stored);
  return true;
}

bool block_unpacker::expand(const char* stored, const block_head& head, std::vector<std::uint8_t>& plain) {
  if (memory_ == nullptr) memory_ = std::make_unique<working_memory>();
  memory_source source{stored, stored + head.stored};
  plain.resize(head.plain);
  std::size_t done = 0;
  try {
    while (done < plain.size()) {
      const auto left = static_cast<std::streamsize>(plain.size() - done);
      const std::streamsize count = memory_->frames.read(source, reinterpret_cast<char*>(plain.data()) + done, left);
      if (count <= 0) break;
      done += static_cast<std::size_t>(count);
    }
    memory_->frames.close(source, std::ios_base::in);
  } catch (const io::zstd_error&) {
    memory_.reset();
    return false;
  }
  return done == plain.size();
}

}  // namespace tc::trace
