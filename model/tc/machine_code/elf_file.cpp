// SPDX-License-Identifier: Apache-2.0
#include "elf_file.hpp"

#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include <tc/machine_code/code_error.hpp>

namespace tc::machine_code {

namespace {

constexpr std::size_t header_bytes = 64, section_header_bytes = 64, symbol_bytes = 24, rel_bytes = 16, rela_bytes = 24;
constexpr std::uint32_t symbol_table = 2, with_addends = 4, without_addends = 9;

}  // namespace

std::uint64_t little_endian(std::string_view bytes, std::size_t offset, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = count; i-- > 0;) value = (value << 8U) | static_cast<unsigned char>(bytes[offset + i]);
  return value;
}

void elf_file::fail(std::uint64_t offset, const std::string& message) const {
  throw code_error(name_, fmt::format("byte {:#x}: {}", offset, message));
}

elf_file::elf_file(std::string name, std::string bytes) : name_(std::move(name)), bytes_(std::move(bytes)) {
  const std::string_view all = bytes_;
  if (all.substr(0, 4) !=
      "\x7f"
      "ELF")
    fail(0, "not an ELF file; a cubin begins with the bytes 7f 45 4c 46");
  if (all.size() < header_bytes) fail(all.size(), fmt::format("the file ends within its header of {} bytes", header_bytes));
  if (all[4] != 2) fail(4, "the ELF file is not one of 64 bits");
  if (all[5] != 1) fail(5, "the ELF file has its most significant bytes first");
  abi_version_ = static_cast<std::uint8_t>(all[8]);
  machine_ = static_cast<std::uint16_t>(little_endian(all, 18, 2));
  flags_ = static_cast<std::uint32_t>(little_endian(all, 48, 4));
  const std::uint64_t offset = little_endian(all, 40, 8);
  if (little_endian(all, 58, 2) != section_header_bytes) fail(58, fmt::format("a section header must have {} bytes", section_header_bytes));
  read_sections(offset, little_endian(all, 60, 2), little_endian(all, 62, 2));
  for (const auto& section : sections_)
    if (section.type == symbol_table) read_symbols(section);
  for (const auto& section : sections_)
    if (section.type == with_addends || section.type == without_addends) read_relocations(section, section.type == with_addends);
}

void elf_file::read_sections(std::uint64_t offset, std::size_t count, std::size_t names) {
  const std::string_view all = bytes_;
  if (offset > all.size() || (all.size() - offset) / section_header_bytes < count)
    fail(40, fmt::format("{} section headers at byte {:#x} go beyond the end of the file, byte {:#x}", count, offset, all.size()));
  std::vector<std::uint64_t> name_offsets;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = offset + i * section_header_bytes;
    elf_section section;
    name_offsets.push_back(little_endian(all, at, 4));
    section.type = static_cast<std::uint32_t>(little_endian(all, at + 4, 4));
    section.flags = little_endian(all, at + 8, 8);
    section.address = little_endian(all, at + 16, 8);
    section.offset = little_endian(all, at + 24, 8);
    section.size = little_endian(all, at + 32, 8);
    section.link = static_cast<std::uint32_t>(little_endian(all, at + 40, 4));
    section.info = static_cast<std::uint32_t>(little_endian(all, at + 44, 4));
    section.entry_bytes = little_endian(all, at + 56, 8);
    if (section.type != no_bits && section.type != 0) {
      if (section.offset > all.size() || all.size() - section.offset < section.size)
        fail(at, fmt::format("section {}, of {:#x} bytes at byte {:#x}, goes beyond the end of the file, byte {:#x}", i, section.size,
                             section.offset, all.size()));
      section.content = all.substr(section.offset, section.size);
    }
    sections_.push_back(section);
  }
  if (count == 0) return;
  if (names >= count) fail(62, fmt::format("section {} should hold the names of sections; there are {}", names, count));
  for (std::size_t i = 0; i < count; ++i) sections_[i].name = text_at(sections_[names], name_offsets[i], offset + i * section_header_bytes);
}

std::string_view elf_file::text_at(const elf_section& strings, std::uint64_t offset, std::uint64_t place) const {
  if (offset == 0 && strings.content.empty()) return {};
  const auto end = offset < strings.content.size() ? strings.content.find('\0', offset) : std::string_view::npos;
  if (end == std::string_view::npos) fail(place, fmt::format("a name at {:#x} of the table of names does not end within it", offset));
  return strings.content.substr(offset, end - offset);
}

void elf_file::read_symbols(const elf_section& table) {
  if (table.size % symbol_bytes != 0)
    fail(table.offset, fmt::format("the symbol table's {:#x} bytes are no multiple of {}", table.size, symbol_bytes));
  if (table.link >= sections_.size())
    fail(table.offset, fmt::format("the symbol table's names should be in section {}; there are {}", table.link, sections_.size()));
  for (std::size_t at = 0; at < table.content.size(); at += symbol_bytes) {
    elf_symbol symbol;
    symbol.name = text_at(sections_[table.link], little_endian(table.content, at, 4), table.offset + at);
    symbol.type = static_cast<std::uint8_t>(table.content[at + 4]) & 0xfU;
    symbol.other = static_cast<std::uint8_t>(table.content[at + 5]);
    symbol.section = static_cast<std::uint16_t>(little_endian(table.content, at + 6, 2));
    symbol.value = little_endian(table.content, at + 8, 8);
    symbol.size = little_endian(table.content, at + 16, 8);
    symbols_.push_back(symbol);
  }
}

void elf_file::read_relocations(const elf_section& table, bool has_addends) {
  const std::size_t entry = has_addends ? rela_bytes : rel_bytes;
  if (table.size % entry != 0)
    fail(table.offset, fmt::format("the {:#x} bytes of {} are no multiple of {}", table.size, table.name, entry));
  if (table.info >= sections_.size())
    fail(table.offset, fmt::format("{} should be of section {}; there are {}", table.name, table.info, sections_.size()));
  for (std::size_t at = 0; at < table.content.size(); at += entry) {
    elf_relocation relocation;
    relocation.section = static_cast<std::uint16_t>(table.info);
    relocation.offset = little_endian(table.content, at, 8);
    relocation.type = static_cast<std::uint32_t>(little_endian(table.content, at + 8, 4));
    relocation.symbol = static_cast<std::uint32_t>(little_endian(table.content, at + 12, 4));
    if (has_addends) relocation.addend = static_cast<std::int64_t>(little_endian(table.content, at + 16, 8));
    if (relocation.symbol >= symbols_.size())
      fail(table.offset + at, fmt::format("{} names symbol {}; there are {}", table.name, relocation.symbol, symbols_.size()));
    relocations_.push_back(relocation);
  }
}

}  // namespace tc::machine_code
