// SPDX-License-Identifier: Apache-2.0
#include "tensor_program.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "kernel_memory.hpp"
#include "random_operations.hpp"
#include "warp_writer.hpp"

namespace tc::tensor_programs {

namespace {

constexpr unsigned warps = 4, allocation_addresses = 0x480, narrowest_region = 16, narrowest_engine_region = 24;

class program_writer {
 public:
  program_writer(std::uint64_t seed, const program_options& options)
      : random_(seed), memory_(random_), waits_{options.left_out}, operations_left_(options.most_operations) {
    arrays_.shared = memory_.shared();
    for (unsigned warp = 0; warp < warps; ++warp) warps_.push_back(warp_writer(warp, {random_, memory_, arrays_, waits_}));
    choose_allocations();
  }

  tensor_program write(std::uint64_t seed) {
    begin();
    for (unsigned phase = random_.between(1, 4); phase > 0; --phase) add_phase();
    read_everything();
    end();
    std::string text = fmt::format("tcsim-trace 1\narch sm_100\nkernel tensor_program_{}\ngrid 1 1 1\nblock {} 1 1\n{}cta 0 0 0\n", seed,
                                   warps * chunk_lanes, memory_.text());
    for (unsigned warp = 0; warp < warps; ++warp) text += fmt::format("warp {}\nreg R2 0x0\nreg R3 0x0\n{}", warp, warps_[warp].text());
    return {seed, text, waits_.needed};
  }

 private:
  /// Powers of two that do not grow: each begins where the one before it ends.
  void choose_allocations() {
    static const std::array<std::vector<unsigned>, 6> choices{{{64}, {128}, {128}, {64, 32}, {64, 64}, {128, 64, 32, 32}}};
    allocations_ = random_.pick(choices);
    for (const unsigned count : allocations_) columns_ += count;
    specials_.first = columns_ - special_columns::all;
  }

  void begin() {
    warp_writer& first = warps_.front();
    for (unsigned i = 0; i < allocations_.size(); ++i)
      first.add(fmt::format("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [{:#x}], {}", allocation_addresses + 4 * i,
                            allocations_[i]));
    if (random_.chance(50)) first.add("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned");
    for (unsigned warp = 0; warp < warps; ++warp)
      first.add(fmt::format("mbarrier.init.shared::cta.b64 [{:#x}], 1", warp_writer::barrier(warp)), true);
    first.add("fence.mbarrier_init.release.cluster", true);
    meet();
    for (unsigned i = 0, column = 0; i < allocations_.size(); column += allocations_[i++]) {
      warp_registers address(1);
      address[0].fill(column);
      first.add_machine(fmt::format("LDS R4, [R2] @ {:#x}", allocation_addresses + 4 * i));
      first.add_machine(fmt::format("STG.E [R2.64], R4 @ {:#x}+4", memory_.expect(address, 0, 1)));
    }
    fill();
    meet();
  }

  /// Every cell gets a value, scales the same in all chunks.
  void fill() {
    const unsigned first = specials_.first;
    store_columns(0, first, kernel_memory::pool::any);
    for (unsigned done = 0; done < special_columns::scales; done += scale_copy_columns)
      warps_.front().issue(random_scale_copy(random_, specials_.first_scale() + done), true);
    store_columns(specials_.first_code_of_four(), special_columns::codes_of_four, kernel_memory::pool::codes_of_four);
    store_columns(specials_.first_code_of_two(), special_columns::codes_of_two, kernel_memory::pool::codes_of_two);
  }

  void store_columns(unsigned first, unsigned count, kernel_memory::pool words) {
    for (unsigned done = 0; done < count;) {
      const unsigned repeat = part_of(count - done);
      for (unsigned warp = 0; warp < warps; ++warp)
        warps_[warp].access({false, access_shape::of_32x32b, repeat, false, {chunk_lanes * warp, first + done}, 0}, words);
      done += repeat;
    }
  }

  /// Columns of an access that fit.
  static unsigned part_of(unsigned count) {
    unsigned part = 64;
    while (part > count) part /= 2;
    return part;
  }

