// SPDX-License-Identifier: Apache-2.0
// Records what the matrix instructions of a GPU compute and how many cycles they take, to hold tcsim against.

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "device.hpp"
#include "fragments.hpp"
#include "inputs.hpp"
#include "options.hpp"
#include "vector_file.hpp"

namespace tc::record {
namespace {

/// Whether tensor cores or an expansion execute the variant on the device, or nothing does.
const char* support_of(const device_description& device, const variant& v) {
  if (v.is_native_on(device.capability)) return can_execute(device, v) ? "native" : "native, but this program was not compiled for it";
  return can_execute(device, v) ? "expanded" : "-";
}

/// Throws usage_error if the pattern asks for nothing, and warns of what the GPU has and this program lacks.
void check_request(const device_description& device, const options& asked) {
  unsigned wanted = 0, lacking = 0;
  for (const variant& v : variants) {
    if (!matches(asked.only.c_str(), v.name)) continue;
    ++wanted;
    if (v.is_native_on(device.capability) && !can_execute(device, v)) ++lacking;
  }
  if (wanted == 0) throw usage_error("--only: no variant is like " + asked.only);
  if (lacking != 0)
    std::fprintf(stderr, "record: %u variants of this GPU are left out: the program was compiled for another architecture (sm_%u)\n",
                 lacking, device.target_capability);
}

void list(const device_description& device, const options& asked) {
  std::printf("%s, compute capability %u.%u\n", device.name.c_str(), device.capability / 10, device.capability % 10);
  for (const variant& v : variants)
    if (matches(asked.only.c_str(), v.name)) std::printf("%-45s %s\n", v.name, support_of(device, v));
}

/// Expansions of floating-point instructions say nothing about tensor cores; those of integers and f64 give the same bits.
bool is_recorded(const device_description& device, const variant& v, const options& asked) {
  if (!matches(asked.only.c_str(), v.name) || !can_execute(device, v)) return false;
  return v.is_native_on(device.capability) || v.is_exact() || asked.expanded;
}

std::vector<std::uint32_t> make_cases(const variant& v, const options& asked) {
  std::vector<std::uint32_t> words(asked.cases * v.case_words());
  input_maker inputs(v, asked.seed);
  for (std::size_t i = 0; i < asked.cases; ++i) {
    unsigned instance = 0;
    for (const operand_matrices& matrices : inputs.next()) store(v, matrices, instance++, words.data() + i * v.case_words());
  }
  return words;
}

void record_vectors(const device_description& device, const options& asked) {
  std::filesystem::create_directories(asked.folder);
  unsigned files = 0;
  for (unsigned i = 0; i < variant_count; ++i) {
    const variant& v = variants[i];
    if (!is_recorded(device, v, asked)) continue;
    std::vector<std::uint32_t> cases = make_cases(v, asked);
    multiply_fragments(i, cases);
    write_vectors(asked.folder, v, device.name, cases);
    ++files;
  }
  std::printf("%u vector files of %u cases in %s\n", files, asked.cases, asked.folder.c_str());
}

void record_timing(const device_description& device, const options& asked) {
  std::string csv = "variant,warps,chains,length,cycles,cycles_per_mma\n";
  unsigned rows = 0;
  for (unsigned i = 0; i < variant_count; ++i) {
    const variant& v = variants[i];
    const bool is_wanted = matches(asked.only.c_str(), v.name) && v.is_timed() && v.is_native_on(device.capability);
    if (!is_wanted || !can_execute(device, v)) continue;
    for (const stream_shape& shape : stream_shapes()) {
      const std::uint64_t cycles = time_stream(i, shape);
      char row[200];
      std::snprintf(row, sizeof row, "%s,%u,%u,%u,%llu,%.3f\n", v.stream, shape.warps, shape.chains, shape.length,
                    static_cast<unsigned long long>(cycles), static_cast<double>(cycles) / (shape.chains * shape.length));
      csv += row;
      ++rows;
    }
  }
  write_file(asked.timing, csv);
  std::printf("%u timed streams in %s\n", rows, asked.timing.c_str());
}

void run(const options& asked) {
  if (asked.help) {
    std::fputs(usage, stdout);
    return;
  }
  const device_description device = describe_device();
  check_request(device, asked);
  if (asked.list) list(device, asked);
  if (!asked.folder.empty()) record_vectors(device, asked);
  if (!asked.timing.empty()) record_timing(device, asked);
}

}  // namespace
}  // namespace tc::record

int main(int argc, char** argv) {
  try {
    tc::record::run(tc::record::parse_options(argc, argv));
    return 0;
  } catch (const tc::record::usage_error& error) {
    std::fprintf(stderr, "record: %s\n%s", error.what(), "Try record --help.\n");
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "record: %s\n", error.what());
    return 1;
  }
}
