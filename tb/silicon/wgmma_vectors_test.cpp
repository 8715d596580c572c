// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <fstream>
#include <iostream>
#include <scratch_folder.hpp>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <tc/isa/shared_matrix.hpp>
#include <tc/study/compressed_file.hpp>
#include <tc/study/vector_file.hpp>

#include "recorded_run.hpp"

namespace wgmma_vectors_test {

namespace {

using namespace tc;
namespace fs = std::filesystem;

constexpr unsigned rows = 64, columns = 8, k_bytes = 32, words = k_bytes / 4, warps = 4, first_shared = 0x400;
constexpr std::uint64_t a_image = 0x100000, c_image = 0x200000, shared_a_result = 0x300000, register_a_result = 0x400000;

/// A recorded file, and the direction in which its matrices lie in shared memory.
struct recording {
  fs::path file;
  isa::matrix_major major = isa::matrix_major::k;
};

/// The wgmma files of the recordings beside the project, or of the subset in it; those of 16-bit elements in both directions.
std::vector<recording> recordings() {
  const fs::path shared = silicon::shared_folder();
  const fs::path folder = shared.empty() ? fs::path(TC_SOURCE_DIR) / "tb/unit/study/data/hopper-h200" : shared / "vectors/hopper-h200";
  std::vector<recording> found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.rfind("wgmma.", 0) != 0) continue;
    found.push_back({entry.path()});
    if (name.find("k16") != std::string::npos) found.push_back({entry.path(), isa::matrix_major::mn});
  }
  std::sort(found.begin(), found.end(), [](const recording& x, const recording& y) {
    return std::pair(x.file, x.major == isa::matrix_major::mn) < std::pair(y.file, y.major == isa::matrix_major::mn);
  });
  std::cout << (shared.empty() ? "wgmma vectors: subset in the project\n" : "wgmma vectors: complete set\n");
  return found;
}

/// Where the matrices of a case lie in shared memory. Four ways to swizzle take turns. Tiles are as wide as their swizzle and hold several
/// cases side by side, as the k-steps of a GEMM, or parts of its columns, do.
class shared_layout {
 public:
  shared_layout(isa::matrix_major major, unsigned cases) : major_(major), quarter_((cases + 3) / 4) {}

  isa::matrix_descriptor a(unsigned number) const {
    return place(number, {rows * k_bytes, major_ == isa::matrix_major::k ? k_bytes : 128, 0});
  }
  isa::matrix_descriptor b(unsigned number) const {
    return place(number, {columns * k_bytes, major_ == isa::matrix_major::k ? k_bytes : 16, slots() * rows * k_bytes});
  }
  /// Behind the last matrix.
  unsigned end() const { return first_shared + slots() * (rows + columns) * k_bytes; }

 private:
  /// Bytes of a matrix, bytes of a line of it, and where the first matrix is.
  struct matrices {
    unsigned bytes, line, first;
  };

  /// Whole tiles, so that all of them begin where a swizzle pattern does.
  unsigned slots() const { return 4 * ((quarter_ + 7) / 8 * 8); }

  isa::matrix_descriptor place(unsigned number, const matrices& all) const {
    constexpr isa::swizzle_mode modes[] = {isa::swizzle_mode::none, isa::swizzle_mode::bytes_32, isa::swizzle_mode::bytes_64,
                                           isa::swizzle_mode::bytes_128};
    const unsigned quarter = number / quarter_, slot = quarter * (slots() / 4) + number % quarter_, width = 16U << quarter;
    const unsigned side_by_side = quarter == 0 ? 1 : std::max(1U, width / all.line);
    isa::matrix_descriptor at;
    at.swizzle = modes[quarter];
    at.start = first_shared + all.first + slot / side_by_side * side_by_side * all.bytes + slot % side_by_side * all.line;
    at.leading_bytes = quarter == 0 ? 128 : 16 * width;
    at.stride_bytes = quarter == 0 ? 256 : 8 * width;
    return at;
  }

  isa::matrix_major major_;
  unsigned quarter_;
};

void put(std::vector<std::uint8_t>& image, const isa::matrix_descriptor& at, isa::matrix_major major, unsigned height,
         unsigned element_bits, const std::vector<std::uint8_t>& bytes) {
  const unsigned k = 8 * k_bytes / element_bits, element = element_bits / 8;
  const isa::shared_matrix matrix(at, major, element_bits, height, k);
  for (unsigned r = 0; r < height; ++r)
    for (unsigned e = 0; e < k; ++e) std::memcpy(&image.at(matrix.address({r, e})), &bytes[r * k_bytes + e * element], element);
}