  /// Warps work side by side, each region of columns is an engine's or that of loads and stores; then they wait for each other.
  void add_phase() {
    const std::vector<column_region> regions = random_regions();
    std::array<unsigned, warps> order{0, 1, 2, 3};
    for (unsigned i = warps - 1; i > 0; --i) std::swap(order.at(i), order.at(random_.below(i + 1)));
    bool has_specials = false;
    for (std::size_t i = 0; i < regions.size(); ++i) {
      column_region region = regions[i];
      if (region.count < narrowest_engine_region || random_.chance(25)) {
        add_accesses(region);
        continue;
      }
      if (!has_specials) region.specials = specials_;
      has_specials = true;
      add_engine_operations(region, warps_.at(order.at(i)));
    }
    meet();
  }

  std::vector<column_region> random_regions() {
    std::vector<column_region> regions{{0, specials_.first}};
    while (regions.size() < 3 && regions.back().count >= 2 * narrowest_engine_region && random_.chance(60)) {
      column_region& last = regions.back();
      const unsigned count = random_.between(narrowest_region, last.count - narrowest_region);
      const column_region rest{last.first + count, last.count - count};
      last.count = count;
      regions.push_back(rest);
    }
    return regions;
  }

  void add_accesses(const column_region& region) {
    for (unsigned warp = 0; warp < warps; ++warp)
      for (unsigned i = random_.below(5); i > 0 && operations_left_ > 0; --i, --operations_left_)
        warps_[warp].access(random_access(random_, region, warp, random_.chance(50)));
  }

  void add_engine_operations(const column_region& region, warp_writer& warp) {
    std::optional<matrix_instruction> last;
    std::optional<unsigned> shifted;
    for (unsigned i = random_.between(3, 12); i > 0 && operations_left_ > 0; --i, --operations_left_) {
      const bool may_wait = random_.chance(50);
      const unsigned choice = random_.below(100);
      if (choice < 50) {
        const matrix_instruction mma = random_matrix_instruction(random_, region, last);
        if (!warp.issue(mma, may_wait)) continue;
        last = mma;
        shifted = mma.tensor_a ? std::optional(mma.tensor_a->column) : shifted;
      } else if (choice < 75) {
        tile_copy copy = random_copy(random_, region);
        if (copy.form == tile_copy::shape::of_4x256b && shifted && random_.chance(75)) copy.first.column = *shifted;
        warp.issue(copy, may_wait);
      } else if (choice < 95) {
        const unsigned first = shifted && random_.chance(75) ? *shifted : region.first + random_.below(region.count - shift_columns + 1);
        if (warp.issue(column_shift{first}, may_wait)) shifted = first;
      } else {
        warp.wait_for_engine();
      }
    }
  }

  void read_everything() {
    for (unsigned done = 0; done < columns_;) {
      const unsigned repeat = part_of(columns_ - done);
      for (unsigned warp = 0; warp < warps; ++warp)
        warps_[warp].access({true, access_shape::of_32x32b, repeat, false, {chunk_lanes * warp, done}, 0});
      done += repeat;
    }
    meet();
  }

  void meet() {
    for (warp_writer& warp : warps_) warp.meet_others();
  }

  void end() {
    for (unsigned i = 0, column = 0; i < allocations_.size(); column += allocations_[i++])
      warps_.front().add(fmt::format("tcgen05.dealloc.cta_group::1.sync.aligned.b32 {:#x}, {}", column, allocations_[i]));
    for (warp_writer& warp : warps_) warp.add_machine("EXIT");
  }

  random_numbers random_;
  kernel_memory memory_;
  tensor_arrays arrays_;
  wait_counter waits_;
  unsigned operations_left_;
  std::vector<warp_writer> warps_;
  std::vector<unsigned> allocations_;
  unsigned columns_ = 0;
  special_columns specials_;
};

}  // namespace

tensor_program make_tensor_program(std::uint64_t seed, const program_options& options) { return program_writer(seed, options).write(seed); }

}  // namespace tc::tensor_programs
