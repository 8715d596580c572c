// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tc/config/tensor_core_parameters.hpp>
#include <tc/links/matrix_shape.hpp>

namespace tc::subcore {

/// Most B buffers of a sub-core: one for each octet.
inline constexpr unsigned max_b_buffers = links::octets_per_warp;

/// The size of one B buffer. A register of it is 32 bits of each lane that it serves.
struct b_buffer_shape {
  unsigned tiles = 2;
  unsigned registers_per_cycle = 2;       ///< width of the fill port
  unsigned readers = 1;                   ///< tensor cores
  unsigned lanes = warp::lanes_per_warp;  ///< width of a register: all lanes, or the four that hold an octet's tile

  constexpr unsigned register_bytes() const { return lanes * static_cast<unsigned>(sizeof(std::uint32_t)); }
  constexpr unsigned tile_words() const { return links::max_b_registers * lanes; }
  constexpr unsigned tile_bytes() const { return links::max_b_registers * register_bytes(); }
};

/// The B buffers of a sub-core: one for all tensor cores, one for each octet, or one for each tensor core.
class b_buffer_layout {
 public:
  explicit b_buffer_layout(const config::tensor_core_parameters& parameters);

  unsigned buffers() const { return buffers_; }
  const b_buffer_shape& shape() const { return shape_; }
  /// The octets that a buffer serves.
  links::octet_range served_by(unsigned buffer) const { return links::octets_of(buffer, buffers_); }

  /// Buffers that a tensor core reads.
  unsigned buffers_of_core() const { return buffers_ > cores_ ? buffers_ / cores_ : 1; }
  /// The first of them; the others follow.
  unsigned first_buffer_of(unsigned core) const { return is_shared() ? 0 : core * buffers_of_core(); }
  /// Which of the buffer's readers the tensor core is.
  unsigned reader_of(unsigned core) const { return is_shared() ? core : 0; }
  /// The octets whose B it finds there: its own, or all.
  links::octet_range read_by(unsigned core) const { return is_shared() ? links::octet_range{} : links::octets_of(core, cores_); }

 private:
  bool is_shared() const { return shape_.readers > 1; }

  unsigned cores_, buffers_;
  b_buffer_shape shape_;
};

}  // namespace tc::subcore
