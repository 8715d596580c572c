// SPDX-License-Identifier: Apache-2.0
// Traces as text, plain or in .xz and .gz data. What is read must be what packing and unpacking gives back, byte by byte.
#include <sstream>

#include <tc/kernels/wmma_expander.hpp>
#include <tc/packed/packed_file.hpp>
#include <tc/packed/trace_packer.hpp>
#include <tc/trace/trace_error.hpp>

#include "support.hpp"

namespace tcsim::fuzz {
namespace {

/// Image files are looked for here, and found nowhere.
const std::filesystem::path no_folder = "/nonexistent";

bool is_plain(std::string_view text) { return text.empty() || (text[0] != '\xfd' && text[0] != '\x1f'); }

void require_unpacked_again(std::string_view text) {
  const memory_file file(text);
  std::ostringstream packed, unpacked;
  tc::trace::open_options options;
  options.image_folder = no_folder;
  tc::kernels::pack_trace(file.path(), no_folder, packed, options);
  const memory_file packed_file(packed.str());
  tc::trace::trace::open(packed_file.path()).verify();
  tc::packed::unpack_trace(packed_file.path(), no_folder, unpacked);
  require_same(unpacked.str(), text, "a trace that was packed and unpacked");
}

void read(std::string_view text) {
  std::istringstream in{std::string(text)};
  tc::trace::open_options options;
  options.image_folder = no_folder;
  try {
    const tc::trace::trace trace = tc::kernels::read_trace(in, "input", options);
    trace.verify();
    trace.summary();
  } catch (const tc::trace::trace_error& error) {
    if (is_plain(text)) require_inside(text, error.line(), error.column(), error.what());
    return;
  }
  if (is_plain(text)) require_unpacked_again(text);
}

}  // namespace
}  // namespace tcsim::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size != 0 && tc::packed::packed_file::begins_with(*data)) return 0;  // which packed_trace reads
  tcsim::fuzz::read(tcsim::fuzz::text_of(data, size));
  return 0;
}
