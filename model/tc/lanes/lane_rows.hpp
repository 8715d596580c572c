// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <tc/lanes/lane_operations.hpp>

namespace tc::lanes {

/// An opcode that the model computes lane by lane.
struct lane_row {
  isa::opcode op;
  lane_operation operation;
  lane_form form;  ///< those of its forms that `operation` computes
};

// The rows of the instruction set, each list in the file that holds its functions.
std::vector<lane_row> arithmetic_lane_operations();  ///< integer arithmetic, comparison, selection, moves
std::vector<lane_row> bit_lane_operations();         ///< logic, shifts, single bits and bytes
std::vector<lane_row> float_lane_operations();       ///< floating-point arithmetic
std::vector<lane_row> conversion_lane_operations();  ///< between number formats

}  // namespace tc::lanes
