// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/recorder.hpp>
#include <tc/links/link_binder.hpp>
#include <tc/recording/issue_recorder.hpp>
#include <tc/recording/load_store_recorder.hpp>
#include <tc/recording/operand_recorder.hpp>
#include <tc/recording/recording_tap.hpp>
#include <tc/recording/stage_recorder.hpp>
#include <tc/recording/tensor_memory_recorder.hpp>
#include <tc/recording/tensor_recorder.hpp>
#include <tc/recording/write_back_recorder.hpp>

namespace tc::recording {

/// Makes records of all that happens in the machine that is bound through it: listens to its schedulers, operand fetches and load-store
/// units, and to what passes over its links. Another binder binds them, up to a tap at the target's end: what somebody else's unit, put in
/// by the other binder, sends and receives is not seen.
class recording_binder final : public links::link_binder {
 public:
  /// All three outlive the machine.
  recording_binder(links::link_binder& inner, fabric::recorder& records, const fabric::clock_domain& clock);
  ~recording_binder() override;

  void bind(const char* link, links::link_initiator<memory_protocol>& from, links::link_target<memory_protocol>& to) override;
  void bind(const char* link, links::link_initiator<links::instruction_protocol>& from,
            links::link_target<links::instruction_protocol>& to) override;
  void bind(const char* link, links::link_initiator<links::bank_protocol>& from, links::link_target<links::bank_protocol>& to) override;
  void bind(const char* link, links::link_initiator<links::shared_memory_protocol>& from,
            links::link_target<links::shared_memory_protocol>& to) override;
  void bind(const char* link, links::link_initiator<links::b_tile_protocol>& from, links::link_target<links::b_tile_protocol>& to) override;
  void bind(const char* link, links::link_initiator<links::fragment_protocol>& from,
            links::link_target<links::fragment_protocol>& to) override;
  void bind(const char* link, links::link_initiator<links::dot_product_protocol>& from,
            links::link_target<links::dot_product_protocol>& to) override;
  void bind(const char* link, links::link_initiator<links::warpgroup_request_protocol>& from,
            links::link_target<links::warpgroup_request_protocol>& to) override;
  void bind(const char* link, links::link_initiator<links::warpgroup_operands_protocol>& from,
            links::link_target<links::warpgroup_operands_protocol>& to) override;
  void bind(const char* link, links::link_initiator<links::barrier_protocol>& from,
            links::link_target<links::barrier_protocol>& to) override;
  void bind(const char* link, links::link_initiator<links::bulk_copy_protocol>& from,
            links::link_target<links::bulk_copy_protocol>& to) override;
  void bind(const char* link, links::link_initiator<links::tensor_request_protocol>& from,
            links::link_target<links::tensor_request_protocol>& to) override;
  void bind(const char* link, links::link_initiator<links::allocation_protocol>& from,
            links::link_target<links::allocation_protocol>& to) override;

  links::link_target<memory_protocol>* foreign_shared_memory(const std::string& initiator) override {
    return inner_.foreign_shared_memory(initiator);
  }
  links::issue_observer* observer_of_issue(const std::string& scheduler, unsigned warp_slots) override;
  links::operand_observer* observer_of_operands(const std::string& operand_fetch) override;
  links::load_store_observer* observer_of_load_store(const std::string& load_store) override;

 private:
  /// Where a bank of the register file has its records.
  struct bank_place {
    operand_recorder* operands;
    unsigned bank;
  };
  /// Recorders by the path of what they record.
  template <class Recorder>
  using by_path = std::map<std::string, std::unique_ptr<Recorder>>;

  template <class Protocol>
  void tap(const char* link, links::link_initiator<Protocol>& from, links::link_target<Protocol>& to,
           typename recording_tap<Protocol>::listener forth, typename recording_tap<Protocol>::listener back = {});
  void tap_memory(const char* link, links::link_initiator<memory_protocol>& from, links::link_target<memory_protocol>& to);
  void tap_dispatch(links::link_initiator<links::instruction_protocol>& from, links::link_target<links::instruction_protocol>& to);
  tensor_memory_recorder& tensor_memory_of(const std::string& path);
  instruction_stage& stage_at(by_path<instruction_stage>& stages, const std::string& path, const fabric::record_type& type);
  /// A recorder that lives as long as this, of what its arguments say.
  template <class Recorder, class... Arguments>
  Recorder& keep(Arguments&&... arguments);

  links::link_binder& inner_;
  fabric::recorder& records_;
  const fabric::clock_domain& clock_;
  std::vector<std::unique_ptr<sc_core::sc_module>> taps_;
  std::vector<std::shared_ptr<void>> kept_;
  std::map<std::string, operand_recorder*> operands_;  // by path of the operand fetch
  std::map<std::string, bank_place> banks_;
  by_path<instruction_stage> executions_, queues_;
  by_path<tensor_recorder> tensors_;
  by_path<write_back_recorder> write_backs_;
  by_path<tensor_memory_recorder> tensor_memories_;
};

}  // namespace tc::recording
