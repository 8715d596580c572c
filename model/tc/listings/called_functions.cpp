// SPDX-License-Identifier: Apache-2.0
#include "called_functions.hpp"

#include <iterator>
#include <map>
#include <string>
#include <utility>

#include <tc/listings/symbol_expression.hpp>
#include <tc/trace/step.hpp>

namespace tc::listings {
namespace {

/// Adds functions to a kernel as long as it names some.
class function_loader {
 public:
  function_loader(sass_kernel& kernel, std::vector<sass_kernel> functions) : kernel_(kernel) {
    for (sass_kernel& each : functions) {
      const std::string name = each.name;
      functions_.emplace(name, std::move(each));
    }
  }

  void load() {
    for (const listed_reference& each : kernel_.references) load_all(symbols_in_data(each.symbol.text));
    for (const listed_variable& variable : kernel_.variables)
      for (const listed_symbol& each : variable.references) load_all(symbols_in_data(each.text));
    std::size_t next = 0;
    while (next < kernel_.code.size()) {  // more come behind
      const std::string text = kernel_.code[next++].text;
      load_all(symbols_in_code(text));
    }
  }

 private:
  void load_all(const std::vector<std::string_view>& names) {
    if (functions_.empty()) return;
    for (const std::string_view name : names)
      if (const auto found = functions_.find(name); found != functions_.end()) {
        add(found->second);
        functions_.erase(found);
      }
  }

  void add(sass_kernel& function) {
    const auto begin = static_cast<std::uint32_t>(kernel_.code.size() * trace::instruction_bytes);
    for (listed_instruction& each : function.code) each.pc += begin;
    std::move(function.code.begin(), function.code.end(), std::back_inserter(kernel_.code));
    for (const auto& [label, pc] : function.labels) kernel_.labels.emplace(label, begin + pc);
    kernel_.labels[function.name] = begin;
    kernel_.functions.push_back({function.name, begin, function.registers});
  }

  sass_kernel& kernel_;
  std::map<std::string, sass_kernel, std::less<>> functions_;  ///< those that are not loaded, by name
};

}  // namespace

void add_called_functions(sass_kernel& kernel, std::vector<sass_kernel> functions) { function_loader(kernel, std::move(functions)).load(); }

}  // namespace tc::listings
