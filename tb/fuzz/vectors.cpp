// SPDX-License-Identifier: Apache-2.0
// Vector files, plain or in .xz and .gz data. What is read must be what is written, byte by byte behind the header.
#include <sstream>

#include <tc/study/compressed_file.hpp>
#include <tc/study/vector_file.hpp>

#include "support.hpp"

namespace tcsim::fuzz {
namespace {

/// The file as it is written from what was read of it.
std::string read_and_written(const std::filesystem::path& path) {
  tc::study::vector_reader reader(path);
  std::ostringstream out;
  tc::study::vector_writer writer(out, reader.header());
  tc::study::vector_case values;
  while (reader.next(values)) writer.write(values);
  return out.str();
}

std::string_view behind_first_line(std::string_view text) { return text.substr(text.find('\n') + 1); }

}  // namespace
}  // namespace tcsim::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tcsim::fuzz;
  const std::string_view text = text_of(data, size);
  std::string written;
  try {
    written = read_and_written(memory_file(text).path());
  } catch (const tc::study::vector_error&) {
    return 0;
  }
  const bool is_plain = text[0] != '\xfd' && text[0] != '\x1f';
  if (is_plain) require_same(behind_first_line(written), behind_first_line(text), "vectors that were read and written");
  require_same(read_and_written(memory_file(written).path()), written, "vectors that were written, read and written");
  return 0;
}