void write_file(const fs::path& file, const void* bytes, std::size_t count) {
  std::ofstream(file, std::ios::binary).write(static_cast<const char*>(bytes), static_cast<std::streamsize>(count));
}

/// Registers of a warp's lanes that hold row r and column n of a 16 x 8 accumulator: lane and register; two elements of 16 bits each.
std::vector<std::uint32_t> accumulators(const std::vector<std::uint32_t>& matrix, unsigned warp, bool is_half) {
  std::vector<std::uint32_t> values;
  const auto at = [&](unsigned row, unsigned column) { return matrix[column * rows + 16 * warp + row]; };
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned upper = 0; upper < 2; ++upper) {
      const unsigned row = lane / 4 + 8 * upper, column = 2 * (lane % 4);
      if (is_half) {
        values.push_back(at(row, column) | at(row, column + 1) << 16);
      } else {
        values.insert(values.end(), {at(row, column), at(row, column + 1)});
      }
    }
  }
  return values;
}

/// A kernel that computes every case of a recording twice, with A in registers and in shared memory.
class vector_kernel {
 public:
  vector_kernel(const recording& from, const fs::path& folder) : reader_(from.file), from_(from), folder_(folder) {
    const study::vector_operation& operation = reader_.header().operation;
    mma_ = operation.fragments;
    is_half_ = isa::bits(mma_.d) == 16;
    registers_ = is_half_ ? 2 : 4;
    instruction_ = fmt::format("wgmma.mma_async.sync.aligned.m64n8k{}.{}.{}.{}{}", operation.k, isa::name(mma_.d), isa::name(mma_.a),
                               isa::name(mma_.b), reader_.header().name.find("satfinite") != std::string::npos ? ".satfinite" : "");
  }

  std::string text() {
    const auto cases = static_cast<unsigned>(reader_.header().cases);
    const shared_layout layout(from_.major, cases);
    std::vector<std::uint8_t> shared(layout.end());
    std::vector<std::uint32_t> a, c, d;
    study::vector_case values = study::make_case(reader_.header());
    for (unsigned i = 0; reader_.next(values); ++i) {
      std::vector<std::uint8_t> a_rows(std::size_t{rows} * k_bytes), b_columns(std::size_t{columns} * k_bytes);
      for (unsigned r = 0; r < rows; ++r)
        for (unsigned w = 0; w < words; ++w) std::memcpy(&a_rows[r * k_bytes + 4 * w], &values.a[w * rows + r], 4);
      std::memcpy(b_columns.data(), values.b.data(), b_columns.size());
      put(shared, layout.a(i), from_.major, rows, isa::bits(mma_.a), a_rows);
      put(shared, layout.b(i), from_.major, columns, isa::bits(mma_.b), b_columns);
      for (unsigned warp = 0; warp < warps; ++warp) {
        append_a(a, values.a, warp);
        append(c, accumulators(values.c, warp, is_half_));
        append(d, accumulators(values.d, warp, is_half_));
      }
    }
    return header(shared, a, c, d) + code(layout, cases);
  }

 private:
  static void append(std::vector<std::uint32_t>& to, const std::vector<std::uint32_t>& more) {
    to.insert(to.end(), more.begin(), more.end());
  }

