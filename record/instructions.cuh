// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "variant.hpp"

namespace tc::record {

/// The compute capability that device code is being compiled for, 0 on the host.
#ifdef __CUDA_ARCH__
constexpr unsigned target_capability = __CUDA_ARCH__ / 10;
#else
constexpr unsigned target_capability = 0;
#endif

/// Whether device code is being compiled with Hopper's own instructions, sm_90a.
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
constexpr bool target_has_wgmma = true;
#else
constexpr bool target_has_wgmma = false;
#endif

/// A register as instructions name it: 32 bits, or 64 for an f64.
template <element Type>
struct register_of {
  using type = std::uint32_t;
};
template <>
struct register_of<element::f64> {
  using type = double;
};

// Each row of variants.def becomes a class with the row's numbers and `multiply`, which is one instruction. Its classes stand in
// the same order as `variants`, so that the row's index identifies both.
template <unsigned Index>
struct instruction;

// Operand lists of inline assembly: registers of an array with their constraint, "r" or "d".
#define TC_CONSTRAINT_f16 "r"
#define TC_CONSTRAINT_f32 "r"
#define TC_CONSTRAINT_s32 "r"
#define TC_CONSTRAINT_f64 "d"
#define TC_LIST_1(constraint, x) constraint(x[0])
#define TC_LIST_2(constraint, x) TC_LIST_1(constraint, x), constraint(x[1])
#define TC_LIST_4(constraint, x) TC_LIST_2(constraint, x), constraint(x[2]), constraint(x[3])
#define TC_LIST_8(constraint, x) TC_LIST_4(constraint, x), constraint(x[4]), constraint(x[5]), constraint(x[6]), constraint(x[7])

// mma.sync with so many registers of A, B and C: D, A, B, C in that order.
#define TC_ASM_1_1_2(type, ptx) TC_ASM(type, ptx "{%0,%1},{%2},{%3},{%4,%5};", 1, 1, 2)
#define TC_ASM_2_1_2(type, ptx) TC_ASM(type, ptx "{%0,%1},{%2,%3},{%4},{%5,%6};", 2, 1, 2)
#define TC_ASM_4_2_2(type, ptx) TC_ASM(type, ptx "{%0,%1},{%2,%3,%4,%5},{%6,%7},{%8,%9};", 4, 2, 2)
#define TC_ASM_2_1_4(type, ptx) TC_ASM(type, ptx "{%0,%1,%2,%3},{%4,%5},{%6},{%7,%8,%9,%10};", 2, 1, 4)
#define TC_ASM_2_2_4(type, ptx) TC_ASM(type, ptx "{%0,%1,%2,%3},{%4,%5},{%6,%7},{%8,%9,%10,%11};", 2, 2, 4)
#define TC_ASM_4_2_4(type, ptx) TC_ASM(type, ptx "{%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%10,%11,%12,%13};", 4, 2, 4)
#define TC_ASM_2_2_8(type, ptx) \
  TC_ASM(type, ptx "{%0,%1,%2,%3,%4,%5,%6,%7},{%8,%9},{%10,%11},{%12,%13,%14,%15,%16,%17,%18,%19};", 2, 2, 8)
#define TC_ASM_8_4_4(type, ptx) \
  TC_ASM(type, ptx "{%0,%1,%2,%3},{%4,%5,%6,%7,%8,%9,%10,%11},{%12,%13,%14,%15},{%16,%17,%18,%19};", 8, 4, 4)
#define TC_ASM(type, ptx, a_registers, b_registers, c_registers)                                       \
  asm volatile(ptx                                                                                     \
               : TC_LIST_##c_registers("=" TC_CONSTRAINT_##type, d)                                    \
               : TC_LIST_##a_registers(TC_CONSTRAINT_##type, a), TC_LIST_##b_registers(TC_CONSTRAINT_##type, b), \
                 TC_LIST_##c_registers(TC_CONSTRAINT_##type, c))

// wgmma.mma_async with a descriptor of B, adding to D: D, A, B, and what else the types have (no negation, no transposition of B).
#define TC_WGMMA_ASM_2(ptx, tail) TC_WGMMA_ASM(ptx "{%0,%1},{%2,%3,%4,%5},%6,p" tail, 2)
#define TC_WGMMA_ASM_4(ptx, tail) TC_WGMMA_ASM(ptx "{%0,%1,%2,%3},{%4,%5,%6,%7},%8,p" tail, 4)
#define TC_WGMMA_ASM(ptx, c_registers)                                   \
  asm volatile("{.reg .pred p; setp.eq.u32 p, 0, 0; " ptx ";}"           \
               : TC_LIST_##c_registers("+r", d)                          \
               : TC_LIST_4("r", a), "l"(b_descriptor))
#define TC_WGMMA_TAIL_f16 ",1,1,0"
#define TC_WGMMA_TAIL_bf16 ",1,1,0"
#define TC_WGMMA_TAIL_tf32 ",1,1"
#define TC_WGMMA_TAIL_e4m3 ",1,1"
#define TC_WGMMA_TAIL_e5m2 ",1,1"
#define TC_WGMMA_TAIL_s8 ""
#define TC_WGMMA_TAIL_u8 ""
#define TC_WGMMA_TAIL_b1 ""

#define TC_BEFORE_TYPES_plain ""
#define TC_BEFORE_TYPES_satfinite ".satfinite"
#define TC_BEFORE_TYPES_and_popc ""
#define TC_BEFORE_TYPES_xor_popc ""
#define TC_AFTER_TYPES_plain ""
#define TC_AFTER_TYPES_satfinite ""
#define TC_AFTER_TYPES_and_popc ".and.popc"
#define TC_AFTER_TYPES_xor_popc ".xor.popc"

#define TC_MMA_CLASS(d_type, a_registers, b_registers, c_registers, ptx)                                                                  \
  template <>                                                                                                                           \
  struct instruction<__COUNTER__ - first_instruction> {                                                                                 \
    using register_type = register_of<element::d_type>::type;                                                                           \
    static constexpr int a_size = a_registers, b_size = b_registers, c_size = c_registers;                                              \
    static __device__ void multiply(register_type (&d)[c_size], const register_type (&a)[a_size], const register_type (&b)[b_size],     \
                                    const register_type (&c)[c_size]) {                                                                 \
      TC_ASM_##a_registers##_##b_registers##_##c_registers(d_type, "mma.sync.aligned." ptx " ");                                          \
    }                                                                                                                                   \
  };
#define TC_MMA(native, sm, m, n, k, d, a, b, c, modifier, a_registers, b_registers, c_registers)                                        \
  TC_MMA_CLASS(d, a_registers, b_registers, c_registers,                                                                                \
               "m" #m "n" #n "k" #k ".row.col" TC_BEFORE_TYPES_##modifier "." #d "." #a "." #b "." #c TC_AFTER_TYPES_##modifier)
#define TC_MMA_884(a_order, b_order, d, c_registers) \
  TC_MMA_CLASS(d, 2, 2, c_registers, "m8n8k4." #a_order "." #b_order "." #d ".f16.f16." #d)
#define TC_WGMMA(k, d_type, a_type, b_type, modifier, c_registers)                                                                      \
  template <>                                                                                                                           \
  struct instruction<__COUNTER__ - first_instruction> {                                                                                 \
    static constexpr int a_size = 4, c_size = c_registers;                                                                              \
    static __device__ void multiply(std::uint32_t (&d)[c_size], const std::uint32_t (&a)[a_size], std::uint64_t b_descriptor) {         \
      TC_WGMMA_ASM_##c_registers("wgmma.mma_async.sync.aligned.m64n8k" #k TC_BEFORE_TYPES_##modifier "." #d_type "." #a_type            \
                                 "." #b_type TC_AFTER_TYPES_##modifier " ", TC_WGMMA_TAIL_##a_type);                                    \
    }                                                                                                                                   \
  };
constexpr unsigned first_instruction = __COUNTER__ + 1;
#include "variants.def"
static_assert(__COUNTER__ - first_instruction == variant_count, "a class for each variant");

}  // namespace tc::record
