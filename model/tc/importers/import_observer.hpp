// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <exception>
#include <iosfwd>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <tc/execution/execution_observer.hpp>
#include <tc/execution/program.hpp>
#include <tc/execution/trace_recorder.hpp>
#include <tc/execution/undefined_values.hpp>
#include <tc/execution/warp_state.hpp>
#include <tc/importers/import_report.hpp>
#include <tc/importers/kernel_launch.hpp>
#include <tc/listings/sass_listing.hpp>

namespace tc::importers {

/// A warp has come to an instruction that has no form in a trace.
class no_form_in_trace : public std::exception {
 public:
  const char* what() const noexcept override { return "a warp has come to an instruction that has no form in a trace"; }
};

/// Whether an instruction has a form in a trace: its own, or one of PTX.
bool has_form_in_trace(const execution::program& code, const execution::operation& op);

/// Records the execution of a kernel as a trace, as far as it follows from what the launch gives. Masks, addresses and barriers that do not
/// are noted in the report; an execution cannot go on where its way does not.
class import_observer final : public execution::execution_observer {
 public:
  /// All must outlive the observer.
  import_observer(const listings::sass_kernel& kernel, const kernel_launch& launch, import_report& report, std::ostream& trace);

  execution::undefined_values& values() { return values_; }

  /// Throws execution::kernel_fault, trace::trace_error and no_form_in_trace.
  std::uint32_t executes(const execution::warp_state& warp, const execution::operation& op, std::uint32_t mask) override;
  void ended(std::uint64_t cta) override;

 private:
  using warp_state = execution::warp_state;
  using operation = execution::operation;

  void count(const warp_state& warp, const operation& op);
  void check_way(const warp_state& warp, const operation& op);
  bool knows_descriptors(const warp_state& warp, const operation& op);
  bool knows_barrier(const warp_state& warp, const operation& op, std::uint32_t mask);
  bool find_addresses(const warp_state& warp, const operation& op, std::uint32_t mask, trace::address_list& addresses);
  void take_addresses(const warp_state& warp, const operation& op, const std::string& given, trace::address_list& addresses,
                      std::uint32_t lanes) const;
  bool compute_addresses(const warp_state& warp, const operation& op, std::uint32_t lanes, trace::address_list& addresses);

  std::string unknown_register(const warp_state& warp, const isa::memory_reference& memory, std::uint32_t lanes);
  /// Notes what is unknown in the report, and as the cause of what comes of it.
  void note(const warp_state& warp, const operation& op, const std::string& what, const std::string& reg,
            const execution::undefined_origin& origin);

  const listings::sass_kernel& kernel_;
  const kernel_launch& launch_;
  import_report& report_;
  execution::trace_recorder recorder_;
  execution::undefined_values values_;
  execution::undefined_origin cause_;
  std::set<std::uint32_t> noted_;                                 ///< numbers of instructions that are not executed
  std::map<std::uint64_t, std::vector<std::uint64_t>> executed_;  ///< instructions of each warp of the CTAs that have not ended
};

}  // namespace tc::importers
