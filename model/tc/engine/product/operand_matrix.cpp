#include "operand_matrix.hpp"

#include <cstring>

namespace tc::engine {

void operand_matrix::begin(const shared_operand& matrix, bool data) {
  matrix_.emplace(matrix);
  if (!data) return;
  cores_.resize(std::size_t{cores()} * core_bytes);
  rows_.resize(std::size_t{matrix.place.rows()} * row_bytes() / sizeof(std::uint32_t));
}

unsigned char* operand_matrix::line(unsigned core, unsigned line) {
  return &cores_[std::size_t{core} * core_bytes + std::size_t{line} * isa::shared_matrix::unit_bytes];
}

const std::uint32_t* operand_matrix::rows() {
  auto* const bytes = reinterpret_cast<unsigned char*>(rows_.data());
  const unsigned element = place().element_bytes();
  const std::size_t row = row_bytes();
  isa::copy_unit unit{};
  for (unsigned core = 0; core < cores(); ++core) {
    for (unsigned l = 0; l < isa::shared_matrix::core_lines; ++l) {
      std::memcpy(unit.data(), line(core, l), unit.size());
      if (matrix_->decompression != isa::tensor_copy_decompression::none) unit = isa::decompress(unit, matrix_->decompression);
      const isa::matrix_place first = place().unit_place(core, l);
      unsigned char* const to = bytes + first.row * row + std::size_t{first.k} * element;
      if (matrix_->major == isa::matrix_major::k) {
        std::memcpy(to, unit.data(), unit.size());
      } else {
        for (unsigned i = 0; i * element < unit.size(); ++i) std::memcpy(to + i * row, unit.data() + std::size_t{i} * element, element);
      }
    }
  }
  return rows_.data();
}

}  // namespace tc::engine
