#include "threadgroups.hpp"

#include <systemc>

namespace tc::subcore {

threadgroups::threadgroups(unsigned a_tiles, unsigned accumulator_tiles) : a_(a_tiles), c_(accumulator_tiles) {}

void threadgroups::reserve_tiles(const tensor_schedule& schedule) {
  cycle_t& a_taken_until = a_[schedule.a_tile].taken_until;
  cycle_t& c_taken_until = c_[schedule.accumulator_tile].taken_until;
  sc_assert(schedule.dispatch >= a_taken_until && schedule.dispatch >= c_taken_until);
  a_taken_until = schedule.release;
  c_taken_until = schedule.accumulator_release;
}

void threadgroups::fill(const fragment_transfer& operands, const product_layout& layout) {
  layout.load_a(operands.a.data(), operands.octets, a_[operands.schedule.a_tile].words.data());
  layout.load_c(operands.c.data(), operands.octets, c_[operands.schedule.accumulator_tile].words.data());
}

}  // namespace tc::subcore
