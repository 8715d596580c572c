// SPDX-License-Identifier: Apache-2.0
#include "memory_content.hpp"

#include <cstring>
#include <fstream>
#include <ostream>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace tc::trace {

memory_content memory_content::filled(std::uint64_t bytes, std::uint8_t value) { return {bytes, source{value}}; }

memory_content memory_content::literal(std::vector<std::uint8_t> bytes) {
  const std::uint64_t count = bytes.size();
  return {count, source{std::move(bytes)}};
}

memory_content memory_content::file(std::filesystem::path path, std::uint64_t bytes) { return {bytes, source{std::move(path)}}; }

memory_content memory_content::part(std::shared_ptr<const content_source> from, std::uint64_t bytes) {
  return {bytes, source{std::move(from)}};
}

void memory_content::copy(std::uint64_t offset, std::uint8_t* destination, std::size_t count) const {
  if (const auto* value = std::get_if<std::uint8_t>(&source_)) {
    std::memset(destination, *value, count);
  } else if (const auto* literal_bytes = std::get_if<std::vector<std::uint8_t>>(&source_)) {
    std::memcpy(destination, literal_bytes->data() + offset, count);
  } else if (const auto* part = std::get_if<std::shared_ptr<const content_source>>(&source_)) {
    (*part)->copy(offset, destination, count);
  } else {
    const auto& path = std::get<std::filesystem::path>(source_);
    std::ifstream in(path, std::ios::binary);
    in.seekg(static_cast<std::streamoff>(offset));
    in.read(reinterpret_cast<char*>(destination), static_cast<std::streamsize>(count));
    if (!in) throw std::runtime_error(fmt::format("{}: cannot read {} bytes at offset {}", path.string(), count, offset));
  }
}

}  // namespace tc::trace
