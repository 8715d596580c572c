// SPDX-License-Identifier: Apache-2.0
#include "wmma_transfer.hpp"

#include <algorithm>
#include <array>
#include <string>

#include <tc/isa/wmma_layout.hpp>

namespace tc::kernels {
namespace {

using lane_addresses = std::array<std::uint64_t, trace::warp_lanes>;

/// How the elements of a register lie in memory.
enum class register_order : std::uint8_t {
  contiguous,  ///< one after the other
  transposed,  ///< in 8x8 tiles of 16-bit elements of which memory holds the transpose
  scattered,
};

/// Where the pieces of a fragment's registers lie in memory.
class fragment_in_memory {
 public:
  fragment_in_memory(const wmma_instruction& instruction, isa::architecture arch)
      : layout_(*isa::wmma_layout(instruction.mma, instruction.which, arch)),
        matrix_(instruction.matrix),
        element_bits_(bits(isa::type_of(instruction.mma, instruction.which))) {
    order_ = register_order::contiguous;
    for (unsigned reg = 0; reg < registers(); ++reg)
      if (!is_contiguous(reg)) order_ = register_order::scattered;
    const bool has_transposition = element_bits_ == 16 && isa::info(isa::opcode::movm).architectures.contains(arch);
    if (order_ == register_order::scattered && has_transposition) order_ = register_order::transposed;
  }

  unsigned registers() const { return layout_.registers(); }
  register_order order() const { return order_; }
  unsigned element_bits() const { return element_bits_; }

  /// Addresses of the four bytes that a memory instruction moves for a register.
  lane_addresses word(unsigned reg) const {
    lane_addresses addresses{};
    for (unsigned lane = 0; lane < trace::warp_lanes; ++lane) {
      // In the transposed tile, the lane holds what lane 8 (lane % 4) + lane / 8 holds in the tile itself.
      const bool transposed = order_ == register_order::transposed;
      const unsigned holder = transposed ? 8 * (lane % 4) + lane / 8 : lane;
      addresses[lane] = bit_address(holder, reg, transposed ? lane / 4 % 2 : 0) / 8 + 4 * (reg % layout_.registers_per_element());
    }
    return addresses;
  }

  /// Addresses of one element of each lane's register.
  lane_addresses element(unsigned reg, unsigned element) const {
    lane_addresses addresses{};
    for (unsigned lane = 0; lane < trace::warp_lanes; ++lane) addresses[lane] = bit_address(lane, reg, element) / 8;
    return addresses;
  }

 private:
  std::uint64_t bit_address(unsigned lane, unsigned reg, unsigned element) const {
    const isa::matrix_position at = layout_.position(lane, reg, element);
    const std::uint64_t line = matrix_.by_columns ? at.column : at.row, place = matrix_.by_columns ? at.row : at.column;
    return 8 * matrix_.address + (line * matrix_.stride + place) * element_bits_;
  }

  bool is_contiguous(unsigned reg) const {
    for (unsigned lane = 0; lane < trace::warp_lanes; ++lane)
      for (unsigned element = 1; element < layout_.elements_per_register(); ++element)
        if (bit_address(lane, reg, element) != bit_address(lane, reg, 0) + element * element_bits_) return false;
    return true;
  }

  isa::fragment_layout layout_;
  matrix_location matrix_;
  unsigned element_bits_;
  register_order order_;
};

/// Mnemonics of the accesses to one space, as compilers choose them: on Volta generic ones, also where the space is known.
class access_names {
 public:
  access_names(isa::memory_space space, const isa::architecture_info& arch) {
    const bool is_shared = space == isa::memory_space::shared;
    const bool is_generic = space == isa::memory_space::generic || arch.generic_fragment_access;
    load_ = is_shared ? "LDS" : is_generic ? "LD.E" : "LDG.E";
    store_ = is_shared ? "STS" : is_generic ? "ST.E" : "STG.E";
    if (!is_shared) scope_ = arch.global_scope;
  }

  std::string load(std::string_view width) const { return load_ + std::string(width) + scope_; }
  std::string store(std::string_view width) const { return store_ + std::string(width) + scope_; }

 private:
  std::string load_, store_, scope_;
};

trace::address_list list_of(const lane_addresses& addresses) {
  trace::address_list list;
  for (unsigned lane = 0; lane < trace::warp_lanes; ++lane) list.set(lane, addresses[lane]);
  return list;
}

/// Registers that one instruction moves between memory and the register file.
struct register_run {
  unsigned first = 0, count = 1;  ///< count is 1, 2 or 4
  lane_addresses addresses{};

