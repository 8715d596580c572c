// SPDX-License-Identifier: Apache-2.0
#include "random_program.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bulk_copies.hpp"
#include "matrix_instructions.hpp"
#include "memory_accesses.hpp"
#include "program_shape.hpp"
#include "warp_text.hpp"

namespace tcsim::random_programs {

namespace isa = tc::isa;

namespace {

constexpr unsigned constant_bytes = 1024;
constexpr unsigned word_group = 4;  // registers of an access of 128 bits
// Of a warp in the results: its registers, and then what it has in the other files.
constexpr unsigned group_bytes = word_group * 128, register_groups = used_registers / word_group;
constexpr unsigned other_words = used_predicates + used_uniform_registers, other_groups = (other_words + word_group - 1) / word_group;
constexpr unsigned warp_bytes = (register_groups + other_groups) * group_bytes;

/// Words that are numbers of like size in most formats, or small integers, or anything.
std::uint32_t random_word(random_numbers& random) {
  const unsigned style = random.below(100);
  const std::uint32_t any = random.word();
  if (style < 30) return (any & 0x87ff87ff) | 0x38003800;
  if (style < 50) return (any & 0x807fffff) | (120 + random.below(16)) << 23;
  if (style < 65) return static_cast<std::uint32_t>(static_cast<std::int32_t>(any % 64) - 32);
  if (style < 70) {
    static constexpr std::array<std::uint32_t, 10> specials{0, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00001,
                                                            1, 0x7fffffff, 0xffffffff, 0x7c007c00, 0x00010001};
    return random.pick(specials);
  }
  return any;
}

std::string random_hex(random_numbers& random, unsigned bytes) {
  std::string digits;
  for (unsigned word = 0; word < bytes / 4; ++word) digits += fmt::format("{:08x}", random_word(random));
  return digits;
}

class program_writer {
 public:
  program_writer(std::uint64_t seed, const tc::config::machine& machine, const program_memory& memory)
      : random_(seed),
        memory_(memory),
        arch_(*isa::find_architecture(machine.architectures.front())),
        has_asynchronous_units_(arch_ >= isa::architecture::sm_90),
        has_warpgroups_(arch_ == isa::architecture::sm_90),
        barriers_base_(isa::info(arch_).reserved_shared_bytes),
        shared_base_(barriers_base_ + (has_asynchronous_units_ ? block_bytes : 0)),
        shape_(random_shape(random_, machine, arch_, shared_base_)),
        forms_(matrix_forms(machine, arch_)),
        accesses_(random_, arch_),
        copies_(random_),
        tensors_(random_) {
    choose_mix();
    if (has_tensors_) tensors_.add_inputs(memory_.inputs, memory_.inputs_bytes);
  }

  random_program write(std::uint64_t seed) {
    random_program program;
    program.base = memory_.results;
    program.bytes = results_bytes();
    program.arch = arch_;
    program.warps = shape_.warps;
    program.has_whole_warps = shape_.threads % lanes_of_warp == 0 && exit_percent_ == 0;
    program.data_begin = shared_base_;
    program.shared_bytes = program.data_begin + shape_.shared_blocks * block_bytes;
    program.free_barrier = barrier_of(shape_.warps + 1);
    for (unsigned cta = 0; cta < shape_.ctas; ++cta) program.body += cta_text(cta);
    const unsigned shared_bytes = shape_.shared_blocks * block_bytes;
    program.header = fmt::format(
        "tcsim-trace 1\narch {}\nkernel random_{}\ngrid {}\nblock {}\ncluster {}\nregisters {}\nshared {}\nconstant 0x0 0x0 {} hex {}\n"
        "shared-memory {:#x} {} hex {}\nmemory {:#x} {} fill 90\n",
        isa::name(arch_), seed, fmt::join(shape_.grid, " "), fmt::join(shape_.block, " "), fmt::join(shape_.cluster, " "), used_registers,
        shared_base_ + shared_bytes, constant_bytes, random_hex(random_, constant_bytes), shared_base_, shared_bytes,
        random_hex(random_, shared_bytes), memory_.results, program.bytes);
    if (memory_.has_inputs)
      program.header += fmt::format("memory {:#x} {} hex {}\n", memory_.inputs, memory_.inputs_bytes,
                                    random_hex(random_, static_cast<unsigned>(memory_.inputs_bytes)));
    program.header += tensors_.header();
    return program;
  }

 private:
  /// How often a program does what.
  void choose_mix() {
    matrix_weight_ = random_.below(60);
    memory_weight_ = random_.below(60);
    with_control_ = random_.chance(50);
    phases_ = random_.between(1, 4);
    longest_phase_ = random_.chance(85) ? 24 : 120;
    copy_weight_ = has_asynchronous_units_ ? random_.below(20) : 0;
    has_tensors_ = copy_weight_ > 0 && random_.chance(60);
    all_lanes_arrive_ = random_.chance(50);
    exit_percent_ = random_.chance(20) ? random_.between(5, 40) : 0;
  }

