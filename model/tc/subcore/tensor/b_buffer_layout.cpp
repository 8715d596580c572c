// SPDX-License-Identifier: Apache-2.0
#include "b_buffer_layout.hpp"

namespace tc::subcore {

b_buffer_layout::b_buffer_layout(const config::tensor_core_parameters& parameters) : cores_(parameters.count), buffers_(parameters.count) {
  const config::operand_bus_parameters& bus = parameters.operand_bus;
  shape_.tiles = parameters.b_buffer.depth_tiles;
  shape_.registers_per_cycle = bus.a_and_b_share ? bus.a_registers_per_cycle : bus.b_registers_per_cycle;
  if (parameters.b_buffer.shared) {
    buffers_ = 1;
    shape_.readers = parameters.count;
  } else if (parameters.b_buffer.per_octet) {
    buffers_ = links::octets_per_warp;
  }
  if (parameters.b_buffer.per_octet) shape_.lanes = links::lanes_per_threadgroup;
}

}  // namespace tc::subcore