  /// The four registers of each lane.
  static void append_a(std::vector<std::uint32_t>& to, const std::vector<std::uint32_t>& matrix, unsigned warp) {
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned i = 0; i < 4; ++i) to.push_back(matrix[(lane % 4 + 4 * (i / 2)) * rows + 16 * warp + lane / 4 + 8 * (i % 2)]);
  }

  std::string header(const std::vector<std::uint8_t>& shared, const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& c,
                     const std::vector<std::uint32_t>& d) const {
    write_file(folder_ / "shared.bin", &shared[first_shared], shared.size() - first_shared);
    write_file(folder_ / "a.bin", a.data(), 4 * a.size());
    write_file(folder_ / "c.bin", c.data(), 4 * c.size());
    write_file(folder_ / "d.bin", d.data(), 4 * d.size());
    std::string text =
        fmt::format("tcsim-trace 1\narch sm_90\nkernel vectors\ngrid 1 1 1\nblock 128 1 1\nregisters 64\nshared {}\n", shared.size());
    text += fmt::format("shared-memory {:#x} {} file shared.bin\n", first_shared, shared.size() - first_shared);
    text += fmt::format("memory {:#x} {} file a.bin\nmemory {:#x} {} file c.bin\n", a_image, 4 * a.size(), c_image, 4 * c.size());
    for (const std::uint64_t result : {shared_a_result, register_a_result})
      text += fmt::format("memory {0:#x} {1} zero\nexpect {0:#x} {1} file d.bin\n", result, 4 * d.size());
    return text + "cta 0 0 0\n";
  }

  std::string code(const shared_layout& layout, unsigned cases) {
    std::string text;
    for (unsigned warp = 0; warp < warps; ++warp) {
      text += fmt::format("warp {}\nreg R2 0x0\nreg R3 0x0\n", warp);
      for (unsigned i = 0; i < cases; ++i) add_case(text, layout, i, warp);
      text += "/*fff0*/ EXIT\n";
    }
    return text;
  }

  void add_case(std::string& text, const shared_layout& layout, unsigned number, unsigned warp) const {
    const unsigned part = number * warps + warp, wide = 32 * registers_;  // bits of a lane's accumulators
    const std::uint64_t a = a_image + std::uint64_t{part} * 512, sums = std::uint64_t{part} * 128 * registers_;
    std::vector<std::string> names;
    for (unsigned r = 0; r < registers_; ++r) names.push_back(fmt::format("R{}", 24 + r));
    const std::uint64_t b = isa::encode(layout.b(number), isa::architecture::sm_90);
    const bool is_16_bit = isa::bits(mma_.a) == 16, transposed = from_.major == isa::matrix_major::mn;
    const std::string scales = isa::name(mma_.d) == "s32" ? "1" : "1, 1, 1";
    for (const bool in_registers : {true, false}) {
      text += fmt::format("/*0000*/ LDG.E.128 R8, [R2.64] @ {:#x}+16\n", a);
      text += fmt::format("/*0010*/ LDG.E.{} R24, [R2.64] @ {:#x}+{}\n", wide, c_image + sums, wide / 8);
      text += "wgmma.fence.sync.aligned\n";
      const std::string first =
          in_registers ? "{R8, R9, R10, R11}" : fmt::format("{:#018x}", isa::encode(layout.a(number), isa::architecture::sm_90));
      const std::string transposes =
          !is_16_bit ? "" : fmt::format("{}, {:d}", in_registers ? "" : fmt::format(", {:d}", transposed), transposed);
      text += fmt::format("{} {{{}}}, {}, {:#018x}, {}{}\n", instruction_, fmt::join(names, ", "), first, b, scales, transposes);
      text += "wgmma.commit_group.sync.aligned\nwgmma.wait_group.sync.aligned 0\n";
      text += fmt::format("/*0080*/ STG.E.{} [R2.64], R24 @ {:#x}+{}\n", wide, (in_registers ? register_a_result : shared_a_result) + sums,
                          wide / 8);
    }
  }

  study::vector_reader reader_;
  recording from_;
  fs::path folder_;
  isa::mma_operation mma_{};
  bool is_half_ = false;
  unsigned registers_ = 4;
  std::string instruction_;
};

class wgmma_vectors : public testing::TestWithParam<recording> {};

TEST_P(wgmma_vectors, come_out_bit_for_bit) {
  const scratch_folder scratch;
  const fs::path file = scratch.path() / "vectors.trace";
  const std::string text = vector_kernel(GetParam(), scratch.path()).text();
  write_file(file, text.data(), text.size());
  const auto trace = trace::trace::open(file);
  device::run_options options = silicon::preset_options();
  options.monitors = true;
  const auto result = silicon::run(trace, silicon::machine_of("hopper"), options);
  EXPECT_EQ(result.status, accounting::run_status::finished);
  ASSERT_EQ(result.kernels.at(0).expectations.size(), 2U);
  for (const auto& expectation : result.kernels[0].expectations) {
    EXPECT_GT(expectation.bytes, 0U);
    EXPECT_EQ(expectation.mismatches, 0U) << fmt::format("{:#x}", expectation.base);
  }
  for (const std::string& warning : result.warnings()) ADD_FAILURE() << warning;
}

std::string name_of(const testing::TestParamInfo<recording>& info) {
  std::string name = study::without_compression(info.param.file.filename()).stem().string();
  std::replace(name.begin(), name.end(), '.', '_');
  return name + (info.param.major == isa::matrix_major::mn ? "_transposed" : "");
}

INSTANTIATE_TEST_SUITE_P(recorded, wgmma_vectors, testing::ValuesIn(recordings()), name_of);

}  // namespace

}  // namespace wgmma_vectors_test
