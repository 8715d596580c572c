// SPDX-License-Identifier: Apache-2.0
#include "kernel_list.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tc/isa/architecture.hpp>
#include <tc/launches/launch_code.hpp>

#include "text_table.hpp"
#include "wording.hpp"

namespace tcsim {

namespace {

/// "copy(unsigned char const*, short*)" of a C++ name; any other name as it is.
std::string plain_name(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> plain(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && plain ? plain.get() : name;
}

/// What stands between the last parentheses, at its commas but for those within brackets.
std::vector<std::string> types_in(const std::string& plain) {
  std::vector<std::string> types;
  if (plain.empty() || plain.back() != ')') return types;
  int depth = 0;
  std::size_t begin = plain.size();
  while (begin > 0) {
    const char at = plain[--begin];
    if (at == ')') ++depth;
    if (at == '(' && --depth == 0) break;
  }
  std::string type;
  for (const char at : plain.substr(begin + 1, plain.size() - begin - 2)) {
    depth += at == '<' || at == '(' ? 1 : at == '>' || at == ')' ? -1 : 0;
    if (at == ',' && depth == 0) {
      types.push_back(std::move(type));
      type.clear();
    } else if (at != ' ' || !type.empty()) {
      type += at;
    }
  }
  if (!type.empty()) types.push_back(std::move(type));
  return types;
}

void add_kernel(text_table& table, const tc::launches::launch_code& code) {
  const std::string plain = plain_name(code.kernel.name);
  const std::vector<std::string> types = types_in(plain);
  const auto& records = code.records;
  const std::uint64_t reserved = tc::isa::info(code.kernel.arch).reserved_shared_bytes,
                      shared = code.kernel.shared_bytes.value_or(reserved);
  table.add({"kernel", code.kernel.name});
  if (plain != code.kernel.name) table.add({"", plain});
  table.add({"per CTA", fmt::format("{} registers a thread, {} bytes of static shared memory{}", records.registers.value_or(0),
                                    shared - std::min(shared, reserved),
                                    records.most_threads ? fmt::format(", at most {} threads", *records.most_threads) : "")});
  for (std::size_t i = 0; i < records.parameters.size(); ++i) {
    const auto& each = records.parameters[i];
    table.add({fmt::format("parameter {}", each.ordinal), fmt::format("{} at {}{}", counted(each.bytes, "byte"), each.offset,
                                                                      types.size() == records.parameters.size() ? ": " + types[i] : "")});
  }
}

}  // namespace

std::string kernel_list(const std::string& cubin) {
  using align = text_table::align;
  text_table table({align::left, align::left});
  std::string target;
  for (const std::string& name : tc::launches::kernels_of_cubin(cubin)) {
    const tc::launches::launch_code code = tc::launches::read_launch_code(cubin, name);
    target = code.kernel.target;
    add_kernel(table, code);
  }
  return fmt::format("{}: a cubin{}\n{}", cubin, target.empty() ? " without kernels" : " for " + target, table.text(2));
}

}  // namespace tcsim
