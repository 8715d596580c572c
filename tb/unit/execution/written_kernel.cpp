// SPDX-License-Identifier: Apache-2.0
#include "written_kernel.hpp"

#include <cstring>
#include <fstream>

#include <fmt/format.h>

#include <tc/config/machine_loader.hpp>
#include <tc/execution/kernel_fault.hpp>

namespace tc::test {

namespace {

std::string listing_of(const std::vector<std::string>& lines, const std::string& target, const std::string& sections) {
  std::string text = fmt::format("\t.target\t{}\n", target) + sections;
  text += "\t.section\t.text.written,\"ax\",@progbits\n.text.written:\n";
  unsigned pc = 0;
  const auto add = [&](const std::string& instruction) {
    text += fmt::format("        /*{:04x}*/  {} ;  /* 0x0000000000007918 */\n   /* 0x000fc00000000000 */\n", pc, instruction);
    pc += 16;
  };
  for (const std::string& line : lines) {
    if (line.back() == ':')
      text += line + "\n";
    else
      add(line);
  }
  add("EXIT");
  return text;
}

config::machine machine_for(const listings::sass_kernel& kernel) {
  const char* const name = kernel.arch >= isa::architecture::sm_90   ? "hopper"
                           : kernel.arch >= isa::architecture::sm_80 ? "ampere"
                                                                     : "turing";
  return config::load_machine(std::string(TC_SOURCE_DIR) + "/configs/" + name + ".json");
}

}  // namespace

written_kernel::written_kernel(const std::vector<std::string>& lines, const std::string& target, const std::string& sections) {
  const auto file = folder_.path() / "code.sass";
  std::ofstream(file) << listing_of(lines, target, sections);
  kernel_ = listings::read_sass(file, "written");
  launch_.file = "launch.txt";
  launch_.kernel = "written";
  launch_.block.x = 32;
  launch_.allocations.resize(2);
  launch_.allocations[0].base = output;
  launch_.allocations[0].bytes = 128;
  launch_.allocations[1].base = input;
  launch_.allocations[1].bytes = 128;
}

written_kernel& written_kernel::constant(const std::string& name, std::uint64_t address, const std::vector<std::uint8_t>& bytes) {
  launches::launch_allocation& variable = launch_.allocations.emplace_back();
  variable.base = address;
  variable.bytes = bytes.size();
  variable.name = name;
  variable.before = bytes;
  return *this;
}

written_kernel& written_kernel::cooperative() {
  launch_.is_cooperative = true;
  return *this;
}

written_kernel& written_kernel::block(std::uint32_t threads) {
  launch_.block.x = threads;
  return *this;
}

written_kernel& written_kernel::grid(std::uint32_t ctas) {
  launch_.grid.x = ctas;
  return *this;
}

written_kernel& written_kernel::shared(std::uint64_t bytes) {
  launch_.static_shared_bytes = bytes;
  return *this;
}

written_kernel& written_kernel::output_words(std::uint64_t words) {
  launch_.allocations[0].bytes = 4 * words;
  return *this;
}

written_kernel& written_kernel::input_words(const std::vector<std::uint32_t>& words) {
  std::vector<std::uint8_t> bytes(4 * words.size());
  std::memcpy(bytes.data(), words.data(), bytes.size());
  launch_.allocations[1].bytes = bytes.size();
  launch_.allocations[1].before = bytes;
  return *this;
}

written_kernel& written_kernel::limit(std::uint64_t instructions) {
  limits_.cta_instructions = instructions;
  return *this;
}

execution::execution_result written_kernel::execute() const { return execution::execute(launch_, kernel_, machine_for(kernel_), limits_); }

std::vector<std::uint32_t> written_kernel::run() const {
  const execution::execution_result result = execute();
  const auto& range = result.memory.ranges().front();
  std::vector<std::uint32_t> words(range.bytes / 4);
  std::memcpy(words.data(), range.content.data(), range.bytes);
  return words;
}

std::string written_kernel::fault() const {
  try {
    execute();
  } catch (const execution::kernel_fault& error) {
    return error.what();
  }
  return {};
}

std::vector<std::string> storing(const std::string& reg) {
  return {"S2R R252, SR_TID.X", "MOV R250, 0x10000", "MOV R251, RZ", "IMAD.WIDE.U32 R250, R252, 0x4, R250", "STG.E [R250.64], " + reg};
}

std::vector<std::string> joined(std::initializer_list<std::vector<std::string>> parts) {
  std::vector<std::string> lines;
  for (const auto& part : parts) lines.insert(lines.end(), part.begin(), part.end());
  return lines;
}

}  // namespace tc::test
