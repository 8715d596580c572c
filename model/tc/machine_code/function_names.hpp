// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include <tc/machine_code/cubin.hpp>
#include <tc/machine_code/decoder.hpp>

namespace tc::machine_code {

/// The names of one function: labels of its branch targets, functions in it, and what its relocations say.
class function_names : public name_source {
 public:
  /// `function` must outlive the names. `label_count` counts the labels of a module, whose numbers differ.
  function_names(const code_function& function, const decoder& decoder, std::size_t& label_count);

  std::string target(std::uint64_t address) const override;
  std::string immediate(std::uint64_t pc) const override;

  /// By offset.
  const std::map<std::uint64_t, std::string>& labels() const { return labels_; }
  const std::map<std::uint64_t, std::string>& functions() const { return names_; }

 private:
  std::string relocated(const code_relocation& relocation) const;

  std::string own_name_;
  std::map<std::uint64_t, std::string> labels_, names_;
  std::multimap<std::uint64_t, const code_relocation*> relocations_;
};

}  // namespace tc::machine_code
