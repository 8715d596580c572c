// SPDX-License-Identifier: Apache-2.0
#include "file_kind.hpp"

#include <algorithm>

#include <tc/trace/text_cursor.hpp>

namespace tc::trace {
namespace {

/// Words with which a line of a text begins, and what the text then is.
struct beginning {
  std::string_view words;
  file_kind kind;
};

constexpr beginning beginnings[] = {
    {"tcsim-trace", file_kind::trace},
    {"-kernel name", file_kind::accelsim_trace},
    {"-kernel id", file_kind::accelsim_trace},
    {"-grid dim", file_kind::accelsim_trace},
    {"#BEGIN_TB", file_kind::accelsim_trace},
    {"MemcpyHtoD", file_kind::accelsim_trace},
    {"kernel-", file_kind::accelsim_trace},
    {".headerflags", file_kind::listing},
    {".target\tsm_", file_kind::listing},
    {".target sm_", file_kind::listing},
    {".section\t.text.", file_kind::listing},
    {".section\t.nv.", file_kind::listing},
    {"Fatbin elf code", file_kind::listing},
    {"Fatbin ptx code", file_kind::listing},
    {"Function : ", file_kind::listing},
    {"code for sm_", file_kind::listing},
    {".version", file_kind::ptx},
    {".address_size", file_kind::ptx},
};

/// The kind that a line shows.
file_kind kind_of_line(text_cursor in) {
  if (in.at_end()) return file_kind::other;
  const std::string_view line = in.rest();
  for (const beginning& each : beginnings)
    if (line.substr(0, each.words.size()) == each.words) return each.kind;
  return file_kind::other;
}

}  // namespace

file_kind kind_of(std::string_view begin) {
  if (begin.substr(0, 4) ==
      "\x7f"
      "ELF")
    return file_kind::elf;
  if (begin.substr(0, 4) ==
      "\x89"
      "TCT")
    return file_kind::packed_trace;
  const std::string no_name;
  for (std::uint64_t number = 1; !begin.empty(); ++number) {
    const std::size_t end = std::min(begin.find('\n'), begin.size());
    const file_kind kind = kind_of_line(text_cursor({no_name, number, begin.substr(0, end)}));
    if (kind != file_kind::other) return kind;
    begin.remove_prefix(std::min(end + 1, begin.size()));
  }
  return file_kind::other;
}

std::string_view advice_on(file_kind kind) {
  switch (kind) {
    case file_kind::trace:
      return "this is a trace of tcsim, which `tcsim run` takes as it is";
    case file_kind::packed_trace:
      return "this is a packed trace of tcsim, which `tcsim run` takes as it is";
    case file_kind::accelsim_trace:
      return "this is from the tracer of Accel-Sim: `tcsim import accelsim` makes a trace of it";
    case file_kind::listing:
      return "this is a listing of machine code: `tcsim import nvdisasm` makes a trace of it";
    case file_kind::elf:
      return "this is an ELF file, as cubins and programs are: list its machine code with nvdisasm -hex or cuobjdump -sass, and make a "
             "trace of "
             "the listing with `tcsim import nvdisasm`";
    case file_kind::ptx:
      return "this is PTX: compile it with ptxas, list the machine code with nvdisasm -hex, and make a trace of the listing with `tcsim "
             "import "
             "nvdisasm`";
    case file_kind::other:
      break;
  }
  return {};
}

}  // namespace tc::trace
