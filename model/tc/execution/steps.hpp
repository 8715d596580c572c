// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/execution/program.hpp>

namespace tc::execution::steps {

// What executes operations. Each has the form of tc::execution::step.

/// An instruction that is not executed: a kernel_fault.
void refuse(warp_state& warp, const operation& op, std::uint32_t mask);
void do_nothing(warp_state& warp, const operation& op, std::uint32_t mask);

/// Everything that tc::lanes computes.
void compute_lanes(warp_state& warp, const operation& op, std::uint32_t mask);
void read_special_register(warp_state& warp, const operation& op, std::uint32_t mask);
void load_constant(warp_state& warp, const operation& op, std::uint32_t mask);
void predicates_from_register(warp_state& warp, const operation& op, std::uint32_t mask);
void register_from_predicates(warp_state& warp, const operation& op, std::uint32_t mask);
void move_to_uniform(warp_state& warp, const operation& op, std::uint32_t mask);
void load_code_address(warp_state& warp, const operation& op, std::uint32_t mask);

// Control flow.
void branch(warp_state& warp, const operation& op, std::uint32_t mask);
void branch_together(warp_state& warp, const operation& op, std::uint32_t mask);
void branch_if_divergent(warp_state& warp, const operation& op, std::uint32_t mask);
void branch_to_register(warp_state& warp, const operation& op, std::uint32_t mask);
/// CALL of a function that the module does not have: a kernel_fault.
void call_system_function(warp_state& warp, const operation& op, std::uint32_t mask);
void end_lanes(warp_state& warp, const operation& op, std::uint32_t mask);
void trap(warp_state& warp, const operation& op, std::uint32_t mask);
void set_convergence_barrier(warp_state& warp, const operation& op, std::uint32_t mask);
void wait_for_convergence(warp_state& warp, const operation& op, std::uint32_t mask);
void leave_convergence_barrier(warp_state& warp, const operation& op, std::uint32_t mask);
void move_convergence_barrier(warp_state& warp, const operation& op, std::uint32_t mask);
void synchronise_warp(warp_state& warp, const operation& op, std::uint32_t mask);
void yield(warp_state& warp, const operation& op, std::uint32_t mask);
void arrive_at_barrier(warp_state& warp, const operation& op, std::uint32_t mask);
void read_barrier_result(warp_state& warp, const operation& op, std::uint32_t mask);

// Memory.
/// All parts of operation::access.
void access_at_once(warp_state& warp, const operation& op, std::uint32_t mask);
void query_space(warp_state& warp, const operation& op, std::uint32_t mask);

// Between lanes.
/// Everything that lanes::find_warp_operation() finds.
void compute_warp(warp_state& warp, const operation& op, std::uint32_t mask);
void transpose_matrix(warp_state& warp, const operation& op, std::uint32_t mask);

// Matrices.
void multiply_registers(warp_state& warp, const operation& op, std::uint32_t mask);
void multiply_quad_pairs(warp_state& warp, const operation& op, std::uint32_t mask);
void multiply_sparse(warp_state& warp, const operation& op, std::uint32_t mask);
void multiply_warpgroup(warp_state& warp, const operation& op, std::uint32_t mask);

}  // namespace tc::execution::steps