  std::uint64_t cta_bytes() const {
    const std::uint64_t tensor_bytes = has_tensors_ ? tensor_copies::warp_bytes : 0;
    return shape_.warps * (warp_bytes + tensor_bytes) + (std::uint64_t{shape_.shared_blocks} + shape_.global_blocks) * block_bytes;
  }
  std::uint64_t results_bytes() const { return shape_.ctas * cta_bytes(); }
  std::uint64_t cta_base(unsigned cta) const { return memory_.results + cta * cta_bytes(); }
  std::uint64_t warp_base(unsigned cta, unsigned warp) const { return cta_base(cta) + std::uint64_t{warp} * warp_bytes; }
  /// Where a CTA leaves its shared memory, and the blocks of global memory that its warps exchange.
  std::uint64_t shared_copy(unsigned cta, unsigned block) const {
    return warp_base(cta, shape_.warps) + std::uint64_t{block} * block_bytes;
  }
  std::uint64_t global_block(unsigned cta, unsigned block) const { return shared_copy(cta, shape_.shared_blocks + block); }
  /// What no other warp accesses.
  std::uint64_t tensor_memory(unsigned cta, unsigned warp) const {
    return global_block(cta, shape_.global_blocks) + std::uint64_t{warp} * tensor_copies::warp_bytes;
  }

  std::string cta_text(unsigned cta) {
    std::vector<warp_text> warps;
    copied_.assign(shape_.warps, 0);
    meetings_ = 0;
    for (unsigned warp = 0; warp < shape_.warps; ++warp) begin(warps.emplace_back(random_, arch_, with_control_, shape_.threads_of(warp)));
    if (has_asynchronous_units_) add_barriers(warps.front());
    for (unsigned block = 0; block < shape_.global_blocks; ++block) fill(warps[block % shape_.warps], global_block(cta, block));
    for (unsigned phase = 0; phase < phases_; ++phase) {
      meet(warps, phase > 0);
      add_phase(warps, cta);
    }
    meet(warps, true);
    std::string text = fmt::format("cta {}\n", fmt::join(shape_.place_of(cta), " "));
    for (unsigned warp = 0; warp < shape_.warps; ++warp) {
      end(warps[warp], cta, warp);
      text += fmt::format("warp {}\n{}", warp, warps[warp].lines());
    }
    return text;
  }

  void begin(warp_text& warp) {
    for (unsigned group = 0; group < register_groups; ++group) accesses_.load_global(warp, group * word_group, random_input());
    for (unsigned i = 0; i < used_predicates; ++i) warp.add(expand_template(fmt::format("ISETP.LT.AND P{}, PT, %r, %r, PT", i), random_));
    if (!has_uniform_registers()) return;
    for (unsigned i = 0; i < used_uniform_registers; ++i)
      warp.add(expand_template(fmt::format("{{UMOV UR{0}, 0x%x|ULDC UR{0}, %k}}", i), random_));
    for (unsigned i = 0; i < used_predicates; ++i)
      warp.add(expand_template(fmt::format("UISETP.LT.AND UP{}, UPT, %v, %v, UPT", i), random_));
  }

  void fill(warp_text& warp, std::uint64_t block) { accesses_.store_global(warp, random_.below(register_groups) * word_group, block); }

  /// Of each warp one for its copies, and then one at which all warps meet.
  std::uint32_t barrier_of(unsigned warp) const { return barriers_base_ + 8 * warp; }
  std::uint32_t barrier_of_all() const { return barrier_of(shape_.warps); }

  void add_barriers(warp_text& warp) {
    for (unsigned i = 0; i <= shape_.warps; ++i) {
      const unsigned arrivals = i < shape_.warps ? 1 : all_lanes_arrive_ ? shape_.threads : shape_.warps;
      warp.add_ptx(fmt::format("mbarrier.init.shared::cta.b64 [{:#x}], {}", barrier_of(i), arrivals), warp.first_lane());
    }
    warp.add_ptx("fence.mbarrier_init.release.cluster", warp.first_lane());
  }

  /// All warps of the CTA wait for each other. `has_barriers`: mbarriers too are there.
  void meet(std::vector<warp_text>& warps, bool has_barriers) {
    if (has_asynchronous_units_)
      for (warp_text& warp : warps) warp.add_ptx("fence.proxy.async");
    // Lanes that have exited arrive at no mbarrier.
    const bool have_lost_lanes = std::any_of(warps.begin(), warps.end(), [](const warp_text& warp) { return warp.has_lost_lanes(); });
    if (has_asynchronous_units_ && has_barriers && !have_lost_lanes && random_.chance(40)) return meet_at_mbarrier(warps);
    const unsigned number = random_.chance(80) ? 0 : random_.below(16);
    if (!have_lost_lanes && random_.chance(20)) arrive(warps, (number + 1) % 16);
    const bool is_counted = !have_lost_lanes && random_.chance(20);
    const std::string barrier =
        fmt::format("{} {:#x}{}", isa::info(arch_).cta_barrier, number, is_counted ? fmt::format(", {:#x}", 32 * shape_.warps) : "");
    for (warp_text& warp : warps) warp.add(barrier);
  }

