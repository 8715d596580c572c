// SPDX-License-Identifier: Apache-2.0
#include "device_documents.hpp"

#include <cctype>
#include <iterator>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <tc/platform/command_layout.hpp>
#include <tc/platform/device_registers.hpp>

namespace tc::platform::test {
namespace {

using layout_fields = std::vector<const layout_field*>;

/// A structure that software fills in or reads.
struct structure {
  std::string name, meaning;
  unsigned bytes;
  layout_fields fields;
};

template <class Parameters>
structure descriptor(const char* name, const char* meaning, const Parameters& parameters) {
  layout_fields fields(layout::command.begin(), layout::command.end());
  fields.insert(fields.end(), parameters.begin(), parameters.end());
  return {name, meaning, layout::descriptor_bytes, fields};
}

std::vector<structure> structures() {
  return {descriptor("command", "the part that all commands have; all of no_operation", std::vector<const layout_field*>{}),
          descriptor("run_trace", "runs the kernel of a trace", layout::run_trace),
          descriptor("gemm", "D = A x B", layout::gemm),
          descriptor("convolution", "images with filters", layout::convolution),
          {"completion_record",
           "written by the device when a command has ended",
           layout::completion_bytes,
           {layout::completion_record.begin(), layout::completion_record.end()}}};
}

/// Codes of a kind, and what their macros begin with.
struct code_list {
  const char *macro, *title;
  std::vector<named_code> codes;
};

std::vector<code_list> code_lists() {
  const auto list = [](const auto& codes) { return std::vector<named_code>(codes.begin(), codes.end()); };
  return {{"TCSIM_OPCODE", "Opcodes", list(opcodes)},
          {"TCSIM_FLAG", "Flags", list(command_flags)},
          {"TCSIM_RESULT", "Status of a command that has ended", list(status_codes)},
          {"TCSIM_PRECISION", "Types of the elements of A and B, and of D", list(gemm_precisions)},
          {"TCSIM_INSTRUCTIONS", "Instructions of a matrix product", list(gemm_instruction_codes)},
          {"TCSIM_METHOD", "Methods of a convolution", list(convolution_methods)}};
}

/// "e4m3.f16" as a part of a macro.
std::string upper(std::string_view name) {
  std::string text;
  for (const char c : name) text += c == '.' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

const char* name_of(register_access access) {
  switch (access) {
    case register_access::read_only:
      return "ro";
    case register_access::read_write:
      return "rw";
    case register_access::write_1_clears:
      return "w1c";
  }
  return "";
}

std::string bits_of(const register_field& field) {
  return field.bits == 1 ? fmt::format("{}", field.first) : fmt::format("{}:{}", field.first + field.bits - 1, field.first);
}

void add_registers(std::string& text) {
  auto out = std::back_inserter(text);
  text += "/* Registers: offsets in bytes. */\n";
  for (const device_register* each : registers::all)
    fmt::format_to(out, "#define TCSIM_REG_{} 0x{:02x}u /* {}: {} */\n", upper(each->name), each->offset, name_of(each->access),
                   each->meaning);
  fmt::format_to(out, "#define TCSIM_REG_BYTES 0x{:02x}u /* that the registers take */\n", registers::bytes);
  fmt::format_to(out, "\n#define TCSIM_IDENTIFICATION 0x{:08x}u\n#define TCSIM_VERSION 0x{:08x}u\n", registers::identification_value,
                 registers::version_value);
  text += "\n/* Their fields: masks, and shifts of those that are wider than a bit. */\n";
  for (const register_field* each : fields::all) {
    const std::string name = fmt::format("TCSIM_{}_{}", upper(each->of->name), upper(each->name));
    fmt::format_to(out, "#define {} 0x{:08x}u /* {} */\n", name, each->mask(), each->meaning);
    if (each->bits > 1) fmt::format_to(out, "#define {}_SHIFT {}\n", name, each->first);
  }
}

void add_codes(std::string& text) {
  auto out = std::back_inserter(text);
  for (const code_list& list : code_lists()) {
    fmt::format_to(out, "\n/* {}. */\n", list.title);
    for (const named_code& each : list.codes)
      fmt::format_to(out, "#define {}_{} {}u /* {} */\n", list.macro, upper(each.name), each.code, each.meaning);
  }
  fmt::format_to(out, "\n#define TCSIM_DESCRIPTOR_BYTES {}u\n#define TCSIM_COMPLETION_BYTES {}u\n#define TCSIM_MATRIX_ALIGNMENT {}u\n",
                 layout::descriptor_bytes, layout::completion_bytes, layout::matrix_alignment);
}

void add_structure(std::string& text, const structure& each) {
  auto out = std::back_inserter(text);
  fmt::format_to(out, "\n/* {} */\nstruct tcsim_{} {{\n", each.meaning, each.name);
  unsigned next = 0;
  const auto reserve = [&](unsigned until) {
    if (next < until) fmt::format_to(out, "  uint8_t reserved_{}[{}];\n", next, until - next);
  };
  for (const layout_field* field : each.fields) {
    reserve(field->offset);
    fmt::format_to(out, "  uint{}_t {}; /* {} */\n", 8 * field->bytes, field->name, field->meaning);
    next = field->offset + field->bytes;
  }
  reserve(each.bytes);
  fmt::format_to(out, "}};\nTCSIM_STATIC_ASSERT(sizeof(struct tcsim_{}) == {}, size_of_{});\n", each.name, each.bytes, each.name);
  for (const layout_field* field : each.fields)
    fmt::format_to(out, "TCSIM_STATIC_ASSERT(offsetof(struct tcsim_{}, {}) == {}, {}_{});\n", each.name, field->name, field->offset,
                   each.name, field->name);
}

void add_fields_of(std::string& text, const device_register& of) {
  for (const register_field* field : fields::all)
    if (field->of == &of)
      fmt::format_to(std::back_inserter(text), "| | `{}` [{}] | | | {} |\n", field->name, bits_of(*field), field->meaning);
}

}  // namespace

std::string c_header() {
  std::string text =
      "// SPDX-License-Identifier: Apache-2.0\n"
      "/* Registers and commands of tcsim's tensor_core_device, for software in C99 or C++. Made from device_registers.hpp and\n"
      "   command_layout.hpp: run the tests of the room platform with TCSIM_WRITE_GOLDEN=1 after a change there. All is little endian. */\n"
      "#ifndef TCSIM_DEVICE_H\n#define TCSIM_DEVICE_H\n\n#include <stddef.h>\n#include <stdint.h>\n\n"
      "#define TCSIM_STATIC_ASSERT(condition, name) typedef char tcsim_assert_##name[(condition) ? 1 : -1]\n\n";
  add_registers(text);
  add_codes(text);
  for (const structure& each : structures()) add_structure(text, each);
  return text + "\n#endif\n";
}

std::string register_tables() {
  std::string text = "| offset | register | access | reset | meaning |\n| --- | --- | --- | --- | --- |\n";
  for (const device_register* each : registers::all) {
    fmt::format_to(std::back_inserter(text), "| 0x{:02x} | **{}** | {} | 0x{:x} | {} |\n", each->offset, each->name, name_of(each->access),
                   each->reset, each->meaning);
    add_fields_of(text, *each);
  }
  return text;
}

std::string command_tables() {
  std::string text = "| structure | offset | bytes | field | meaning |\n| --- | --- | --- | --- | --- |\n";
  for (const structure& each : structures()) {
    const bool is_descriptor = each.bytes == layout::descriptor_bytes;
    const std::size_t first = is_descriptor && each.fields.size() > layout::command.size() ? layout::command.size() : 0;
    for (std::size_t i = first; i < each.fields.size(); ++i) {
      const layout_field& field = *each.fields[i];
      fmt::format_to(std::back_inserter(text), "| {} | {} | {} | `{}` | {} |\n", i == first ? "`tcsim_" + each.name + "`" : "",
                     field.offset, field.bytes, field.name, field.meaning);
    }
  }
  return text;
}

std::string code_tables() {
  std::string text = "| codes | | name | meaning |\n| --- | --- | --- | --- |\n";
  for (const code_list& list : code_lists())
    for (const named_code& each : list.codes)
      fmt::format_to(std::back_inserter(text), "| {} | {} | `{}` | {} |\n",
                     &each == &list.codes.front() ? fmt::format("`{}_*`", list.macro) : "", each.code, each.name, each.meaning);
  return text;
}

}  // namespace tc::platform::test
