// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tc::isa {

/// Special registers, read by S2R, S2UR and CS2R. Names as the disassembler prints them (CUDA Binary Utilities).
enum class special_register : std::uint8_t {
  zero,  ///< SRZ
  tid_x,
  tid_y,
  tid_z,
  tid,
  ntid,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  lane_id,
  warp_id_virtual,
  virtual_id,
  virtual_cfg,
  virtual_sm_id,
  clock_low,
  clock_high,
  global_timer_low,
  global_timer_high,
  lane_mask_eq,
  lane_mask_lt,
  lane_mask_le,
  lane_mask_gt,
  lane_mask_ge,
  cluster_cta_id,
  cluster_cta_id_x,
  cluster_cta_id_y,
  cluster_cta_id_z,
  cluster_id_x,
  cluster_id_y,
  cluster_id_z,
  cga_size,
  shared_window_base,
  shared_window_size,
  local_window_base,
  local_window_size,
  warp_error_status,
  machine_id_0,
  machine_id_1,
  shared_bytes,
  performance_monitor_0,
  shared_window_base_high,
  local_window_base_high,
  local_memory_begin,
};

/// The special register of that name, nothing if there is none.
std::optional<special_register> find_special_register(std::string_view text);

/// Its name.
std::string_view name(special_register reg);

/// True for the registers that count cycles, whose value depends on when they are read.
constexpr bool is_clock(special_register reg) { return reg == special_register::clock_low || reg == special_register::clock_high; }

}  // namespace tc::isa