  /// Some warps wait for the others, who do not wait.
  void arrive(std::vector<warp_text>& warps, unsigned number) {
    const std::string operands = fmt::format("{:#x}, {:#x}", number, 32 * shape_.warps);
    for (warp_text& warp : warps)
      warp.add(random_.chance(50) ? "BAR.ARV " + operands : fmt::format("{} {}", isa::info(arch_).cta_barrier, operands));
  }

  void meet_at_mbarrier(std::vector<warp_text>& warps) {
    for (warp_text& warp : warps) {
      warp.add_ptx(fmt::format("mbarrier.arrive.shared::cta.b64 _, [{:#x}]", barrier_of_all()),
                   all_lanes_arrive_ ? all_lanes : warp.first_lane());
      warp.add_ptx(fmt::format("mbarrier.try_wait.parity.shared::cta.b64 [{:#x}], {}", barrier_of_all(), meetings_ % 2));
    }
    ++meetings_;
  }

  void add_phase(std::vector<warp_text>& warps, unsigned cta) {
    std::vector<warp_blocks> shared(shape_.warps), global(shape_.warps);
    const bool multiplies = has_warpgroups_ && shape_.warps >= warpgroup_warps && random_.chance(60);
    for (unsigned block = 0; block < shape_.shared_blocks; ++block) deal(shared, shared_base_ + block * block_bytes, multiplies);
    for (unsigned block = 0; block < shape_.global_blocks; ++block) deal(global, global_block(cta, block), false);
    for (std::uint64_t block = 0; block < memory_.inputs_bytes / block_bytes; block += 8)
      for (warp_blocks& blocks : global) blocks.read.push_back(memory_.inputs + block * block_bytes);
    const auto add_some = [&] {
      for (unsigned warp = 0; warp < shape_.warps; ++warp)
        for (unsigned i = random_.below(longest_phase_); i > 0; --i) {
          if (random_.below(140) < copy_weight_)
            add_copies(warps[warp], {cta, warp}, shared[warp], global[warp]);
          else
            add_instruction(warps[warp], shared[warp], global[warp]);
        }
    };
    add_some();
    for (warp_text& warp : warps)
      if (random_.chance(exit_percent_)) exit_early(warp);
    if (!multiplies) return;
    for (unsigned first = 0; first + warpgroup_warps <= shape_.warps; first += warpgroup_warps)
      if (random_.chance(75)) add_products(warps, first);
    add_some();
  }

  void exit_early(warp_text& warp) {
    if (has_asynchronous_units_) warp.add_ptx("fence.proxy.async");  // these lanes come to no other
    warp.exit(random_.chance(30) ? all_lanes : random_.word());
  }

  /// The warps of a warpgroup execute the same, if all of them are whole.
  void add_products(std::vector<warp_text>& warps, unsigned first) {
    for (unsigned warp = first; warp < first + warpgroup_warps; ++warp)
      if (!warps[warp].is_whole()) return;
    const operand_area area{shared_base_, shared_base_ + shape_.shared_blocks * block_bytes};
    const std::vector<std::string> instructions = random_warpgroup_instructions(random_, area);
    for (unsigned warp = first; warp < first + warpgroup_warps; ++warp)
      for (const std::string& instruction : instructions) warps[warp].add_ptx(instruction);
  }

  /// A warp in the grid.
  struct warp_place {
    unsigned cta, number;
  };

  void add_copies(warp_text& warp, const warp_place& place, const warp_blocks& shared, const warp_blocks& global) {
    const bool is_of_tensor = has_tensors_ && random_.chance(60), is_store = random_.chance(40);
    const std::uint64_t own = tensor_memory(place.cta, place.number);
    if (is_store) return is_of_tensor ? tensors_.add_store(warp, shared, own) : copies_.add_stores(warp, shared, global);
    const std::uint32_t barrier = barrier_of(place.number);
    unsigned& copied = copied_[place.number];
    const bool is_odd = copied % 2 == 1;
    if (is_of_tensor ? tensors_.add_load(warp, shared, own, barrier, is_odd) : copies_.add_loads(warp, shared, global, barrier, is_odd))
      ++copied;
  }

