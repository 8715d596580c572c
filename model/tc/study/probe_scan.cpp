// SPDX-License-Identifier: Apache-2.0
#include "probe_scan.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include <tc/study/probe_row.hpp>

namespace tc::study {

namespace {

double power(int n) { return std::ldexp(1, n); }

/// Writes the classic experiments of one pair of formats.
class scan_writer {
 public:
  scan_writer(const numerics::dot_product_types& types, unsigned length, const datapath_guess& guess);

  std::vector<scan> write();

 private:
  using writing = std::function<void(row_writer&, int n)>;

  /// Adds a scan over n from `first` to `last`; leaves out points that the formats cannot express.
  void add(const char* about, const std::string& text, int first, int last, const writing& fixed, const writing& small) {
    add(length_, about, text, first, last, fixed, small);
  }
  void add(unsigned row_length, const char* about, const std::string& text, int first, int last, const writing& fixed,
           const writing& small);
  void add_single(const char* about, const std::string& text, const writing& terms);

  void add_widths(int large);
  void add_positions(int large);
  void add_ulp_positions();
  void add_kept_bits();
  void add_rounding();
  void add_sum(double x, double y, double z);
  void add_small_numbers();
  void add_alignment_floor();

  const numerics::dot_product_types& types_;
  unsigned length_, group_;
  unsigned second_, third_;  ///< positions of products of other terms than the one at 0; the third has scales of its own
  int kept_, aligned_;
  int smallest_, largest_;                ///< exponents of products
  int smallest_addend_, largest_addend_;  ///< exponents of the accumulator
  std::vector<scan> scans_;
};

scan_writer::scan_writer(const numerics::dot_product_types& types, unsigned length, const datapath_guess& guess)
    : types_(types),
      length_(length),
      group_(std::min(length, guess.group_length)),
      second_(guess.products_per_term),
      third_(std::max(2 * second_, types.scaling ? types.scaling->block_length : 0)),
      kept_(static_cast<int>(guess.kept_fraction_bits)),
      aligned_(static_cast<int>(guess.alignment_fraction_bits)),
      smallest_(types.scaling ? -60 : smallest_product_exponent(types)),
      largest_(types.scaling ? std::min(30, 2 * largest_exponent(types.scaling->format)) : largest_product_exponent(types)),
      smallest_addend_(smallest_exponent(types.accumulator)),
      largest_addend_(largest_exponent(types.accumulator)) {}

void scan_writer::add(unsigned row_length, const char* about, const std::string& text, int first, int last, const writing& fixed,
                      const writing& small) {
  scan experiment{about, text, {}};
  for (int n = first; n <= last; ++n) {
    row_writer without(types_, row_length);
    fixed(without, n);
    row_writer with = without;
    small(with, n);
    const auto both = with.inputs(), one = without.inputs();
    if (both && one) experiment.points.push_back({n, *both, *one});
  }
  if (!experiment.points.empty()) scans_.push_back(std::move(experiment));
}

void scan_writer::add_single(const char* about, const std::string& text, const writing& terms) {
  add(about, text, 0, 0, terms, [](row_writer&, int) {});
}

/// How far below a large pair that cancels a third term is still seen.
void scan_writer::add_widths(int large) {
  const char* const about = "alignment_fraction_bits";
  const std::string one = number_text(power(large)), pair = fmt::format("{0} - {0}", one);
  const int first = std::max(smallest_, large - 60);
  const auto cancelling = [&](row_writer& row, int) { row.product(0, power(large)).product(second_, -power(large)); };
  const auto small_product = [&](row_writer& row, int n) { row.product(third_, power(n)); };
  add(about, pair + " + 2^n", first, large, cancelling, small_product);
  add("addend", pair + " with C = 2^n", std::max(smallest_addend_, large - 60), std::min(large, largest_addend_), cancelling,
      [&](row_writer& row, int n) { row.addend(power(n)); });
  add(
      about, fmt::format("{} with C = -{} + 2^n", one, one), first, large,
      [&](row_writer& row, int) { row.product(0, power(large)).addend(-power(large)); },
      [&](row_writer& row, int n) { row.product(second_, power(n)); });
  add(
      about, fmt::format("2.25 x {0} - 2.25 x {0} + 2^n", one), first, large,
      [&](row_writer& row, int) { row.product(0, 2.25 * power(large)).product(second_, -2.25 * power(large)); }, small_product);
  for (const double factor : {1.5, -1.5}) {
    const double small = factor * power(large - aligned_);
    add_single("", fmt::format("{} {} {}", pair, small < 0 ? "-" : "+", number_text(std::fabs(small))), [&](row_writer& row, int n) {
      cancelling(row, n);
      row.product(third_, small);
    });
  }
}

/// Where a small product must stand to be seen: after the group in which two large terms cancel.
void scan_writer::add_positions(int large) {
  const unsigned step = types_.scaling ? types_.scaling->block_length : 1;
  const int last = static_cast<int>((length_ - 1) / step), after_pair = static_cast<int>(second_ / step) + 1;
  const double small = power(std::max(smallest_, large - 56));
  const auto small_at = [&](row_writer& row, int n) { row.product(static_cast<unsigned>(n) * step, small); };
  const std::string one = number_text(power(large)), small_text = number_text(small) + (step > 1 ? fmt::format(" at {} n", step) : " at n");
  add(
      "group_length", fmt::format("{0} at 0, -{0} at {1}, {2}", one, second_, small_text), after_pair, last,
      [&](row_writer& row, int) { row.product(0, power(large)).product(second_, -power(large)); }, small_at);
  add(
      "summation", fmt::format("C = {0}, -{0} at 0, {1}", one, small_text), 1, last,
      [&](row_writer& row, int) { row.addend(power(large)).product(0, -power(large)); }, small_at);
}

/// Where two products must stand to reach together what neither reaches alone, the last bit of a large addend.
void scan_writer::add_ulp_positions() {
  const int last = static_cast<int>(length_) - 1;
  for (const int half : {0, 1 - aligned_ + kept_}) {
    const double top = power(kept_ + 1 + half), small = power(half);
    add(
        "group_length", fmt::format("C = {0}, {1} at 0, {1} at n", number_text(top), number_text(small)), 1, last,
        [&](row_writer& row, int) { row.addend(top).product(0, small); },
        [&](row_writer& row, int n) { row.product(static_cast<unsigned>(n), small); });
  }
}

void scan_writer::add_kept_bits() {
  const char* const about = "kept_fraction_bits";
  const auto one = [](row_writer& row, int) { row.product(0, 1); };
  const auto one_as_addend = [](row_writer& row, int) { row.addend(1); };
  add(about, "1 + 2^-n", 0, 60, one, [&](row_writer& row, int n) { row.product(second_, power(-n)); });
  add(about, "1 with C = 2^-n", 0, 60, one, [&](row_writer& row, int n) { row.addend(power(-n)); });
  add(about, "C = 1, 2^-n at 0", 0, 60, one_as_addend, [&](row_writer& row, int n) { row.product(0, power(-n)); });
  add(about, "C = 1 + 2^-n alone", 1, static_cast<int>(types_.accumulator.fraction_bits), one_as_addend,
      [&](row_writer& row, int n) { row.addend(1 + power(-n)); });
}

/// x + y + z as products, then with x as addend.
void scan_writer::add_sum(double x, double y, double z) {
  std::string text = number_text(x);
  for (const double term : {y, z})
    if (term != 0) text += (term < 0 ? " - " : " + ") + number_text(std::fabs(term));
  for (const bool with_addend : {false, true}) {
    add_single("output_rounding", with_addend ? text + ", the first as C" : text, [&](row_writer& row, int) {
      with_addend ? row.addend(x) : row.product(0, x);
      row.product(second_, y);
      if (z != 0) row.product(third_, z);
    });
  }
}

/// Sums halfway between two results, and a little beside it.
void scan_writer::add_rounding() {
  const double last = power(-kept_);
  add_sum(1, last, last / 2);
  add_sum(1, last / 2, 0);
  add_sum(1, last / 2, last / 4);
  add_sum(-1, -last, -last / 2);
  add_sum(1, 1, 3 * last);  // the sum has one bit more than its terms
  add_sum(2, last, last / 4);
}

/// Numbers at the lower end of the accumulator, alone and beside a zero times a large operand.
void scan_writer::add_small_numbers() {
  const double smallest = power(smallest_addend_);
  const std::string addend = "C = " + number_text(smallest), zero = fmt::format("0 x {}", number_text(power(largest_exponent(types_.b))));
  add_single("flush_subnormals", addend + " with products 0", [=](row_writer& row, int) { row.addend(smallest); });
  add_single("align_to_zeros", addend + " with " + zero, [=](row_writer& row, int) { row.addend(smallest).zero_times_large(0); });
  for (const int n : {smallest_addend_, smallest_addend_ + 1, types_.accumulator.minimum_exponent() - 1}) {
    const double value = power(n);
    const std::string text = number_text(value);
    add_single("flush_subnormals", text + " with C = 0", [&](row_writer& row, int) { row.product(0, value); });
    add_single("flush_subnormals", fmt::format("{0} with C = {0}", text),
               [&](row_writer& row, int) { row.addend(value).product(0, value); });
    add_single("align_to_zeros", fmt::format("{} + {}", text, zero),
               [&](row_writer& row, int) { row.product(0, value).zero_times_large(second_); });
  }
}

/// How far below the smallest result, or half of it, a product is still seen: in one group, because the alignment of another, to C, may
/// hide so small a sum.
void scan_writer::add_alignment_floor() {
  const int smallest = types_.accumulator.minimum_exponent() - kept_;
  const unsigned other = types_.scaling && third_ < group_ ? third_ : second_;
  for (const bool is_half : {false, true}) {
    const int large = is_half ? smallest - 1 : smallest;
    add(
        group_, "alignment_floor", fmt::format("{} {} 2^n", number_text(power(large)), is_half ? "+" : "-"), large - 60, large - 1,
        [&](row_writer& row, int) { row.product(0, power(large)); },
        [&](row_writer& row, int n) { row.product(other, is_half ? power(n) : -power(n)); });
  }
}

std::vector<scan> scan_writer::write() {
  const int safe = std::min(largest_, largest_addend_ - 2);
  add_widths(safe);
  add_positions(safe);
  add_ulp_positions();
  add_kept_bits();
  add_rounding();
  add_small_numbers();
  add_alignment_floor();
  if (safe != largest_) {
    add_widths(largest_);
    add_positions(largest_);
  }
  return std::move(scans_);
}

/// "n >= 5", "n <= 23", "n = 4 to 7 and 12 to 15".
std::string ranges_text(const std::vector<std::pair<int, int>>& ranges, int first, int last) {
  if (ranges.size() == 1 && ranges[0].second == last) return fmt::format("n >= {}", ranges[0].first);
  if (ranges.size() == 1 && ranges[0].first == first) return fmt::format("n <= {}", ranges[0].second);
  std::string text;
  for (const auto& [from, to] : ranges) {
    text += text.empty() ? "n = " : " and ";
    text += from == to ? fmt::format("{}", from) : fmt::format("{} to {}", from, to);
  }
  return text;
}

}  // namespace

std::vector<scan> classic_scans(const numerics::dot_product_types& types, unsigned length, const datapath_guess& guess) {
  return scan_writer(types, length, guess).write();
}

std::string observation(const scan& experiment, const unit_under_test& unit) {
  const auto& points = experiment.points;
  if (points.size() == 1) return fmt::format("{}: {}", experiment.text, pattern_text(unit(points[0].with), unit.types().accumulator));
  std::vector<std::pair<int, int>> survivals;
  bool survived = false;
  for (const scan::point& point : points) {
    const bool survives = unit(point.with) != unit(point.without);
    if (survives && !survived) survivals.emplace_back(point.n, point.n);
    if (survives) survivals.back().second = point.n;
    survived = survives;
  }
  const int first = points.front().n, last = points.back().n;
  if (survivals.empty()) return fmt::format("{}: lost for every n from {} to {}", experiment.text, first, last);
  if (survivals.size() == 1 && survivals[0] == std::pair(first, last))
    return fmt::format("{}: survives for every n from {} to {}", experiment.text, first, last);
  if (survivals.size() > 4) return fmt::format("{}: survives for some n from {} to {}", experiment.text, first, last);
  return fmt::format("{}: survives for {}", experiment.text, ranges_text(survivals, first, last));
}

}  // namespace tc::study
