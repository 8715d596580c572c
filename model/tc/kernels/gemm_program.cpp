// SPDX-License-Identifier: Apache-2.0
#include "gemm_program.hpp"

#include <fmt/format.h>

#include <tc/kernels/gemm_control.hpp>
#include <tc/kernels/gemm_pointer.hpp>

namespace tc::kernels {
namespace {

/// Who announces what by which barrier.
namespace barrier {
constexpr std::uint8_t global_load = 0, even_fragments = 1, odd_fragments = 2, store = 3, first_products = 4, second_products = 5;
}

/// "[R8+0x40]".
std::string shared_reference(unsigned base, std::uint64_t offset) {
  return offset == 0 ? fmt::format("[R{}]", base) : fmt::format("[R{}+{:#x}]", base, offset);
}

}  // namespace

gemm_program::gemm_program(const gemm_plan& plan, const config::machine& machine) : plan_(plan), addresses_(plan) {
  write_prologue();
  if (plan_.tiling.double_buffered)
    write_buffered_loop();
  else
    write_plain_loop();
  write_epilogue();
  follow_path();
  const code_timing timing(machine.sm.sub_core, plan_.step);
  control_planner(code_, timing).plan();
}

std::uint32_t gemm_program::parameter_offset() const { return isa::info(plan_.arch).parameter_offset; }

code_writer gemm_program::new_block() { return {plan_.arch, code_.blocks.emplace_back()}; }

void gemm_program::write_prologue() {
  using registers = gemm_registers;
  code_writer code = new_block();
  code.add(fmt::format("S2R R{}, SR_TID.X", registers::thread), barrier::store);
  load_global_descriptor(code, barrier::store);
  compute_pointer(code, addresses_.a_global, registers::a_pointer, 0, barrier::store);
  compute_pointer(code, addresses_.b_global, registers::b_pointer, 1, barrier::store);
  if (plan_.tiling.double_buffered) issue(code, global_loads(0));
  compute_pointer(code, addresses_.d_global, registers::d_pointer, 2, barrier::store);
  compute_address(code, addresses_.a_store, registers::a_store);
  compute_address(code, addresses_.b_store, registers::b_store);
  compute_address(code, addresses_.a_load, registers::a_load);
  compute_address(code, addresses_.b_load, registers::b_load);
  code.add(fmt::format("IMAD.MOV.U32 R{}, RZ, RZ, RZ", registers::counter));
  clear_accumulators(code);
  if (!plan_.tiling.double_buffered) return;
  issue(code, shared_stores(0));
  if (plan_.tiles > 1) {
    advance_pointers(code);
    issue(code, global_loads(1));
  }
  synchronize(code);
  issue(code, fragment_loads_of(0, 0, 0));
}

/// Even and odd tiles have code of their own, because they use different buffers; the last tile has, because nothing is left to load.
void gemm_program::write_buffered_loop() {
  const unsigned last = plan_.tiles - 1;
  for (unsigned parity = 0; parity < std::min(2u, last); ++parity) {
    code_writer code = new_block();
    write_tile(code, parity, false);
    const bool leaves = last % 2 != parity;  // the last pass through this block
    if (parity == 0 && leaves) code.add("@!P1 BRA `(.L_x_1)");
    if (parity == 1) code.add(leaves ? "@P1 BRA `(.L_x_0)" : "BRA `(.L_x_0)");
  }
  code_writer code = new_block();
  write_tile(code, last % 2, true);
}

/// One tile after the other, as a compiler writes it without help.
void gemm_program::write_plain_loop() {
  code_writer code = new_block();
  issue(code, global_loads(0));
  count_tiles(code);
  advance_pointers(code);
  issue(code, shared_stores(0));
  synchronize(code);
  for (unsigned step = 0; step < plan_.steps; ++step) {
    issue(code, fragment_loads_of(step, 0, 0));
    multiply(code, 0, {});
  }
  synchronize(code);
  code.add("@P1 BRA `(.L_x_0)");
}

void gemm_program::write_tile(code_writer& code, unsigned parity, bool is_last) {
  if (!is_last) {
    count_tiles(code);
    advance_pointers(code);
    issue(code, shared_stores(1 - parity));
  }
  for (unsigned step = 0; step < plan_.steps; ++step) {
    const unsigned buffer = (parity * plan_.steps + step) % 2;
    const bool ends_tile = step + 1 == plan_.steps;
    accesses between;
    if (!ends_tile) between = fragment_loads_of(step + 1, parity, 1 - buffer);
    if (ends_tile && !is_last) {
      synchronize(code);
      between = fragment_loads_of(0, 1 - parity, 1 - buffer);
    }
    if (step == 0 && !is_last) {
      const accesses loads = global_loads(2);
      between.insert(between.end(), loads.begin(), loads.end());
    }
    multiply(code, buffer, between);
  }
}

void gemm_program::write_epilogue() {
  code_writer code = new_block();
  for (unsigned i = 0; i < plan_.a_steps; ++i) {
    for (unsigned j = 0; j < plan_.b_steps; ++j) {
      const unsigned first = gemm_registers::accumulators + (i * plan_.b_steps + j) * plan_.step.d_registers;
      for (unsigned reg = 0, width = 1; reg < plan_.step.d_registers; reg += width) {
        width = addresses_.result_run(reg);
        const std::uint64_t offset = addresses_.result_offset(i, j, reg);
        code.add(fmt::format("STG.E{}{} {}, R{}", width_suffix(4 * width), isa::info(plan_.arch).global_scope,
                             global_reference(plan_.arch, gemm_registers::d_pointer, offset), first + reg),
                 barrier::store, {&addresses_.d_global, offset, 0});
      }
    }
  }
  code.add("EXIT");
}

/// Prologue, loop, last tile, epilogue.
void gemm_program::follow_path() {
  const std::size_t epilogue = code_.blocks.size() - 1;
  const bool buffered = plan_.tiling.double_buffered;
  code_.path.push_back({0});
  for (unsigned tile = 0; tile < plan_.tiles; ++tile) {
    const bool has_own_block = buffered && tile + 1 == plan_.tiles;
    const std::size_t block = has_own_block ? epilogue - 1 : buffered ? 1 + tile % 2 : 1;
    code_.path.push_back({block, tile, tile + (buffered ? 2 : 1) < plan_.tiles});
  }
  code_.path.push_back({epilogue});
}

void gemm_program::advance_pointers(code_writer& code) {
  for (const unsigned pointer : {gemm_registers::a_pointer, gemm_registers::b_pointer}) {
    code.add(fmt::format("IADD3 R{0}, P0, R{0}, {1:#x}, RZ", pointer, plan_.k_bytes));
    code.add(fmt::format("IADD3.X R{0}, RZ, R{0}, RZ, P0, !PT", pointer + 1));
  }
}

void gemm_program::clear_accumulators(code_writer& code) {
  const unsigned count = plan_.a_steps * plan_.b_steps * plan_.step.d_registers;
  for (unsigned reg = 0; reg < count; reg += 2) code.add(fmt::format("CS2R R{}, SRZ", gemm_registers::accumulators + reg));
}

/// P1: the loop goes on, and with double buffering there is another tile to load.
void gemm_program::count_tiles(code_writer& code) {
  const unsigned passes = plan_.tiling.double_buffered ? plan_.tiles - 1 : plan_.tiles;
  code.add(fmt::format("IADD3 R{0}, R{0}, 0x1, RZ", gemm_registers::counter));
  code.add(fmt::format("ISETP.NE.AND P1, PT, R{}, {:#x}, PT", gemm_registers::counter, passes));
}

void gemm_program::synchronize(code_writer& code) const { code.add(fmt::format("{} 0x0", isa::info(plan_.arch).cta_barrier)); }

gemm_program::accesses gemm_program::global_loads(unsigned tiles_ahead) const {
  accesses list;
  append_copies(list, plan_.a, addresses_.a_global, gemm_registers::a_pointer, plan_.registers.a_staging, tiles_ahead);
  append_copies(list, plan_.b, addresses_.b_global, gemm_registers::b_pointer, plan_.registers.b_staging, tiles_ahead);
  return list;
}

/// Loads of the tile that is `tiles_ahead` of the one in work. In a loop, those two tiles ahead are left out by the last pass.
void gemm_program::append_copies(accesses& list, const tile_copy& copy, const linear_address& address, unsigned pointer, unsigned staging,
                                 unsigned tiles_ahead) const {
  for (unsigned i = 0; i < copy.pieces; ++i) {
    const std::uint64_t offset = addresses_.piece_offset(copy, i, plan_.problem.row_bytes());
    const bool is_guarded = tiles_ahead == 2;
    list.push_back(
        {fmt::format("{}LDG.E{}{} R{}, {}", is_guarded ? "@P1 " : "", width_suffix(copy.piece_bytes), isa::info(plan_.arch).global_scope,
                     staging + i * copy.piece_bytes / 4, global_reference(plan_.arch, pointer, offset)),
         barrier::global_load,
         {&address, offset + std::uint64_t{tiles_ahead} * plan_.k_bytes, plan_.k_bytes}});
  }
}

gemm_program::accesses gemm_program::shared_stores(unsigned stage) const {
  accesses list;
  append_stores(list, plan_.a, addresses_.a_store, gemm_registers::a_store, plan_.registers.a_staging, stage);
  append_stores(list, plan_.b, addresses_.b_store, gemm_registers::b_store, plan_.registers.b_staging, stage);
  return list;
}

void gemm_program::append_stores(accesses& list, const tile_copy& copy, const linear_address& address, unsigned base, unsigned staging,
                                 unsigned stage) const {
  for (unsigned i = 0; i < copy.pieces; ++i) {
    const std::uint64_t offset = addresses_.piece_offset(copy, i, plan_.pitch_bytes) + std::uint64_t{stage} * plan_.stage_bytes();
    list.push_back({fmt::format("STS{} {}, R{}", width_suffix(copy.piece_bytes), shared_reference(base, address.base() + offset),
                                staging + i * copy.piece_bytes / 4),
                    barrier::store,
                    {&address, offset, 0}});
  }
}

gemm_program::accesses gemm_program::fragment_loads_of(unsigned step, unsigned stage, unsigned buffer) const {
  accesses list;
  for (unsigned i = 0; i < addresses_.a_fragments.loads; ++i) list.push_back(fragment_load(isa::fragment::a, i, step, stage, buffer));
  for (unsigned i = 0; i < addresses_.b_fragments.loads; ++i) list.push_back(fragment_load(isa::fragment::b, i, step, stage, buffer));
  return list;
}

gemm_program::access gemm_program::fragment_load(isa::fragment which, unsigned index, unsigned step, unsigned stage,
                                                 unsigned buffer) const {
  const bool is_a = which == isa::fragment::a;
  const linear_address& address = is_a ? addresses_.a_load : addresses_.b_load;
  const unsigned width = (is_a ? addresses_.a_fragments : addresses_.b_fragments).registers;
  const unsigned base = is_a ? gemm_registers::a_load : gemm_registers::b_load;
  const unsigned target = (is_a ? plan_.registers.a_fragments : plan_.registers.b_fragments)[buffer] + index * width;
  const std::uint64_t offset =
      addresses_.load_offset(which, index) + std::uint64_t{stage} * plan_.stage_bytes() + step * plan_.step_bytes();
  const std::string opcode = !plan_.step.loads_matrices ? fmt::format("LDS{}", width_suffix(4 * width))
                             : width == 1               ? std::string("LDSM.16.M88")
                                                        : fmt::format("LDSM.16.M88.{}", width);
  return {fmt::format("{} R{}, {}", opcode, target, shared_reference(base, address.base() + offset)),
          buffer == 0 ? barrier::even_fragments : barrier::odd_fragments,
          {&address, offset, 0}};
}

void gemm_program::issue(code_writer& code, accesses::const_iterator first, accesses::const_iterator last) {
  for (; first != last; ++first) code.add(first->text, first->barrier, first->memory);
}

/// All products of a matrix step, with memory instructions spread evenly `between` them.
void gemm_program::multiply(code_writer& code, unsigned buffer, const accesses& between) const {
  const std::vector<product> list = products(buffer);
  const std::size_t at_a_time = (between.size() + list.size() - 1) / list.size();
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::size_t first = std::min(between.size(), i * at_a_time), last = std::min(between.size(), first + at_a_time);
    const bool next_follows = first == last && i + 1 < list.size();
    code.add(text_of(list[i], next_follows ? &list[i + 1] : nullptr),
             i < list.size() / 2 ? barrier::first_products : barrier::second_products);
    issue(code, between.begin() + static_cast<std::ptrdiff_t>(first), between.begin() + static_cast<std::ptrdiff_t>(last));
  }
}

