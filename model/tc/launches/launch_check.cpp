// SPDX-License-Identifier: Apache-2.0
#include "launch_check.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <tc/isa/architecture.hpp>

namespace tc::launches {

namespace {

class launch_checker {
 public:
  launch_checker(const launch& launch, const listings::sass_kernel& kernel, const code_records& records)
      : launch_(launch), kernel_(kernel), records_(records) {}

  std::vector<std::string> check() {
    check_registers();
    check_shared();
    check_block();
    check_parameters();
    check_variables();
    return std::move(messages_);
  }

 private:
  void add(const launch_place& place, const std::string& message) {
    messages_.push_back(fmt::format("{}:{}:{}: {}", launch_.file, place.line, place.column, message));
  }

  void check_registers() {
    const auto registers = records_.registers ? records_.registers : kernel_.registers;
    if (!registers || launch_.registers == 0) return;
    const unsigned most = std::max(*registers, kernel_.registers_with_functions().value_or(0));  // a linker may have looked at functions
    if (launch_.registers < *registers || launch_.registers > most)
      add(launch_.registers_place, fmt::format("{} registers; the code has {}", launch_.registers, *registers));
  }

  void check_shared() {
    if (!kernel_.shared_bytes) return;
    const std::uint64_t reserved = isa::info(kernel_.arch).reserved_shared_bytes;
    const std::uint64_t own = *kernel_.shared_bytes - std::min(reserved, *kernel_.shared_bytes);
    if (own != launch_.static_shared_bytes)
      add(launch_.shared_place, fmt::format("{} static bytes of shared memory; the code has {}", launch_.static_shared_bytes, own));
  }

  void check_block() {
    if (records_.most_threads && launch_.block.count() > *records_.most_threads)
      add(launch_.kernel_place,
          fmt::format("blocks of {} threads; the code is for at most {}", launch_.block.count(), *records_.most_threads));
    check_extents("blocks", launch_.block, records_.block);
    check_extents("clusters", launch_.cluster, records_.cluster);
  }

  void check_extents(const char* what, const trace::dim3& given, const std::optional<trace::dim3>& own) {
    if (own && (given.x != own->x || given.y != own->y || given.z != own->z))
      add(launch_.kernel_place,
          fmt::format("{} of {} x {} x {}; the code is for {} x {} x {}", what, given.x, given.y, given.z, own->x, own->y, own->z));
  }

  void check_parameters() {
    for (const launch_parameter& given : launch_.parameters) {
      const auto is_same = [&](const code_records::parameter& own) { return own.offset == given.offset; };
      const auto found = std::find_if(records_.parameters.begin(), records_.parameters.end(), is_same);
      if (records_.parameters.empty()) return;
      if (found == records_.parameters.end()) {
        add(given.place, fmt::format("the code has no parameter at offset {}", given.offset));
      } else if (found->bytes != given.bytes.size()) {
        add(given.place,
            fmt::format("parameter {} has {} bytes here; in the code it has {}", found->ordinal, given.bytes.size(), found->bytes));
      }
    }
    for (const code_records::parameter& own : records_.parameters) {
      const auto is_same = [&](const launch_parameter& given) { return own.offset == given.offset; };
      if (std::none_of(launch_.parameters.begin(), launch_.parameters.end(), is_same))
        add(launch_.kernel_place, fmt::format("parameter {} of the code, {} bytes at offset {}, is missing: 'param {} {} HEX'", own.ordinal,
                                              own.bytes, own.offset, own.offset, own.bytes));
    }
  }

  /// A listing of cuobjdump has no variables at all.
  void check_variables() {
    if (kernel_.variables.empty() && kernel_.constant_variables.empty()) return;
    for (const launch_allocation& given : launch_.allocations) {
      if (given.name.empty() || kernel_.constant_variables.count(given.name) != 0) continue;
      const auto is_same = [&](const listings::listed_variable& own) { return own.name == given.name; };
      const auto found = std::find_if(kernel_.variables.begin(), kernel_.variables.end(), is_same);
      if (found == kernel_.variables.end())
        add(given.place, fmt::format("the code has no variable {}", given.name));
      else if (found->bytes != given.bytes)
        add(given.place, fmt::format("the variable {} has {} bytes here; in the code it has {}", given.name, given.bytes, found->bytes));
    }
  }

  const launch& launch_;
  const listings::sass_kernel& kernel_;
  const code_records& records_;
  std::vector<std::string> messages_;
};

}  // namespace

std::vector<std::string> differences(const launch& launch, const listings::sass_kernel& kernel, const code_records& records) {
  return launch_checker(launch, kernel, records).check();
}

}  // namespace tc::launches
