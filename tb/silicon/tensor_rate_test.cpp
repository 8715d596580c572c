#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tc/isa/instruction_parser.hpp>

#include "listing.hpp"
#include "recorded_run.hpp"

// Kernels that do nothing but matrix instructions reach the rates of the white papers.

namespace {

using namespace tc;
using silicon::listing;

struct rate {
  const char *part, *machine, *arch, *instruction;
  unsigned accumulators;  ///< of a warp, independent of each other
  unsigned d_registers;   ///< of each
  double tera;            ///< published, operations per second
  double sms, clock_mhz;  ///< of the part
  double share = 1;       ///< of the published rate that the instruction can reach
};

std::ostream& operator<<(std::ostream& out, const rate& r) { return out << r.part << ' ' << r.instruction; }

class tensor_rate : public testing::TestWithParam<rate> {};

/// Two warps of each sub-core, rounds of one instruction for each accumulator between two clock reads.
TEST_P(tensor_rate, is_the_published_one) {
  const rate& r = GetParam();
  constexpr unsigned warps = 8, rounds = 48;
  const bool is_volta = std::string(r.arch) == "sm_70", is_half = r.instruction[0] == 'H';
  listing code{"CS2R R2, SR_CLOCKLO"};
  unsigned multiply_accumulates = 0;
  for (unsigned i = 0; i < rounds * r.accumulators; ++i) {
    const unsigned index = i % r.accumulators, d = 16 + index * r.d_registers;
    const std::string opcode = is_volta ? fmt::format("{}{}", r.instruction, index % 4) : std::string(r.instruction);
    const std::string reuse = is_volta && index % 4 != 3 ? ".reuse" : "";
    code.push_back(fmt::format("{} R{}, R4{}{}, R8{}{}, R{}", opcode, d, reuse, is_half && !is_volta ? "" : ".ROW", reuse,
                               is_half && !is_volta ? "" : ".COL", d));
    const auto mma = *isa::parse_operation(code.back(), *isa::find_architecture(r.arch)).mma;
    multiply_accumulates += unsigned{mma.m} * mma.n * mma.k * mma.instances / mma.steps;
  }
  code.push_back(fmt::format("CS2R R{}, SR_CLOCKLO", 16 + (r.accumulators - 1) * r.d_registers));
  const auto cycles = silicon::clock_differences(silicon::run_listings(r.arch, {code}, silicon::machine_of(r.machine), warps)).at(0);
  const double per_cycle = static_cast<double>(multiply_accumulates) * warps / static_cast<double>(cycles);
  const double tera = per_cycle * 2 * r.sms * r.clock_mhz * 1e-6;
  EXPECT_NEAR(tera / (r.tera * r.share), 1, 0.02) << tera << " of " << r.tera;
}

// NVIDIA white papers of Volta (SXM2), Turing, A100 and H100. An H100 gives mma.sync two thirds: six cycles for what its units do in four.
INSTANTIATE_TEST_SUITE_P(of, tensor_rate,
                         testing::Values(rate{"V100", "volta", "sm_70", "HMMA.884.F32.F32.STEP", 8, 2, 125, 80, 1530},
                                         rate{"T4", "turing", "sm_75", "HMMA.1688.F32", 4, 4, 65, 40, 1590},
                                         rate{"T4", "turing", "sm_75", "IMMA.8816.S8.S8", 4, 2, 130, 40, 1590},
                                         rate{"T4", "turing", "sm_75", "IMMA.8832.S4.S4", 4, 2, 260, 40, 1590},
                                         rate{"RTX 2080 Ti", "turing_geforce", "sm_75", "HMMA.1688.F16", 4, 2, 113.8, 68, 1635},
                                         rate{"RTX 2080 Ti", "turing_geforce", "sm_75", "HMMA.1688.F32", 4, 4, 56.9, 68, 1635},
                                         rate{"RTX 2080 Ti", "turing_geforce", "sm_75", "IMMA.8816.S8.S8", 4, 2, 227.7, 68, 1635},
                                         rate{"RTX 2080 Ti", "turing_geforce", "sm_75", "IMMA.8832.S4.S4", 4, 2, 455.4, 68, 1635},
                                         rate{"Quadro RTX 6000", "turing", "sm_75", "HMMA.1688.F32", 4, 4, 130.5, 72, 1770},
                                         rate{"A100", "ampere", "sm_80", "HMMA.16816.F32", 4, 4, 312, 108, 1410},
                                         rate{"A100", "ampere", "sm_80", "HMMA.16816.F32.BF16", 4, 4, 312, 108, 1410},
                                         rate{"A100", "ampere", "sm_80", "HMMA.1688.F32.TF32", 4, 4, 156, 108, 1410},
                                         rate{"A100", "ampere", "sm_80", "IMMA.16832.S8.S8", 4, 4, 624, 108, 1410},
                                         rate{"H100", "hopper", "sm_90", "HMMA.16816.F32", 8, 4, 989.4, 132, 1830, 2.0 / 3}));

}  // namespace
