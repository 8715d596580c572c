// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <tc/fabric/recorder.hpp>
#include <tc/links/tensor_core_links.hpp>
#include <tc/links/warp_instruction.hpp>

namespace tc::recording {

/// Records of a tensor unit: where a matrix instruction is in it, as its schedule says.
class tensor_recorder {
 public:
  /// `tensor` is the path of the unit.
  tensor_recorder(fabric::recorder& records, const fabric::clock_domain& clock, const std::string& tensor);

  /// The operands of an instruction are at the buses.
  void dispatched(const links::warp_instruction& instruction);
  /// Its fragments go to the first of the tensor cores; the others do the same.
  void filled(const links::matrix_work& work);

 private:
  void tell(const fabric::record_stream& stream, fabric::cycle_t begin, fabric::cycle_t end,
            std::initializer_list<fabric::record_value> values, std::uint64_t parent);
  void tell_passes(const links::matrix_work& work);

  fabric::recorder& records_;
  const fabric::clock_domain& clock_;
  const fabric::record_stream &operand_transfer_, &a_tile_, &b_tile_, &accumulator_tile_, &dot_product_, &pass_;
};

}  // namespace tc::recording
