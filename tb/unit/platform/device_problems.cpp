// SPDX-License-Identifier: Apache-2.0
#include "device_problems.hpp"

#include <ostream>
#include <vector>

#include <tc/isa/element_type.hpp>
#include <tc/numerics/number_format.hpp>

namespace tc::platform::test {
namespace {

bool is_byte(const tcsim_gemm& gemm) { return gemm.precision == TCSIM_PRECISION_S8; }

int element(std::size_t i, int seed) { return static_cast<int>((i * 5 + i / 7 + static_cast<unsigned>(seed)) % 5) - 2; }

std::uint16_t half_of(int value) { return static_cast<std::uint16_t>(numerics::encode(value, isa::format_of(isa::element_type::f16))); }

std::vector<unsigned char> matrix(std::size_t elements, int seed, bool bytes) {
  std::vector<unsigned char> content;
  for (std::size_t i = 0; i < elements; ++i) {
    const unsigned bits = bytes ? static_cast<unsigned>(element(i, seed)) : half_of(element(i, seed));
    content.push_back(static_cast<unsigned char>(bits));
    if (!bytes) content.push_back(static_cast<unsigned char>(bits >> 8));
  }
  return content;
}

unsigned result_bytes(const tcsim_gemm& gemm) { return gemm.precision == TCSIM_PRECISION_F16 ? 2 : 4; }

/// A sum as an element of D.
std::uint32_t bits_of(int sum, const tcsim_gemm& gemm) {
  if (gemm.precision == TCSIM_PRECISION_F16) return half_of(sum);
  if (is_byte(gemm)) return static_cast<std::uint32_t>(sum);
  const auto value = static_cast<float>(sum);
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

}  // namespace

void PrintTo(const gemm_case& test, std::ostream* out) { *out << test.name; }

gemm_case small_gemm() { return {"small", "volta", TCSIM_PRECISION_F16, TCSIM_INSTRUCTIONS_MMA, 16, 16, 16}; }

gemm_case warpgroup_gemm() { return {"hopper_wgmma", "hopper", TCSIM_PRECISION_MIXED, TCSIM_INSTRUCTIONS_WGMMA, 64, 32, 64}; }
gemm_case pointwise_gemm() { return {"blackwell", "blackwell", TCSIM_PRECISION_MIXED, TCSIM_INSTRUCTIONS_MMA, 40, 16, 32}; }

tcsim_gemm descriptor_of(const gemm_case& test, std::uint32_t identifier, std::uint64_t base) {
  auto gemm = device_bench::descriptor<tcsim_gemm>(TCSIM_OPCODE_GEMM, identifier);
  gemm.precision = test.precision;
  gemm.instructions = test.instructions;
  gemm.m = test.m;
  gemm.n = test.n;
  gemm.k = test.k;
  const unsigned bytes = is_byte(gemm) ? 1 : 2;
  gemm.a = base;
  gemm.b = gemm.a + bytes * test.m * test.k;
  gemm.d = gemm.b + bytes * test.n * test.k;
  return gemm;
}

void write_matrices(device_bench& bench, const tcsim_gemm& gemm, int seed) {
  const auto a = matrix(std::size_t{gemm.m} * gemm.k, seed, is_byte(gemm)),
             b = matrix(std::size_t{gemm.n} * gemm.k, seed + 3, is_byte(gemm));
  const std::vector<unsigned char> d(std::size_t{gemm.m} * gemm.n * result_bytes(gemm), 0xee);
  bench.put(gemm.a, a.data(), a.size());
  bench.put(gemm.b, b.data(), b.size());
  bench.put(gemm.d, d.data(), d.size());
}

unsigned wrong_elements(device_bench& bench, const tcsim_gemm& gemm, int seed) {
  unsigned wrong = 0;
  for (std::size_t i = 0; i < gemm.m; ++i)
    for (std::size_t j = 0; j < gemm.n; ++j) {
      int sum = 0;
      for (std::size_t k = 0; k < gemm.k; ++k) sum += element(i * gemm.k + k, seed) * element(j * gemm.k + k, seed + 3);
      std::uint32_t got = 0;
      bench.get(gemm.d + (i * gemm.n + j) * result_bytes(gemm), &got, result_bytes(gemm));
      wrong += got != bits_of(sum, gemm);
    }
  return wrong;
}

}  // namespace tc::platform::test
