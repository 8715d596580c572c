// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <systemc>

#include <tc/accounting/run_result.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/links/cycle_account.hpp>
#include <tc/links/run_observer.hpp>

namespace tc::accounting {

/// Keeps what happens in a run. Takes memory for each clock read, each warp, and each instruction of the code that is reported, but none
/// for the length of the trace.
class run_recorder final : public links::run_observer {
 public:
  explicit run_recorder(const fabric::clock_domain& clock) : clock_(clock) {}

  void clock_read(const links::warp_instruction& reader, cycle_t cycle) override;
  void undefined_value(const links::warp_instruction& consumer, const links::value_origin& origin) override;
  void addresses_compared(const links::warp_instruction& accessor, const links::address_evidence& evidence) override;
  void register_hazard(const warp::warp_context& warp, const warp::warp_step& consumer, const links::early_read& read) override;
  void ordering_hazard(const links::warp_instruction& instruction, const std::string& what) override;
  void ordering_hazard(const links::asynchronous_origin& instruction, const std::string& what) override;
  void unordered_read(const links::asynchronous_origin& reader, fabric::proxy_hazard hazard, std::uint64_t address) override;
  void undefined_read(const links::asynchronous_origin& reader, std::uint64_t address) override;

  /// A warp has exited and drained; this is where its cycles went.
  void warp_finished(const warp::warp_context& warp, const links::warp_accounting& accounting);

  /// Adds the records to a result, sorted. Kernels that the result has get the counts of theirs.
  void report(run_result& result) const;
  /// How many addresses were compared since the last call of take() or clear().
  address_counts addresses() const;
  /// Adds those of the only kernel there was since the last call to its own result, where its number is 0, and forgets them.
  void take(run_result& result);
  /// Forgets the records.
  void clear();

 private:
  /// The instruction of the code that reports are about, and the register if that tells them apart.
  using key = std::pair<const isa::instruction*, unsigned>;

  /// Of a report that is new or, in the cycle in which it became one, of a warp before that of the report so far: who first occurs in a
  /// cycle does not depend on the order in which units run.
  template <class Report>
  bool is_first(const Report& report, bool is_new, const warp::warp_context& warp) const;

  address_counts& counts_of(std::uint32_t kernel);

  const fabric::clock_domain& clock_;
  std::vector<std::pair<std::uint32_t, address_counts>> addresses_;  // by kernel, in the order in which they began
  std::vector<wrong_address_report> wrong_addresses_;
  std::map<const isa::instruction*, std::size_t> wrong_address_of_;
  std::vector<accounting::clock_read> clock_reads_;
  std::vector<warp_result> warps_;
  stall_cycles stalls_{};
  std::vector<undefined_value_report> undefined_values_;
  std::map<key, std::size_t> undefined_value_of_;
  std::vector<hazard_report> hazards_;
  std::map<key, std::size_t> hazard_of_;
  std::vector<ordering_report> ordering_hazards_;
  std::map<std::pair<const isa::instruction*, std::string>, std::size_t> ordering_hazard_of_;
};

}  // namespace tc::accounting
