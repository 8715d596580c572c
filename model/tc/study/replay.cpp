// SPDX-License-Identifier: Apache-2.0
#include "replay.hpp"

namespace tc::study {
namespace {

/// Compares the outputs of one case.
class case_comparison {
 public:
  case_comparison(const vector_header& header, const case_arithmetic& arithmetic, std::size_t kept, error_statistics* errors)
      : header_(header), arithmetic_(arithmetic), kept_(kept), errors_(has_exact_sums(header) ? errors : nullptr) {}

  void compare(const vector_case& values, std::uint64_t case_index, replay_result& result) {
    computed_.d = arithmetic_(values);
    result.outputs += header_.outputs();
    if (errors_ != nullptr) add_errors(header_, arithmetic_, values, computed_.d, *errors_);
    if (computed_.d == values.d) return;
    for (unsigned matrix = 0; matrix < header_.matrices(); ++matrix)
      for (unsigned row = 0; row < header_.rows(); ++row)
        for (unsigned column = 0; column < header_.columns(); ++column) compare_output(values, case_index, {matrix, row, column}, result);
  }

 private:
  void compare_output(const vector_case& values, std::uint64_t case_index, output_position at, replay_result& result) const {
    const std::uint64_t expected = output(values, at), computed = output(computed_, at);
    if (expected == computed) return;
    ++result.mismatches;
    if (result.first.size() < kept_) result.first.push_back({case_index, at, arithmetic_.operands_of(values, at), expected, computed});
  }

  std::uint64_t output(const vector_case& values, output_position at) const {
    return element_of(header_, values, vector_operand::d, at.matrix, at.column * header_.rows() + at.row, 0);
  }

  const vector_header& header_;
  const case_arithmetic& arithmetic_;
  std::size_t kept_;
  error_statistics* errors_;
  vector_case computed_;
};

}  // namespace

replay_result replay(vector_reader& file, const case_arithmetic& arithmetic, std::size_t kept, const replay_progress& progress,
                     error_statistics* errors) {
  case_comparison comparison(file.header(), arithmetic, kept, errors);
  replay_result result;
  std::uint64_t cases = 0;
  for (vector_case values; file.next(values);) {
    comparison.compare(values, cases++, result);
    if (progress) progress(cases);
  }
  return result;
}

}  // namespace tc::study
