#include "recordings.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>

#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <tc/numerics/number_format.hpp>

namespace tc::numerics::test {

namespace {

namespace fs = std::filesystem;
using words = std::vector<std::uint32_t>;

/// A recording as it is stored: a line of text, then little-endian words.
class word_file {
 public:
  explicit word_file(const fs::path& path) : name_(path.filename().string()), file_(path, std::ios::binary) {
    in_.push(boost::iostreams::lzma_decompressor());
    in_.push(file_);
    std::getline(in_, header_);
  }

  const std::string& header() const { return header_; }

  words read(std::size_t count) {
    std::vector<unsigned char> bytes(4 * count);
    in_.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (static_cast<std::size_t>(in_.gcount()) != bytes.size()) throw std::runtime_error(name_ + ": truncated");
    words result(count);
    for (std::size_t i = 0; i < bytes.size(); ++i) result[i / 4] |= std::uint32_t{bytes[i]} << (i % 4 * 8);
    return result;
  }

 private:
  std::string name_, header_;
  std::ifstream file_;
  boost::iostreams::filtering_istream in_;
};

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

/// The matrices of one instruction, gathered from its lanes.
class gathered_matrices {
 public:
  gathered_matrices(unsigned rows, unsigned words_per_row, const number_format& accumulator)
      : rows_(rows),
        a_(rows, words(words_per_row)),
        b_(columns, words(words_per_row)),
        c_(rows * columns),
        d_(rows * columns),
        accumulator_(accumulator) {}

  /// Register `r` of a lane in a warp whose rows start at `first_row`: word t of each half row, rows g and g + 8 in turn where there
  /// are 16.
  void set_a(unsigned lane, unsigned r, unsigned first_row, std::uint32_t word) {
    const unsigned row_blocks = rows_ == 8 ? 1 : 2;
    a_[first_row + lane / 4 + r % row_blocks * 8][r / row_blocks * 4 + lane % 4] = word;
  }
  void set_b(unsigned lane, unsigned r, std::uint32_t word) { b_[lane / 4][r * 4 + lane % 4] = word; }
  void set_b_word(unsigned column, unsigned index, std::uint32_t word) { b_[column][index] = word; }
  void set_c(unsigned lane, unsigned r, unsigned first_row, std::uint32_t word) { set_accumulator(c_, lane, r, first_row, word); }
  void set_d(unsigned lane, unsigned r, unsigned first_row, std::uint32_t word) { set_accumulator(d_, lane, r, first_row, word); }

  void append_to(std::vector<dot_case>& cases) const {
    for (unsigned i = 0; i < rows_ * columns; ++i) cases.push_back({a_[i / columns], b_[i % columns], c_[i], d_[i]});
  }

 private:
  static constexpr unsigned columns = 8;

  /// A row holds two neighbouring elements of a lane: in two registers, or in the halves of one.
  void set_accumulator(words& matrix, unsigned lane, unsigned r, unsigned first_row, std::uint32_t word) const {
    const unsigned per_word = accumulator_.elements_per_word();
    for (unsigned e = 0; e < per_word; ++e) {
      const unsigned x = r * per_word + e;
      matrix[(first_row + lane / 4 + x / 2 * 8) * columns + lane % 4 * 2 + x % 2] =
          static_cast<std::uint32_t>(packed_element(&word, e, accumulator_));
    }
  }

