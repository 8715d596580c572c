// SPDX-License-Identifier: Apache-2.0
#include "threadgroups.hpp"

namespace tc::subcore {

threadgroups::threadgroups(unsigned a_tiles, unsigned accumulator_tiles) : a_(a_tiles), c_(accumulator_tiles) {}

void threadgroups::fill(const links::fragment_transfer& operands, const product_layout& layout) {
  layout.load_a(operands.a.data(), operands.octets, a_[operands.schedule.a_tile].words.data());
  layout.load_c(operands.c.data(), operands.octets, c_[operands.schedule.accumulator_tile].words.data());
}

}  // namespace tc::subcore
