// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace tc::listings::test {

/// Instructions as nvdisasm -hex writes them. A text that begins with a dot is a label. All control codes wait for nothing and stall 4
/// cycles.
inline std::string instructions_text(const std::vector<std::string>& code) {
  std::string text;
  unsigned pc = 0;
  for (const std::string& line : code) {
    if (line[0] == '.') {
      text += line + ":\n";
      continue;
    }
    text += fmt::format("        /*{:04x}*/  {} ;   /* 0x0000000000000000 */\n        /* 0x000fe800000000ff */\n", pc, line);
    pc += 16;
  }
  return text;
}

/// A listing of one kernel of these instructions.
inline std::string sass_text(const std::string& target, const std::vector<std::string>& code) {
  return fmt::format("\t.target\t{}\n\t.section\t.text.kernel,\"ax\",@progbits\n\t.sectioninfo\t@\"SHI_REGISTERS=40\"\n", target) +
         instructions_text(code);
}

/// Writes it into a folder.
inline std::filesystem::path write_text(const std::filesystem::path& folder, const std::string& text) {
  const auto path = folder / "kernel.sass";
  std::ofstream(path) << text;
  return path;
}

}  // namespace tc::listings::test