  unsigned rows_;
  std::vector<words> a_, b_;
  words c_, d_;
  number_format accumulator_;
};

/// Registers a lane holds of each operand, and the number of instructions recorded.
struct fragment_header {
  unsigned a, b, c, d, cases;
};

void read_mma_sync(word_file& in, const fragment_header& registers, gathered_matrices& matrices) {
  for (unsigned lane = 0; lane < 32; ++lane) {
    const words w = in.read(registers.a + registers.b + registers.c + registers.d);
    unsigned i = 0;
    for (unsigned r = 0; r < registers.a; ++r) matrices.set_a(lane, r, 0, w[i++]);
    for (unsigned r = 0; r < registers.b; ++r) matrices.set_b(lane, r, w[i++]);
    for (unsigned r = 0; r < registers.c; ++r) matrices.set_c(lane, r, 0, w[i++]);
    for (unsigned r = 0; r < registers.d; ++r) matrices.set_d(lane, r, 0, w[i++]);
  }
}

/// Four warps with 16 rows each; B is stored first, column by column, as shared memory held it.
void read_wgmma(word_file& in, const fragment_header& registers, gathered_matrices& matrices) {
  const words b = in.read(registers.b);
  for (unsigned i = 0; i < registers.b; ++i) matrices.set_b_word(i / 8, i % 8, b[i]);
  for (unsigned thread = 0; thread < 128; ++thread) {
    const unsigned lane = thread % 32, first_row = thread / 32 * 16;
    const words w = in.read(registers.a + registers.c + registers.d);
    unsigned i = 0;
    for (unsigned r = 0; r < registers.a; ++r) matrices.set_a(lane, r, first_row, w[i++]);
    for (unsigned r = 0; r < registers.c; ++r) matrices.set_c(lane, r, first_row, w[i++]);
    for (unsigned r = 0; r < registers.d; ++r) matrices.set_d(lane, r, first_row, w[i++]);
  }
}

unsigned number_after(const std::string& text, char letter) {
  return static_cast<unsigned>(std::stoul(text.substr(text.find(letter) + 1)));
}

}  // namespace

fs::path recordings_folder() {
  const char* shared = std::getenv("TCSIM_SHARED");
  const fs::path complete = (shared ? fs::path(shared) : fs::path(TC_SOURCE_DIR) / ".." / "shared") / "vectors";
  const bool is_there = fs::exists(complete);
  std::cout << (is_there ? "recordings: complete set\n" : "recordings: subset that comes with the sources\n");
  return is_there ? complete : fs::path(TC_SOURCE_DIR) / "tb/unit/numerics/data";
}

dot_recording read_fragments(const fs::path& file) {
  word_file in(file);
  std::istringstream header(in.header());
  std::string name;
  fragment_header registers{};
  if (!(header >> name >> registers.a >> registers.b >> registers.c >> registers.d >> registers.cases))
    throw std::runtime_error(file.filename().string() + ": not a fragment file");

  // wgmma.<shape>.<d>.<a>.<b>.<modifiers>, or <shape>.<d>.<a>.<b>.<c>.<modifiers>
  std::vector<std::string> parts = split(name, '.');
  const bool is_wgmma = parts[0] == "wgmma";
  if (is_wgmma) parts.erase(parts.begin());
  dot_recording recording{"hopper", parts.at(2), parts.at(3), parts.at(1), {}, number_after(parts[0], 'k'), {}};
  recording.modifiers.assign(parts.begin() + (is_wgmma ? 4 : 5), parts.end());

  const unsigned words_per_row = recording.k / find_number_format(recording.a).elements_per_word();
  for (unsigned i = 0; i < registers.cases; ++i) {
    gathered_matrices matrices(number_after(parts[0], 'm'), words_per_row, find_number_format(recording.accumulator));
    is_wgmma ? read_wgmma(in, registers, matrices) : read_mma_sync(in, registers, matrices);
    matrices.append_to(recording.cases);
  }
  return recording;
}

dot_recording read_dots(const fs::path& file) {
  word_file in(file);
  const std::vector<std::string> tokens = split(in.header(), ' ');
  if (tokens.size() < 3 || tokens[0] != "dot") throw std::runtime_error(file.filename().string() + ": not a file of dot products");
  std::map<std::string, std::string> keys;
  for (const std::string& token : tokens) keys[token.substr(0, token.find('='))] = token.substr(token.find('=') + 1);

  dot_recording recording{tokens[1], keys.at("a"), keys.at("b"), keys.at("d"), {}, static_cast<unsigned>(std::stoul(keys.at("k"))), {}};
  const auto pack = [k = recording.k](const std::uint32_t* elements, const number_format& format) {
    words row((k + format.elements_per_word() - 1) / format.elements_per_word());
    for (unsigned i = 0; i < k; ++i) set_packed_element(row.data(), i, format, elements[i]);
    return row;
  };
  for (unsigned long i = 0; i < std::stoul(keys.at("cases")); ++i) {
    const words w = in.read(2 * recording.k + 2);
    recording.cases.push_back({pack(w.data(), find_number_format(recording.a)),
                               pack(w.data() + recording.k, find_number_format(recording.b)), w[2 * recording.k], w[2 * recording.k + 1]});
  }
  return recording;
}

}  // namespace tc::numerics::test