/// In an order in which every product shares an operand with the one before it.
std::vector<gemm_program::product> gemm_program::products(unsigned buffer) const {
  const matrix_step& step = plan_.step;
  std::vector<product> list;
  for (unsigned i = 0; i < plan_.a_steps; ++i) {
    for (unsigned turn = 0; turn < plan_.b_steps; ++turn) {
      const unsigned j = i % 2 == 0 ? turn : plan_.b_steps - 1 - turn;
      for (const matrix_instruction& instruction : step.instructions)
        list.push_back({&instruction, plan_.registers.a_fragments[buffer] + i * step.a_registers + instruction.a,
                        plan_.registers.b_fragments[buffer] + j * step.b_registers + instruction.b,
                        gemm_registers::accumulators + (i * plan_.b_steps + j) * step.d_registers + instruction.c});
    }
  }
  return list;
}

/// An operand that the next instruction reads too stays in the reuse cache.
std::string gemm_program::text_of(const product& current, const product* next) const {
  const bool is_ordered = isa::info(plan_.arch).octet_steps || plan_.problem.precision.opcode != "HMMA";
  return fmt::format("{} R{}, R{}{}{}, R{}{}{}, R{}", current.instruction->mnemonic, current.c, current.a,
                     next != nullptr && next->a == current.a ? ".reuse" : "", is_ordered ? ".ROW" : "", current.b,
                     next != nullptr && next->b == current.b ? ".reuse" : "", is_ordered ? ".COL" : "", current.c);
}

}  // namespace tc::kernels