  std::string_view width() const { return count == 4 ? ".128" : count == 2 ? ".64" : ""; }
};

/// `names[i]` lies at `words[i]`. True if so many registers from `first` on can be moved at once.
bool is_run(const std::vector<unsigned>& names, const std::vector<lane_addresses>& words, std::size_t first, unsigned count) {
  if (first + count > names.size() || names[first] % count != 0) return false;
  for (unsigned i = 0; i < count; ++i) {
    if (names[first + i] != names[first] + i) return false;
    for (unsigned lane = 0; lane < trace::warp_lanes; ++lane)
      if (words[first + i][lane] != words[first][lane] + 4 * i || words[first][lane] % (4 * count) != 0) return false;
  }
  return true;
}

/// Deals registers out to as few accesses as possible. One that is named again, as the holder of a copy, is left out.
std::vector<register_run> runs_of(const std::vector<unsigned>& all_names, const std::vector<lane_addresses>& all_words) {
  std::vector<unsigned> names;
  std::vector<lane_addresses> words;
  for (std::size_t i = 0; i < all_names.size(); ++i) {
    if (std::find(names.begin(), names.end(), all_names[i]) != names.end()) continue;
    names.push_back(all_names[i]);
    words.push_back(all_words[i]);
  }
  std::vector<register_run> runs;
  for (std::size_t i = 0; i < names.size();) {
    const unsigned count = is_run(names, words, i, 4) ? 4 : is_run(names, words, i, 2) ? 2 : 1;
    runs.push_back({names[i], count, words[i]});
    i += count;
  }
  return runs;
}

std::vector<lane_addresses> words_of(const fragment_in_memory& fragment) {
  std::vector<lane_addresses> words;
  for (unsigned reg = 0; reg < fragment.registers(); ++reg) words.push_back(fragment.word(reg));
  return words;
}

std::string width_of_element(unsigned element_bits) { return ".U" + std::to_string(element_bits); }

/// Loads every element by itself, the first into its register and the others into scratch registers, and joins them there.
void load_scattered(const std::vector<unsigned>& names, const fragment_in_memory& fragment, const access_names& access,
                    machine_writer& out) {
  const unsigned elements = 32 / fragment.element_bits();
  std::vector<std::vector<std::string>> parts(names.size());
  for (unsigned reg = 0; reg < names.size(); ++reg) {
    for (unsigned element = 0; element < elements; ++element) {
      parts[reg].push_back(register_text(element == 0 ? names[reg] : out.take_scratch(1)));
      out.add(access.load(width_of_element(fragment.element_bits())) + " " + parts[reg].back() + ", [RZ]",
              list_of(fragment.element(reg, element)));
    }
  }
  for (const std::vector<std::string>& part : parts) {
    const auto join = [&](unsigned low, const char* selector, unsigned high) {
      out.add("PRMT " + part[low] + ", " + part[low] + ", " + selector + ", " + part[high]);
    };
    if (elements == 4) {
      join(0, "0x1140", 1);
      join(2, "0x1140", 3);
    }
    join(0, "0x5410", elements / 2);
  }
}

/// Stores both halves of every register by themselves.
void store_halves(const std::vector<unsigned>& names, const fragment_in_memory& fragment, const access_names& access, machine_writer& out) {
  for (unsigned reg = 0; reg < names.size(); ++reg) {
    const std::string low = register_text(names[reg]), high = register_text(out.take_scratch(1));
    out.add("PRMT " + high + ", " + low + ", 0x7632, RZ");
    out.add(access.store(".U16") + " [RZ], " + low, list_of(fragment.element(reg, 0)));
    out.add(access.store(".U16") + " [RZ], " + high, list_of(fragment.element(reg, 1)));
  }
}

/// Transposes the 8x8 tile in a register into another one.
std::string transposition(unsigned to, unsigned from) { return "MOVM.16.MT88 " + register_text(to) + ", " + register_text(from); }

}  // namespace

void write_wmma_load(const wmma_instruction& instruction, machine_writer& out) {
  const fragment_in_memory fragment(instruction, out.arch());
  const access_names access(instruction.matrix.space, isa::info(out.arch()));
  const std::vector<unsigned>& names = instruction.registers(instruction.which);
  if (fragment.order() == register_order::scattered) return load_scattered(names, fragment, access, out);
  const auto runs = runs_of(names, words_of(fragment));
  for (const register_run& run : runs)
    out.add(access.load(run.width()) + " " + register_text(run.first) + ", [RZ]", list_of(run.addresses));
  if (fragment.order() == register_order::contiguous) return;
  for (const register_run& run : runs)
    for (unsigned i = 0; i < run.count; ++i) out.add(transposition(run.first + i, run.first + i));
}

void write_wmma_store(const wmma_instruction& instruction, machine_writer& out) {
  const fragment_in_memory fragment(instruction, out.arch());
  const access_names access(instruction.matrix.space, isa::info(out.arch()));
  std::vector<unsigned> names = instruction.registers(instruction.which);
  if (fragment.order() == register_order::scattered) return store_halves(names, fragment, access, out);
  if (fragment.order() == register_order::transposed) {
    for (unsigned& name : names) {
      const unsigned transposed = out.take_scratch(1);
      out.add(transposition(transposed, name));
      name = transposed;
    }
  }
  for (const register_run& run : runs_of(names, words_of(fragment)))
    out.add(access.store(run.width()) + " [RZ], " + register_text(run.first), list_of(run.addresses));
}

}  // namespace tc::kernels
