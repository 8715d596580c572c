// SPDX-License-Identifier: Apache-2.0
// Words of bits: descriptors of matrices and of tcgen05.mma, addresses of tensor memory, words of machine code. An input is the kind, five
// bytes of what decides how it is read, and the bits, low bytes first. What is decoded must be encoded to what is decoded to the same.
#include <stdexcept>

#include <tc/isa/instruction_word.hpp>
#include <tc/isa/matrix_descriptor.hpp>
#include <tc/isa/tcgen05/instruction_descriptor.hpp>
#include <tc/isa/tcgen05/tensor_address.hpp>

#include "support.hpp"

namespace tcsim::fuzz {
namespace {

using namespace tc::isa;

/// The bytes of an input; zeros behind its end.
class byte_source {
 public:
  byte_source(const std::uint8_t* data, std::size_t size) : next_(data), end_(data + size) {}

  unsigned below(unsigned limit) { return static_cast<unsigned>(number(1)) % limit; }
  std::uint64_t number(unsigned bytes) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < bytes; ++i) value |= std::uint64_t{next_ == end_ ? std::uint8_t{0} : *next_++} << 8 * i;
    return value;
  }

 private:
  const std::uint8_t *next_, *end_;
};

/// Bits of which `mistake` says what is wrong with them. `survive` decodes and encodes them, and throws where there is a mistake.
template <class Survive>
void check(const std::string& mistake, Survive survive) {
  try {
    require(survive(), "what was decoded is encoded to the same");
    require(mistake.empty(), "bits with a mistake are refused");
  } catch (const std::invalid_argument& error) {
    require_same(error.what(), mistake, "what is wrong with the bits");
    require(!mistake.empty(), "bits are refused for a reason");
  }
}

mma_form form_from(byte_source& in) {
  mma_form form;
  form.kind = static_cast<mma_kind>(in.below(7));
  form.group = in.below(2) == 0 ? cta_group::one : cta_group::two;
  form.weight_stationary = in.below(2) != 0;
  form.sparse = in.below(2) != 0;
  form.scales = static_cast<scale_vector>(in.below(4));
  return form;
}

void check_matrix(byte_source& in) {
  const auto arch = static_cast<architecture>(in.below(architecture_count));
  const std::uint64_t bits = in.number(8);
  check(descriptor_mistake(bits, arch), [&] {
    const matrix_descriptor decoded = decode_matrix_descriptor(bits, arch);  // of wgmma, in two ways
    return decode_matrix_descriptor(encode(decoded, arch), arch) == decoded;
  });
}

void check_instruction(byte_source& in) {
  const mma_form form = form_from(in);
  const auto bits = static_cast<std::uint32_t>(in.number(4));
  check(instruction_descriptor_mistake(bits, form), [&] { return encode(decode_instruction_descriptor(bits, form), form) == bits; });
}

void check_address(byte_source& in) {
  const auto bits = static_cast<std::uint32_t>(in.number(4));
  check(tensor_address_mistake(bits), [&] { return encode(decode_tensor_address(bits)) == bits; });
}

void check_word(byte_source& in) {
  instruction_word word;
  word.low = in.number(8);
  word.high = in.number(8);
  const std::string text = text_of(word);
  require_same(text_of(parse_word(text)), text, "a word that was written and read");
  const std::string made = text_of(word_of(fields_of(word)));
  require_same(text_of(word_of(fields_of(parse_word(made)))), made, "a word that was made of its fields");
}

}  // namespace
}  // namespace tcsim::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tcsim::fuzz;
  byte_source in(data, size);
  switch (in.below(4)) {
    case 0:
      check_matrix(in);
      break;
    case 1:
      check_instruction(in);
      break;
    case 2:
      check_address(in);
      break;
    default:
      check_word(in);
  }
  return 0;
}
