// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tc::machine_code {

/// A section of an ELF file. Views point into the file's bytes.
struct elf_section {
  std::string_view name;
  std::uint32_t type = 0;
  std::uint64_t flags = 0, address = 0, offset = 0, size = 0, entry_bytes = 0;
  std::uint32_t link = 0, info = 0;
  std::string_view content;  ///< empty for sections that the file holds no bytes of
};

/// A symbol of an ELF file.
struct elf_symbol {
  std::string_view name;
  std::uint8_t type = 0, other = 0;  ///< type: 2 is a function, 3 a section
  std::uint16_t section = 0;
  std::uint64_t value = 0, size = 0;
};

/// A place whose bytes depend on where a symbol lies.
struct elf_relocation {
  std::uint16_t section = 0;  ///< whose bytes they are
  std::uint64_t offset = 0;
  std::uint32_t type = 0, symbol = 0;
  std::int64_t addend = 0;
};

/// An ELF file of 64 bits, least significant byte first, such as cubins are (System V gABI, chapter 4).
class elf_file {
 public:
  static constexpr std::uint32_t no_bits = 8;  ///< type of a section that takes memory and no bytes of the file

  /// `name` is that of messages. Throws code_error if the bytes are no such file, or something in it points beyond its end.
  elf_file(std::string name, std::string bytes);
  elf_file(const elf_file&) = delete;
  elf_file& operator=(const elf_file&) = delete;

  const std::string& name() const { return name_; }
  std::uint16_t machine() const { return machine_; }
  std::uint32_t flags() const { return flags_; }
  std::uint8_t abi_version() const { return abi_version_; }
  const std::vector<elf_section>& sections() const { return sections_; }
  const std::vector<elf_symbol>& symbols() const { return symbols_; }
  const std::vector<elf_relocation>& relocations() const { return relocations_; }

  [[noreturn]] void fail(std::uint64_t offset, const std::string& message) const;

 private:
  void read_sections(std::uint64_t offset, std::size_t count, std::size_t names);
  void read_symbols(const elf_section& table);
  void read_relocations(const elf_section& table, bool has_addends);
  std::string_view text_at(const elf_section& strings, std::uint64_t offset, std::uint64_t place) const;

  std::string name_, bytes_;
  std::uint16_t machine_ = 0;
  std::uint32_t flags_ = 0;
  std::uint8_t abi_version_ = 0;
  std::vector<elf_section> sections_;
  std::vector<elf_symbol> symbols_;
  std::vector<elf_relocation> relocations_;
};

/// A number of `count` bytes, least significant first. They must be there.
std::uint64_t little_endian(std::string_view bytes, std::size_t offset, std::size_t count);

}  // namespace tc::machine_code