  /// Gives a block to one warp, or to all for reading.
  void deal(std::vector<warp_blocks>& warps, std::uint64_t block, bool is_for_all) {
    if (is_for_all || random_.chance(35)) {
      for (warp_blocks& blocks : warps) blocks.read.push_back(block);
      return;
    }
    warp_blocks& owner = warps[random_.below(shape_.warps)];
    owner.read.push_back(block);
    owner.written.push_back(block);
  }

  void add_instruction(warp_text& warp, const warp_blocks& shared, const warp_blocks& global) {
    const unsigned choice = random_.below(140);
    if (choice < matrix_weight_ && !forms_.empty() && warp.is_whole()) {
      const matrix_form& form = forms_[random_.below(static_cast<unsigned>(forms_.size()))];
      for (unsigned repeat = random_.chance(80) ? 1 : random_.between(1, 6); repeat > 0; --repeat)
        for (const std::string& instruction : random_matrix_instructions(form, random_)) warp.add(instruction);
    } else if (choice < matrix_weight_ + memory_weight_) {
      if (random_.chance(50))
        accesses_.add_shared(warp, shared);
      else
        accesses_.add_global(warp, global);
    } else {
      add_lane_instruction(warp);
    }
  }

  void add_lane_instruction(warp_text& warp) {
    const std::string instruction = random_lane_instruction(random_, arch_);
    const bool is_transposition = instruction.rfind("MOVM", 0) == 0;
    if (is_transposition && !warp.is_whole()) return;
    const bool is_for_all = instruction.front() == 'U' || instruction.rfind("R2UR", 0) == 0 || is_transposition;
    const unsigned choice = random_.below(100);
    if (is_for_all || choice < 70) return warp.add(instruction);
    const std::string guard = random_.chance(50) ? expand_template("@%c ", random_) : "";
    warp.add(guard + instruction, choice < 73 ? 0 : random_.word());
  }

  /// Leaves everything in global memory.
  void end(warp_text& warp, unsigned cta, unsigned number) {
    for (unsigned group = 0; group < register_groups; ++group)
      accesses_.store_global(warp, group * word_group, warp_base(cta, number) + std::uint64_t{group} * group_bytes);
    for (unsigned i = 0; i < other_groups * word_group; ++i) warp.add(copy_of_other(i));
    for (unsigned group = 0; group < other_groups; ++group)
      accesses_.store_global(warp, group * word_group, warp_base(cta, number) + std::uint64_t{register_groups + group} * group_bytes);
    for (unsigned block = number; block < shape_.shared_blocks; block += shape_.warps) {
      accesses_.load_shared(warp, 0, shared_base_ + block * block_bytes);
      accesses_.store_global(warp, 0, shared_copy(cta, block));
    }
    warp.exit();
  }

  /// Puts a predicate or a uniform register into the vector register of the same number.
  std::string copy_of_other(unsigned i) const {
    if (i < used_predicates) return fmt::format("SEL R{}, RZ, 0x1, P{}", i, i);
    if (i >= other_words || !has_uniform_registers()) return fmt::format("MOV R{}, RZ", i);
    return fmt::format("MOV R{}, UR{}", i, i - used_predicates);
  }

  bool has_uniform_registers() const { return arch_ >= isa::architecture::sm_75; }
  std::uint64_t random_input() {
    return memory_.inputs + random_.below(static_cast<unsigned>(memory_.inputs_bytes - group_bytes) / 16 + 1) * 16;
  }

  random_numbers random_;
  program_memory memory_;
  isa::architecture arch_;
  bool has_asynchronous_units_, has_warpgroups_;
  std::uint32_t barriers_base_, shared_base_;
  program_shape shape_;
  std::vector<matrix_form> forms_;
  memory_accesses accesses_;
  bulk_copies copies_;
  tensor_copies tensors_;
  unsigned matrix_weight_ = 0, memory_weight_ = 0, phases_ = 1, longest_phase_ = 1;
  unsigned copy_weight_ = 0;
  unsigned exit_percent_ = 0;  ///< of warps, in each phase
  bool with_control_ = false, all_lanes_arrive_ = false, has_tensors_ = false;
  std::vector<unsigned> copied_;  ///< by warp of the CTA: copies that its mbarrier has counted
  unsigned meetings_ = 0;         ///< of the CTA at its mbarrier
};

}  // namespace

std::string random_program::text(const std::uint8_t* expected) const {
  constexpr const char* digits = "0123456789abcdef";
  std::string hex;
  hex.reserve(2 * bytes);
  for (std::uint64_t i = 0; i < bytes; ++i) {
    hex += digits[expected[i] >> 4U];
    hex += digits[expected[i] & 0xfU];
  }
  return fmt::format("{}expect {:#x} {} hex {}\n{}", header, base, bytes, hex, body);
}

random_program make_random_program(std::uint64_t seed, const tc::config::machine& machine, const program_memory& memory) {
  return program_writer(seed, machine, memory).write(seed);
}

}  // namespace tcsim::random_programs
