// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <tlm>

#include <tc/isa/tcgen05/tensor_access.hpp>
#include <tc/isa/tcgen05/tensor_address.hpp>
#include <tc/warp/lane_vector.hpp>

namespace tc::subcore {

/// The cells of a warp's load or store of tensor memory, as its transactions carry them: whole columns of a chunk, with byte enables for
/// the 16 lanes of the shapes that have no more. A register is put together from them, or taken apart, as isa::cells_of() says.
class access_cells {
 public:
  /// Of an access without a mistake; no cell has a value yet.
  void begin(const isa::tensor_access& access);

  /// Transactions: one, of .16x32bx2 one for each half of the warp.
  unsigned parts() const { return static_cast<unsigned>(parts_.size()); }
  /// Sets all attributes of the transaction of a part, and says of which shape it is (tmem::warp_access).
  void set_transaction(tlm::tlm_generic_payload& payload, unsigned part, tlm::tlm_command command);
  /// Keeps what the answer to one that reads says of cells that nobody has written (fabric::undefined_bytes).
  void note_undefined(const tlm::tlm_generic_payload& payload);

  /// Which cells those of a part are.
  isa::tensor_cells cells(unsigned part) const;

  /// A register of the access, in all lanes. The upper halves of cells that hold 16 bits become zero.
  void put(unsigned reg, const warp::lane_vector& value);
  warp::lane_vector get(unsigned reg) const;
  /// Lanes in which the register has a part that nobody has written.
  std::uint32_t undefined(unsigned reg) const;

 private:
  struct part {
    isa::column_range columns;
    std::vector<unsigned char> bytes;
    std::vector<unsigned char> undefined;  // by byte; empty: none is
  };

  unsigned part_of(unsigned thread) const { return parts_.size() > 1 && thread >= warp::lanes_per_warp / 2 ? 1 : 0; }
  std::size_t offset_of(const part& of, isa::tensor_address cell) const;
  std::uint32_t word(const part& of, isa::tensor_address cell) const;

  isa::tensor_access access_{};
  std::vector<part> parts_;
  std::array<unsigned char, warp::lanes_per_warp * sizeof(std::uint32_t)> enables_{};  // of a column
};

}  // namespace tc::subcore
