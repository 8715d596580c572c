// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include <tc/config/parameter_type.hpp>

namespace tc::config {

/// Rounding of a result.
enum class rounding { toward_zero, nearest_even };
BOOST_DESCRIBE_ENUM(rounding, toward_zero, nearest_even)

/// How the products of a row and the addend become one number: numerics::summation.
enum class summation { fused, paired_groups, fma_chain, adder_tree };
BOOST_DESCRIBE_ENUM(summation, fused, paired_groups, fma_chain, adder_tree)

/// Where the addend joins the sum: numerics::addend_position.
enum class addend_position { in_first_group, after_sum };
BOOST_DESCRIBE_ENUM(addend_position, in_first_group, after_sum)

/// The dot products of one kind of inputs. Defaults are Hopper's for f16: a truncated fused dot-product-add (MMA-Sim, arXiv 2511.10909).
struct dot_product_arithmetic {
  config::summation summation = config::summation::fused;
  unsigned group_length = 16;
  unsigned products_per_term = 1;
  unsigned alignment_fraction_bits = 25;
  unsigned f32_alignment_floor = 7;
  unsigned f16_alignment_floor = 7;
  addend_position addend = addend_position::in_first_group;
  rounding f32_rounding = rounding::toward_zero;
  unsigned f32_kept_fraction_bits = 23;
  rounding f16_rounding = rounding::nearest_even;
  bool flush_subnormals = false;
  bool align_to_zeros = false;

