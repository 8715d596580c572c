// SPDX-License-Identifier: Apache-2.0
#include "information.hpp"

#include <cstddef>

#include <fmt/format.h>

namespace tc::machine_code {

namespace {

// An attribute begins with its format and its number; nvdisasm names them EIFMT_... and EIATTR_....
constexpr unsigned sized_format = 4;
constexpr std::size_t head_bytes = 4;
enum : unsigned {
  max_threads = 0x05,
  reqntid = 0x10,
  cta_per_cluster = 0x3d,
  param_cbank = 0x0a,
  frame_size = 0x11,
  min_stack_size = 0x12,
  kparam_info = 0x17,
  regcount = 0x2f
};

std::optional<information_kind> kind_of(unsigned attribute) {
  switch (attribute) {
    case regcount:
      return information_kind::registers;
    case frame_size:
      return information_kind::frame;
    case min_stack_size:
      return information_kind::stack;
    case max_threads:
      return information_kind::most_threads;
    case reqntid:
      return information_kind::block;
    case cta_per_cluster:
      return information_kind::cluster;
    case param_cbank:
      return information_kind::parameter_bank;
    case kparam_info:
      return information_kind::parameter;
    default:
      return std::nullopt;
  }
}

bool has_extents(information_kind kind) {
  return kind == information_kind::most_threads || kind == information_kind::block || kind == information_kind::cluster;
}

/// The payload of an attribute with its two or three numbers.
information attribute_of(information_kind kind, std::string_view payload) {
  information read;
  read.kind = kind;
  if (kind == information_kind::parameter) {
    constexpr unsigned size_shift = 18;
    read.ordinal = static_cast<std::uint32_t>(little_endian(payload, 4, 2));
    read.value = static_cast<std::uint32_t>(little_endian(payload, 6, 2));
    read.bytes = static_cast<std::uint32_t>(little_endian(payload, 8, 4) >> size_shift);
  } else if (has_extents(kind)) {
    for (std::size_t i = 0; i < read.extents.size(); ++i) read.extents[i] = static_cast<std::uint32_t>(little_endian(payload, 4 * i, 4));
  } else {
    read.symbol = static_cast<std::uint32_t>(little_endian(payload, 0, 4));
    read.value = static_cast<std::uint32_t>(little_endian(payload, 4, 4));
  }
  return read;
}

}  // namespace

bool is_accelerated(const elf_file& file) {
  constexpr unsigned instruction_class = 0x09;
  for (const auto& section : file.sections()) {
    if (section.name != ".nv.compat") continue;
    const std::string_view all = section.content;
    for (std::size_t at = 0; at + head_bytes <= all.size();) {
      if (static_cast<unsigned char>(all[at + 1]) == instruction_class) return little_endian(all, at + 2, 2) == 1;
      at += head_bytes + (static_cast<unsigned char>(all[at]) == sized_format ? little_endian(all, at + 2, 2) : 0);
    }
  }
  return false;
}

std::vector<information> read_information(const elf_file& file, const elf_section& section) {
  std::vector<information> attributes;
  const std::string_view all = section.content;
  for (std::size_t at = 0; at < all.size();) {
    if (all.size() - at < head_bytes) file.fail(section.offset + at, fmt::format("{} ends within an attribute", section.name));
    const unsigned format = static_cast<unsigned char>(all[at]), number = static_cast<unsigned char>(all[at + 1]);
    const std::size_t size = format == sized_format ? little_endian(all, at + 2, 2) : 0;
    if (all.size() - at - head_bytes < size)
      file.fail(section.offset + at, fmt::format("an attribute of {:#x} bytes goes beyond the end of {}", size, section.name));
    const auto kind = kind_of(number);
    if (kind && format == sized_format) {
      const bool has_three = *kind == information_kind::parameter || has_extents(*kind);
      const std::size_t needed = has_three ? 12 : 8;
      if (size < needed)
        file.fail(section.offset + at,
                  fmt::format("attribute {:#x} of {} has {} bytes; it must have {}", number, section.name, size, needed));
      attributes.push_back(attribute_of(*kind, all.substr(at + head_bytes, size)));
      attributes.back().offset = section.offset + at;
    }
    at += head_bytes + size;
  }
  return attributes;
}

}  // namespace tc::machine_code
