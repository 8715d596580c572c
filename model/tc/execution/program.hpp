// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tc/config/tensor_core_parameters.hpp>
#include <tc/execution/module_symbols.hpp>
#include <tc/execution/quad_pair_product.hpp>
#include <tc/execution/register_product.hpp>
#include <tc/execution/sparse_product.hpp>
#include <tc/execution/warpgroup_product.hpp>
#include <tc/isa/instruction.hpp>
#include <tc/lanes/atomic_arithmetic.hpp>
#include <tc/lanes/lane_operations.hpp>
#include <tc/listings/sass_listing.hpp>
#include <tc/listings/sass_program.hpp>
#include <tc/warp/kernel_constants.hpp>
#include <tc/warp/lane_vector.hpp>

namespace tc::execution {

class warp_state;
struct access_parts;
struct operation;

/// Executes an operation in the lanes of a mask that is not empty.
using step = void (*)(warp_state& warp, const operation& op, std::uint32_t mask);

/// Where a source operand comes from.
enum class source_origin : std::uint8_t {
  fixed,  ///< the same in all launches: an immediate, a constant, RZ, PT
  vector,
  uniform,
  predicate,
  uniform_predicate,
  indexed_constant,
  missing_constant,  ///< the launch does not say it
};

struct source_access {
  source_origin origin = source_origin::fixed;
  std::uint8_t index = 0;                  ///< of the register
  bool has_high = false;                   ///< of a pair
  const warp::lane_vector* low = nullptr;  ///< of a fixed value
  const warp::lane_vector* high = nullptr;
  std::uint32_t predicate = 0;
};

/// An instruction, prepared for being executed often.
struct operation {
  static constexpr std::uint32_t no_target = 0xffffffff;

  step execute = nullptr;
  lanes::lane_operation compute = nullptr;
  const isa::instruction* code = nullptr;
  isa::register_file guard_file = isa::register_file::predicate;
  std::uint8_t guard_index = isa::true_predicate;
  bool guard_is_inverted = false;
  bool is_guarded = false;
  std::uint8_t access_bytes = 0;     ///< of a lane
  std::uint32_t target = no_target;  ///< number of the instruction that a branch goes to, or what a computed one adds, in bytes
  std::uint32_t number = 0;          ///< of the instruction in the program
  std::array<source_access, isa::instruction::max_sources> sources{};
  const register_product* product = nullptr;
  const quad_pair_product* quad_pairs = nullptr;
  const sparse_product* sparse = nullptr;
  const warpgroup_product* warpgroup = nullptr;
  std::optional<lanes::atomic_arithmetic> atomic;
  const access_parts* access = nullptr;  ///< of what steps::access_at_once() executes
};

/// The machine code of a kernel with the constants of its launch, decoded once.
class program {
 public:
  /// `kernel` and `constants` must outlive the program. What is not executed is no error before a warp comes there.
  program(const listings::sass_kernel& kernel, const module_symbols& symbols, const warp::constant_memory& constants,
          const config::arithmetic_parameters& arithmetic);

  const std::vector<operation>& operations() const { return operations_; }
  const listings::sass_kernel& kernel() const { return kernel_; }
  const warp::constant_memory& constants() const { return constants_; }
  /// Vector registers up to the highest one that an instruction names.
  unsigned registers() const { return registers_; }
  /// The instruction as it was listed.
  const listings::program_instruction& listed(const operation& op) const { return listed_[op.number]; }
  /// Why an instruction is not executed; empty: it is.
  const std::string& refusal(const operation& op) const { return listed_[op.number].unknown; }
  /// "code.sass:12:34: 'IADD3 R0, R1, R2, RZ' at 0x0120".
  std::string place(const operation& op) const;
  /// Instructions that cannot be executed, for a message each.
  std::vector<std::string> refused() const;

 private:
  void prepare(listings::program_instruction& listed, operation& op);
  bool prepare_unlisted(listings::program_instruction& listed, operation& op);
  void prepare_product(listings::program_instruction& listed, operation& op);
  void prepare_sources(operation& op);
  void prepare_execution(listings::program_instruction& listed, operation& op);
  source_access access_of(const isa::instruction& code, unsigned source);
  source_access fixed(std::uint32_t low, std::optional<std::uint32_t> high = std::nullopt);
  const warp::lane_vector* broadcast(std::uint32_t value);
  void count_registers(const isa::instruction& code);
  const register_product& product_of(const isa::instruction& code);

  const listings::sass_kernel& kernel_;
  const warp::constant_memory& constants_;
  const config::arithmetic_parameters& arithmetic_;
  std::vector<listings::program_instruction> listed_;
  std::vector<operation> operations_;
  std::deque<warp::lane_vector> values_;
  std::deque<register_product> products_;
  std::deque<quad_pair_product> quad_pair_products_;
  std::deque<sparse_product> sparse_products_;
  std::deque<warpgroup_product> warpgroup_products_;
  unsigned registers_ = 0;
};

/// What executes an instruction that is none of lane arithmetic, matrices and warpgroups; null if nothing does.
step find_step(const isa::instruction& code, const listings::program_instruction& listed);

}  // namespace tc::execution