  /// Whether the tensor cores have the operation.
  bool is_there() const { return group_length != 0; }
};
BOOST_DESCRIBE_STRUCT(dot_product_arithmetic, (),
                      (summation, group_length, products_per_term, alignment_fraction_bits, f32_alignment_floor, f16_alignment_floor,
                       addend, f32_rounding, f32_kept_fraction_bits, f16_rounding, flush_subnormals, align_to_zeros))

inline constexpr auto describe_parameters(const dot_product_arithmetic*) {
  constexpr const char* simulator = "MMA-Sim, arXiv 2511.10909";
  return std::array{
      parameter_note{"summation", "",
                     "fused: aligned, truncated, added exactly, rounded once; paired_groups: (C + (T0 + T1)) + (T2 + T3) over groups T; "
                     "fma_chain: fused multiply-adds; adder_tree: a tree of adders over rounded products",
                     "MMA-Sim, arXiv 2511.10909; paired_groups: Hickmann and Bradford, 2019"},
      parameter_note{"group_length", "elements", "products summed in one step; a longer k chains steps; 0: there is no such operation",
                     simulator},
      parameter_note{"products_per_term", "products",
                     "products added exactly before the alignment, to a term with the exponents of its scales", simulator},
      parameter_note{"alignment_fraction_bits", "bits",
                     "fraction bits, below the largest exponent of a step, that every term is truncated to", simulator},
      parameter_note{"f32_alignment_floor", "binades",
                     "with f32 results, terms are aligned to at least the smallest normal exponent, -126, minus this; 1023: no such limit",
                     "MMA-Sim, arXiv 2511.10909; Hopper: recorded on an H200"},
      parameter_note{"f16_alignment_floor", "binades",
                     "with f16 results, terms are aligned to at least the smallest normal exponent, -14, minus this; 1023: no such limit",
                     "Hopper: recorded on an H200; inferred for other generations"},
      parameter_note{"addend", "", "whether C is a term of the first step, or added to the sum at the end, rounded to nearest even",
                     simulator},
      parameter_note{"f32_rounding", "", "rounding of f32 results", "Fasi et al., PeerJ CS 7:e330"},
      parameter_note{"f32_kept_fraction_bits", "bits", "fraction bits of f32 results that are kept; the others are zero", simulator},
      parameter_note{"f16_rounding", "", "rounding of f16 results", "Fasi et al., PeerJ CS 7:e330"},
      parameter_note{"flush_subnormals", "", "whether subnormal addends and results become zero",
                     "Hickmann and Bradford, 2019, against later studies"},
      parameter_note{"align_to_zeros", "", "whether the exponent of a zero term counts for the alignment",
                     "recorded on an H200: it does not"},
  };
}

void validate(const dot_product_arithmetic& parameters, const std::string& path);

/// Dot products that the tensor cores do not have.
inline constexpr dot_product_arithmetic no_dot_product{summation::fused, 0};

/// The floating-point arithmetic of a tensor core, by format of A and B.
struct arithmetic_parameters {
  dot_product_arithmetic f16{};
  dot_product_arithmetic bf16{};
  dot_product_arithmetic tf32{summation::fused, 8};
  dot_product_arithmetic f8f6f4 = no_dot_product;
  dot_product_arithmetic f8_by_f16 = no_dot_product;
  dot_product_arithmetic mxf8f6f4 = no_dot_product;
  dot_product_arithmetic mxf4 = no_dot_product;
  bool f64 = false;
};
BOOST_DESCRIBE_STRUCT(arithmetic_parameters, (), (f16, bf16, tf32, f8f6f4, f8_by_f16, mxf8f6f4, mxf4, f64))

inline constexpr auto describe_parameters(const arithmetic_parameters*) {
  return std::array{
      parameter_note{"f16", "", "A and B in f16", ""},
      parameter_note{"bf16", "", "A and B in bf16", ""},
      parameter_note{"tf32", "", "A and B in tf32", ""},
      parameter_note{"f8f6f4", "", "A and B in e4m3, e5m2, e3m2, e2m3, e2m1", ""},
      parameter_note{"f8_by_f16", "",
                     "e4m3 and e5m2 from registers, converted to f16 and multiplied as such; if there is no such operation, f8f6f4 applies",
                     ""},
      parameter_note{"mxf8f6f4", "", "A and B as f8f6f4, with block scales", ""},
      parameter_note{"mxf4", "", "A and B in e2m1, with block scales", ""},
      parameter_note{"f64", "", "whether A and B may be f64: a chain of IEEE fused multiply-adds",
                     "recorded on an H200; MMA-Sim, arXiv 2511.10909"},
  };
}

void validate(const arithmetic_parameters& parameters, const std::string& path);

/// What one dot-product unit multiplies in a cycle. 0: the tensor core does not have the operation.
struct dot_product_unit_parameters {
  unsigned f16_per_cycle = 4;
  unsigned bf16_per_cycle = 0;
  unsigned tf32_per_cycle = 0;
  unsigned f8_per_cycle = 0;
  unsigned f4_per_cycle = 0;
  unsigned s8_per_cycle = 8;
  unsigned s4_per_cycle = 16;
  unsigned b1_per_cycle = 64;
  unsigned sub_byte_recovery_cycles = 0;
};
BOOST_DESCRIBE_STRUCT(dot_product_unit_parameters, (),
                      (f16_per_cycle, bf16_per_cycle, tf32_per_cycle, f8_per_cycle, f4_per_cycle, s8_per_cycle, s4_per_cycle, b1_per_cycle,
                       sub_byte_recovery_cycles))

inline constexpr auto describe_parameters(const dot_product_unit_parameters*) {
  constexpr const char* thesis = "Shin, Yonsei University, 2020, section 4; white-paper rates";
  return std::array{
      parameter_note{"f16_per_cycle", "multiply-accumulates", "f16 products: one four-element dot product (FEDP)", thesis},
      parameter_note{"bf16_per_cycle", "multiply-accumulates", "bf16 products", "NVIDIA A100 white paper"},
      parameter_note{"tf32_per_cycle", "multiply-accumulates", "tf32 products", "NVIDIA A100 white paper"},
      parameter_note{"f8_per_cycle", "multiply-accumulates", "e4m3 and e5m2 products, of QMMA or of operands in shared memory",
                     "NVIDIA H100 white paper"},
      parameter_note{"f4_per_cycle", "multiply-accumulates", "e2m1 products without block scales, which only a declared matrix shape has",
                     "design: no tensor core has them"},
      parameter_note{"s8_per_cycle", "multiply-accumulates", "s8 and u8 products: two FEDPs", thesis},
      parameter_note{"s4_per_cycle", "multiply-accumulates", "s4 and u4 products: four FEDPs", thesis},
      parameter_note{"b1_per_cycle", "multiply-accumulates", "single-bit products: sixteen four-bit XOR-POPC units", thesis},
      parameter_note{"sub_byte_recovery_cycles", "cycles",
                     "between the products of an instruction with elements under a byte and those of the next",
                     "A100: fitted to a loop of INT4, of 90 % of the peak rate (Sun et al., arXiv 2206.02874)"},
  };
}

/// The buses that bring operand registers (32 lanes x 32 bit) from the operand fetch to the tensor cores.
struct operand_bus_parameters {
  unsigned a_registers_per_cycle = 2;
  unsigned b_registers_per_cycle = 2;
  unsigned c_registers_per_cycle = 2;
  bool a_and_b_share = false;
};
BOOST_DESCRIBE_STRUCT(operand_bus_parameters, (), (a_registers_per_cycle, b_registers_per_cycle, c_registers_per_cycle, a_and_b_share))

inline constexpr auto describe_parameters(const operand_bus_parameters*) {
  constexpr const char* volta = "Raihan et al., ISPASS 2019: three buses, a register pair per lane";
  return std::array{
      parameter_note{"a_registers_per_cycle", "registers/cycle", "width of the A bus", volta},
      parameter_note{"b_registers_per_cycle", "registers/cycle", "width of the B bus, unless a_and_b_share", volta},
      parameter_note{"c_registers_per_cycle", "registers/cycle", "width of the accumulator bus", volta},
      parameter_note{"a_and_b_share", "", "A and B follow each other on the A bus",
                     "intervals recorded on an H200: one cycle per A and B register"},
  };
}

void validate(const operand_bus_parameters& parameters, const std::string& path);

/// A buffer that holds the operands of this many matrix instructions.
struct operand_buffer_parameters {
  unsigned depth_tiles = 2;
};
BOOST_DESCRIBE_STRUCT(operand_buffer_parameters, (), (depth_tiles))

inline constexpr auto describe_parameters(const operand_buffer_parameters*) {
  return std::array{
      parameter_note{"depth_tiles", "tiles", "capacity; 2 fills for the next instruction while this one computes", "design: ping-pong"},
  };
}

void validate(const operand_buffer_parameters& parameters, const std::string& path);

/// The B buffer.
struct b_buffer_parameters {
  unsigned depth_tiles = 2;
  bool shared = true;
  bool per_octet = false;
};
BOOST_DESCRIBE_STRUCT(b_buffer_parameters, (), (depth_tiles, shared, per_octet))

inline constexpr auto describe_parameters(const b_buffer_parameters*) {
  return std::array{
      parameter_note{"depth_tiles", "tiles", "capacity; 2 fills for the next instruction while this one computes", "design: ping-pong"},
      parameter_note{"shared", "", "one buffer for all tensor cores of the sub-core; else each has its own and is filled by itself",
                     "Shin, Yonsei University, 2020, figure 4.1"},
      parameter_note{
          "per_octet", "",
          "one buffer for each octet (threadgroups X and X + 4), of a 4x4 tile that both read: HMMA.884 needs no more, others do",
          "Raihan et al., ISPASS 2019, figure 12"},
  };
}

void validate(const b_buffer_parameters& parameters, const std::string& path);

/// The tensor cores of a sub-core. An instruction's latency and initiation interval follow from these; neither is a parameter.
struct tensor_core_parameters {
  unsigned count = 1;
  unsigned dot_product_units = 4;
  dot_product_unit_parameters unit{};
  unsigned octets_per_cycle = 4;
  unsigned f64_units = 0;
  operand_bus_parameters operand_bus{};
  operand_buffer_parameters a_buffer{};
  operand_buffer_parameters accumulator_buffer{};
  b_buffer_parameters b_buffer{};
  unsigned multiply_stages = 1;
  unsigned adder_stages = 3;
  unsigned result_stages = 1;
  unsigned f16_result_stages = 0;
  unsigned f64_result_stages = 1;
  unsigned f32_accumulate_divider = 1;
  unsigned operand_lead_cycles = 0;
  bool exclusive_dispatch = false;
  arithmetic_parameters arithmetic{};
};
BOOST_DESCRIBE_STRUCT(tensor_core_parameters, (),
                      (count, dot_product_units, unit, octets_per_cycle, f64_units, operand_bus, a_buffer, accumulator_buffer, b_buffer,
                       multiply_stages, adder_stages, result_stages, f16_result_stages, f64_result_stages, f32_accumulate_divider,
                       operand_lead_cycles, exclusive_dispatch, arithmetic))

inline constexpr auto describe_parameters(const tensor_core_parameters*) {
  return std::array{
      parameter_note{
          "count", "tensor cores",
          "tensor cores of a sub-core; together they hold the eight threadgroups of a warp, so that their number decides about cycles only "
          "where each fills a B buffer of its own (b_buffer.shared)",
          "NVIDIA white papers: 2 up to Turing, 1 from Ampere on"},
      parameter_note{"dot_product_units", "units", "dot-product units of a threadgroup",
                     "Shin, Yonsei University, 2020; white-paper rates"},
      parameter_note{"unit", "", "throughput of a dot-product unit", ""},
      parameter_note{"octets_per_cycle", "octets/cycle", "octets (threadgroups X and X+4) that the sequencer starts in a cycle",
                     "Turing: both tensor cores in lock step; Ampere and Hopper: fitted to the smallest interval, 4, of any instruction"},
      parameter_note{"f64_units", "units",
                     "units of a threadgroup that do an f64 fused multiply-add in a cycle; 0: no f64 matrix instructions",
                     "NVIDIA A100 and H100 white papers"},
      parameter_note{"operand_bus", "", "operand buses", ""},
      parameter_note{"a_buffer", "", "A buffer of every threadgroup", ""},
      parameter_note{"accumulator_buffer", "", "accumulator buffer of every threadgroup", ""},
      parameter_note{"b_buffer", "", "B buffer", ""},
      parameter_note{"multiply_stages", "cycles", "pipeline stages of the multipliers", "Raihan et al., ISPASS 2019, section IV"},
      parameter_note{"adder_stages", "cycles",
                     "pipeline stages of the adder tree with accumulation; k beyond one register of B passes them again",
                     "Raihan et al., ISPASS 2019, section IV"},
      parameter_note{"result_stages", "cycles", "stages from the last adder to the register write port or bypass",
                     "fitted to one dependent latency of each generation"},
      parameter_note{"f16_result_stages", "cycles", "further stages of f16 results: their rounding",
                     "Volta: fitted to the set interval of 13 with f16 sums (Raihan et al., ISPASS 2019, figure 9)"},
      parameter_note{"f64_result_stages", "cycles", "stages from the last f64 fused multiply-add to the register write port or bypass",
                     "fitted to the latencies of four shapes recorded on an H200"},
      parameter_note{"f32_accumulate_divider", "factor",
                     "how much less often f32 accumulations start than their products would allow: 2 on GeForce parts, a product throttle",
                     "Sun et al., arXiv 2206.02874, table 5"},
      parameter_note{"operand_lead_cycles", "cycles",
                     "how much earlier than other pipes the buses take operands: they stream the registers as these are read",
                     "compiled sm_90 code: results of IMMA.8816 are read by LOP3 after 13 cycles, by IMMA after 14"},
      parameter_note{"exclusive_dispatch", "",
                     "whether nothing else is dispatched while the operand buses bring a matrix instruction its operands, beat by beat",
                     "Raihan et al., ISPASS 2019: tensor instructions are not issued along with others"},
      parameter_note{"arithmetic", "", "floating-point arithmetic", ""},
  };
}

void validate(const tensor_core_parameters& parameters, const std::string& path);

}  // namespace tc::config
