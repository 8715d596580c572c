#include <systemc>

#include <tc/subcore/octet_step.hpp>
#include <tc/subcore/threadgroups.hpp>

namespace tc::subcore {

namespace {

/// The columns of D that lane t of a threadgroup holds: 2t and 2t + 1.
constexpr unsigned columns_per_lane = 2;

constexpr unsigned half_bits = 16;
constexpr std::uint32_t half_mask = 0xffff;

/// What a register of C or D holds: an element of one of a lane's two columns, the low or high word of an f64, or two f16 of a row.
struct accumulator_place {
  unsigned row, column, word;  ///< the row among those of a threadgroup, the column among those of a lane, the word of the element

  /// Index in the accumulators of lane t of threadgroup g: by column, then row.
  unsigned word_of(unsigned t, unsigned g, unsigned all_rows, unsigned groups, unsigned element_words) const {
    return ((columns_per_lane * t + column) * all_rows + row * groups + g) * element_words + word;
  }
};

accumulator_place place_of(unsigned reg, const tensor_operation& operation) {
  if (operation.packed_accumulators()) return {reg, 0, 0};
  const unsigned element = reg / operation.element_words();
  return {element / columns_per_lane, element % columns_per_lane, reg % operation.element_words()};
}

}  // namespace

threadgroups::threadgroups(const octet_range& octets, unsigned a_tiles, unsigned accumulator_tiles)
    : octets_(octets), a_(a_tiles), accumulators_(accumulator_tiles) {}

void threadgroups::reserve_tiles(const tensor_schedule& schedule) {
  cycle_t& a_taken_until = a_[schedule.a_tile].taken_until;
  cycle_t& accumulators_taken_until = accumulators_[schedule.accumulator_tile].taken_until;
  sc_assert(schedule.dispatch >= a_taken_until && schedule.dispatch >= accumulators_taken_until);
  a_taken_until = schedule.release;
  accumulators_taken_until = schedule.accumulator_release;
}

void threadgroups::fill(const fragment_transfer& operands) {
  a_tile& a = a_[operands.schedule.a_tile];
  accumulator_tile& c = accumulators_[operands.schedule.accumulator_tile];
  if (operands.operation->is_octet_step()) {
    rows_of_step(operands, octets_, a.words.data());
    accumulators_of_step(operands, octets_, c.values.data());
  } else {
    fill_a(operands, a);
    fill_accumulators(operands, c);
  }
}

/// With two rows, even elements hold row g and odd ones row g + 8; each register holds four words of its row, in the order of the lanes, or
/// the low or high words of four f64.
void threadgroups::fill_a(const fragment_transfer& operands, a_tile& tile) const {
  const unsigned rows_of_group = operands.operation->rows_per_threadgroup(), all_rows = rows(*operands.operation);
  const unsigned element_words = operands.operation->element_words();
  for (unsigned r = 0; r < operands.operation->a_registers(); ++r) {
    const unsigned element = r / element_words;
    const unsigned word = element / rows_of_group * lanes_per_threadgroup * element_words + r % element_words;
    std::uint32_t* words = &tile.words[word * all_rows + element % rows_of_group * count()];
    for (unsigned g = 0; g < count(); ++g) {
      const std::uint32_t* lane = &operands.a[r][first_lane_of(g)];
      for (unsigned t = 0; t < lanes_per_threadgroup; ++t) words[t * element_words * all_rows + g] = *lane++;
    }
  }
}

void threadgroups::fill_accumulators(const fragment_transfer& operands, accumulator_tile& tile) const {
  const tensor_operation& operation = *operands.operation;
  const unsigned all_rows = rows(operation), element_words = operation.element_words();
  for (unsigned r = 0; r < operation.accumulator_registers(); ++r) {
    const accumulator_place first = place_of(r, operation);
    for (unsigned g = 0; g < count(); ++g) {
      const std::uint32_t* lane = &operands.accumulators[r][first_lane_of(g)];
      for (unsigned t = 0; t < lanes_per_threadgroup; ++t, ++lane) {
        std::uint32_t* value = &tile.values[first.word_of(t, g, all_rows, count(), element_words)];
        if (operation.packed_accumulators()) {
          value[0] = *lane & half_mask;
          value[all_rows] = *lane >> half_bits;
        } else {
          *value = *lane;
        }
      }
    }
  }
}

void threadgroups::compute(const packed_columns& b, fragment_transfer& products) const {
  const tensor_operation& operation = *products.operation;
  const a_tile& a = a_[products.schedule.a_tile];
  const accumulator_tile& c = accumulators_[products.schedule.accumulator_tile];
  accumulators d;
  if (operation.is_octet_step()) {
    compute_step(operation, octets_.count, a.words.data(), b.data(), c.values.data(), d.data());
    store_step_products(d.data(), octets_, products);
    return;
  }
  operation.arithmetic()({rows(operation), matrix_columns, operation.k(), a.words.data(), b.data(), c.values.data(), d.data()});
  store_products(d, products);
}

/// The inverse of fill_accumulators().
void threadgroups::store_products(const accumulators& d, fragment_transfer& products) const {
  const tensor_operation& operation = *products.operation;
  const unsigned all_rows = rows(operation), element_words = operation.element_words();
  for (unsigned r = 0; r < operation.accumulator_registers(); ++r) {
    const accumulator_place first = place_of(r, operation);
    for (unsigned g = 0; g < count(); ++g) {
      std::uint32_t* lane = &products.accumulators[r][first_lane_of(g)];
      for (unsigned t = 0; t < lanes_per_threadgroup; ++t, ++lane) {
        const std::uint32_t* value = &d[first.word_of(t, g, all_rows, count(), element_words)];
        *lane = operation.packed_accumulators() ? value[0] | value[all_rows] << half_bits : *value;
      }
    }
  }
}

}  // namespace tc::subcore
