// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace tc::trace {

/// An open file that is read at any place and keeps no position. It is closed at the end.
class positioned_file {
 public:
  /// Takes a descriptor of the operating system; a negative one stands for a file that could not be opened.
  explicit positioned_file(int descriptor) : descriptor_(descriptor) {}
  ~positioned_file();
  positioned_file(positioned_file&& other) noexcept;
  positioned_file& operator=(positioned_file&&) = delete;

  bool is_open() const { return descriptor_ >= 0; }
  /// Bytes of the file.
  std::uint64_t size() const;
  /// Appends bytes. False, and errno says why, if not all could be written.
  bool append(const std::uint8_t* bytes, std::size_t count);
  /// Reads `count` bytes from `offset` on. False, and errno says why, if the file has fewer (ENODATA) or cannot be read.
  bool read(std::uint64_t offset, std::uint8_t* destination, std::size_t count) const;

 private:
  int descriptor_;
};

}  // namespace tc::trace
