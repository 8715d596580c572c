#include "operand_matrix.hpp"

#include <cstring>

namespace tc::engine {

void operand_matrix::begin(const isa::shared_matrix& place, isa::matrix_major major, bool data) {
  place_.emplace(place);
  major_ = major;
  if (!data) return;
  cores_.resize(std::size_t{cores()} * core_bytes);
  rows_.resize(std::size_t{place.rows()} * row_bytes / sizeof(std::uint32_t));
}

unsigned char* operand_matrix::line(unsigned core, unsigned line) {
  return &cores_[std::size_t{core} * core_bytes + std::size_t{line} * isa::shared_matrix::unit_bytes];
}

const std::uint32_t* operand_matrix::rows() {
  auto* const bytes = reinterpret_cast<unsigned char*>(rows_.data());
  const unsigned element = place_->element_bytes();
  for (unsigned core = 0; core < cores(); ++core) {
    for (unsigned l = 0; l < isa::shared_matrix::core_lines; ++l) {
      const unsigned char* const from = line(core, l);
      const isa::matrix_place first = place_->unit_place(core, l);
      unsigned char* const to = bytes + std::size_t{first.row} * row_bytes + std::size_t{first.k} * element;
      if (major_ == isa::matrix_major::k) {
        std::memcpy(to, from, isa::shared_matrix::unit_bytes);
      } else {
        for (unsigned i = 0; i * element < isa::shared_matrix::unit_bytes; ++i)
          std::memcpy(to + std::size_t{i} * row_bytes, from + std::size_t{i} * element, element);
      }
    }
  }
  return rows_.data();
}

}  // namespace tc::engine
