// SPDX-License-Identifier: Apache-2.0
// Writes docs/opcodes.md from the tables that decoder, execution and machine use.
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <systemc>

#include <tc/execution/executed_opcodes.hpp>
#include <tc/isa/architecture.hpp>
#include <tc/isa/opcode.hpp>
#include <tc/machine_code/decoder.hpp>

namespace {

using tc::isa::architecture;

constexpr const char* head = R"(# Opcodes

What tcsim does with each opcode of the machine code, by architecture. The table is made of the tables that decoder, execution and machine use
(`opcode_page` in [tools](../tools/opcode_page/opcode_page.cpp)); a test fails when it is out of date.

* **r**: words are read: `tcsim code decode` gives the text that nvdisasm writes. Of sm_70 and of Blackwell, listings are read and words are not.
* **x**: it is executed: `tcsim execute` computes it with all values ([launches.md](launches.md)).
* **t**: it is timed: the machine takes it from a trace ([traces.md](traces.md)). Warpgroup products and bulk copies stand in traces as
  instructions of PTX, which are listed below.

An opcode is listed as executed if its usual forms are. Single forms that are not stop a warp that comes to them, with their name: sums of HFMA2 with .OOB, QSPC with a
register, F2FP with MERGE_C of a register, matrix products whose shape or types the machine does not have.

)";

std::string base_of(const std::string& mnemonic) { return mnemonic.substr(0, mnemonic.find('.')); }

bool is_of_ptx(std::string_view mnemonic) { return mnemonic.front() >= 'a' && mnemonic.front() <= 'z'; }

/// By mnemonic: the architectures whose words are read.
std::map<std::string, std::set<architecture>> decoded() {
  std::map<std::string, std::set<architecture>> result;
  for (const auto& row : tc::isa::all_architectures()) {
    if (!tc::machine_code::can_decode(row.arch)) continue;
    for (const tc::machine_code::form* form : tc::machine_code::decoder(row.arch).forms()) result[base_of(form->mnemonic)].insert(row.arch);
  }
  return result;
}

std::string cell(const std::string& mnemonic, architecture arch, const std::set<architecture>& read) {
  const tc::isa::opcode_info* const row = tc::isa::find_opcode(mnemonic);
  std::string text;
  if (read.count(arch) != 0) text += 'r';
  if (tc::execution::executes(mnemonic, arch)) text += 'x';
  if (row != nullptr && row->architectures.contains(arch)) text += 't';
  return text;
}

void write_row(const std::string& name, const std::string& mnemonic, const std::set<architecture>& read) {
  std::cout << "| " << name << " |";
  for (const auto& row : tc::isa::all_architectures()) std::cout << ' ' << cell(mnemonic, row.arch, read) << " |";
  std::cout << '\n';
}

void write_heading(const char* first) {
  std::cout << "| " << first << " |";
  for (const auto& row : tc::isa::all_architectures()) std::cout << ' ' << row.name << " |";
  std::cout << "\n| --- |";
  for (std::size_t i = 0; i < tc::isa::architecture_count; ++i) std::cout << " --- |";
  std::cout << '\n';
}

}  // namespace

int sc_main(int, char**) {
  std::map<std::string, std::set<architecture>> opcodes = decoded();
  std::vector<std::string> of_ptx;
  for (std::size_t i = 0; i < tc::isa::opcode_count; ++i) {
    const std::string mnemonic(tc::isa::info(static_cast<tc::isa::opcode>(i)).mnemonic);
    if (is_of_ptx(mnemonic))
      of_ptx.push_back(mnemonic);
    else
      opcodes[mnemonic];
  }
  std::cout << head;
  write_heading("opcode");
  for (const auto& [mnemonic, read] : opcodes) write_row(mnemonic, mnemonic, read);
  std::cout << "\n## Instructions of PTX in traces\n\n";
  write_heading("instruction");
  for (const std::string& mnemonic : of_ptx) write_row('`' + mnemonic + '`', mnemonic, {});
  return 0;
}
