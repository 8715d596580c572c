#include <algorithm>

#include <systemc>

#include <tc/subcore/threadgroup.hpp>

namespace tc::subcore {

namespace {

/// The columns of D that lane t of a threadgroup holds: 2t and 2t + 1.
constexpr unsigned columns_per_lane = 2;

constexpr unsigned half_bits = 16;
constexpr std::uint32_t half_mask = 0xffff;

}  // namespace

threadgroup::threadgroup(unsigned number, unsigned a_tiles, unsigned accumulator_tiles)
    : first_lane_(number * lanes_per_threadgroup), a_(a_tiles), accumulators_(accumulator_tiles) {}

void threadgroup::reserve_tiles(const tensor_schedule& schedule) {
  cycle_t& a_taken_until = a_[schedule.a_tile].taken_until;
  cycle_t& accumulators_taken_until = accumulators_[schedule.accumulator_tile].taken_until;
  sc_assert(schedule.dispatch >= a_taken_until && schedule.dispatch >= accumulators_taken_until);
  a_taken_until = accumulators_taken_until = schedule.release;
}

void threadgroup::fill(const fragment_transfer& operands) {
  fill_a(operands, a_[operands.schedule.a_tile]);
  fill_accumulators(operands, accumulators_[operands.schedule.accumulator_tile]);
}

/// With two rows, even registers hold row g and odd ones row g + 8; each register holds four words of its row, in the order of the lanes.
void threadgroup::fill_a(const fragment_transfer& operands, a_tile& tile) const {
  const unsigned rows = operands.operation->rows_per_threadgroup();
  for (unsigned r = 0; r < operands.operation->a_registers(); ++r) {
    const std::uint32_t* words = &operands.a[r][first_lane_];
    std::copy_n(words, lanes_per_threadgroup, &tile.rows[r % rows][r / rows * lanes_per_threadgroup]);
  }
}

/// Registers of two f16 hold a row each, registers of 32-bit elements one of a lane's two columns.
void threadgroup::fill_accumulators(const fragment_transfer& operands, accumulator_tile& tile) const {
  const bool packed = operands.operation->packed_accumulators();
  for (unsigned r = 0; r < operands.operation->accumulator_registers(); ++r) {
    for (unsigned t = 0; t < lanes_per_threadgroup; ++t) {
      const std::uint32_t word = operands.accumulators[r][first_lane_ + t];
      if (packed) {
        tile.values[r][columns_per_lane * t] = word & half_mask;
        tile.values[r][columns_per_lane * t + 1] = word >> half_bits;
      } else {
        tile.values[r / columns_per_lane][columns_per_lane * t + r % columns_per_lane] = word;
      }
    }
  }
}

void threadgroup::compute(const packed_columns& b, fragment_transfer& products) const {
  const tensor_operation& operation = *products.operation;
  const a_tile& a = a_[products.schedule.a_tile];
  const accumulator_tile& c = accumulators_[products.schedule.accumulator_tile];
  const bool packed = operation.packed_accumulators();
  for (unsigned row = 0; row < operation.rows_per_threadgroup(); ++row) {
    for (unsigned t = 0; t < lanes_per_threadgroup; ++t) {
      const unsigned column = columns_per_lane * t;
      const auto sum = [&](unsigned n) {
        return static_cast<std::uint32_t>(operation.arithmetic()(a.rows[row].data(), b[n].data(), operation.k(), c.values[row][n]));
      };
      const std::uint32_t even = sum(column), odd = sum(column + 1);
      const unsigned lane = first_lane_ + t;
      if (packed) {
        products.accumulators[row][lane] = even | odd << half_bits;
      } else {
        products.accumulators[columns_per_lane * row][lane] = even;
        products.accumulators[columns_per_lane * row + 1][lane] = odd;
      }
    }
  }
}

}  // namespace tc::subcore
