// SPDX-License-Identifier: Apache-2.0
#include "recording_binder.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include <tc/fabric/extensions.hpp>
#include <tc/recording/record_types.hpp>
#include <tc/tmem/cell_address.hpp>

namespace tc::recording {

namespace {

using fabric::cycle_t;
using payload_type = tlm::tlm_generic_payload;
using payload_stage = stage_recorder<const payload_type*>;

/// The path of the module that has a socket.
template <class Interface>
std::string place_of(const sc_core::sc_port_b<Interface>& socket) {
  return socket.get_parent_object()->name();
}
template <class Protocol>
std::string place_of(links::link_target<Protocol>& socket) {
  return socket.get_base_export().get_parent_object()->name();
}

/// The module around a socket whose name is this and a number, and the number. What is at the other end may be anybody's, of any name.
struct numbered_module {
  std::string path;
  unsigned number = 0;
};

template <class Interface>
std::optional<numbered_module> around(const sc_core::sc_port_b<Interface>& socket, const std::string& name) {
  for (const sc_core::sc_object* object = socket.get_parent_object(); object != nullptr; object = object->get_parent_object()) {
    const std::string last = object->basename();
    if (last.compare(0, name.size(), name) == 0 && last.size() > name.size() &&
        last.find_first_not_of("0123456789", name.size()) == std::string::npos)
      return numbered_module{object->name(), static_cast<unsigned>(std::stoul(last.substr(name.size())))};
  }
  return {};
}

/// Of a request over a link of a memory; notices move no data.
void begin_transaction(payload_stage& stage, const payload_type& payload, fabric::cycle_t cycle) {
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return;
  const auto* const tag = payload.get_extension<fabric::warp_tag>();
  stage.enters(&payload, cycle,
               {std::uint64_t{payload.is_write() ? 1U : 0U}, payload.get_address(), std::uint64_t{payload.get_data_length()},
                std::uint64_t{tag == nullptr ? 0 : tag->warp}},
               tag == nullptr ? 0 : tag->record);
}

}  // namespace

recording_binder::recording_binder(links::link_binder& inner, fabric::recorder& records, const fabric::clock_domain& clock)
    : inner_(inner), records_(records), clock_(clock) {}

recording_binder::~recording_binder() = default;

template <class Protocol>
void recording_binder::tap(const char* link, links::link_initiator<Protocol>& from, links::link_target<Protocol>& to,
                           typename recording_tap<Protocol>::listener forth, typename recording_tap<Protocol>::listener back) {
  const std::string name = sc_core::sc_gen_unique_name((std::string(link) + "_recorder").c_str());
  auto between = std::make_unique<recording_tap<Protocol>>(name.c_str(), clock_, std::move(forth), std::move(back));
  inner_.bind(link, from, between->target);
  between->initiator.bind(to);
  taps_.push_back(std::move(between));
}

template <class Recorder, class... Arguments>
Recorder& recording_binder::keep(Arguments&&... arguments) {
  auto made = std::make_shared<Recorder>(std::forward<Arguments>(arguments)...);
  kept_.push_back(made);
  return *made;
}

instruction_stage& recording_binder::stage_at(by_path<instruction_stage>& stages, const std::string& path,
                                              const fabric::record_type& type) {
  auto& stage = stages[path];
  if (stage == nullptr) stage = std::make_unique<instruction_stage>(records_, path, type);
  return *stage;
}

tensor_memory_recorder& recording_binder::tensor_memory_of(const std::string& path) {
  auto& memory = tensor_memories_[path];
  if (memory == nullptr) memory = std::make_unique<tensor_memory_recorder>(records_, clock_, path);
  return *memory;
}

void recording_binder::bind(const char* link, links::link_initiator<memory_protocol>& from, links::link_target<memory_protocol>& to) {
  const std::string_view kind(link);
  if (kind == "bank_read" || kind == "bank_write" || kind == "accumulator")
    return inner_.bind(link, from, to);  // of a user's bank, whose accesses pass a link in front of its adapter
  tap_memory(link, from, to);
}

void recording_binder::bind(const char* link, links::link_initiator<links::bank_protocol>& from,
                            links::link_target<links::bank_protocol>& to) {
  using links::bank_transfer;
  const std::string_view kind(link);
  const auto sub_core = around(from, "sub_core_");
  if (!sub_core) return inner_.bind(link, from, to);
  const std::string name = from.name(), bank_path = sub_core->path + ".register_file.bank" + name.substr(name.rfind('_'));
  if (const auto operands = operands_.find(place_of(from)); kind == "bank_read" && operands != operands_.end())
    banks_[bank_path] = {operands->second, operands->second->add_bank(bank_path)};
  const auto found = banks_.find(bank_path);
  if (found == banks_.end()) return inner_.bind(link, from, to);
  operand_recorder* const operands = found->second.operands;
  const unsigned bank = found->second.bank;
  if (kind == "bank_write")
    return tap(link, from, to, [=](bank_transfer& write, const tlm::tlm_phase&, cycle_t) { operands->written(bank, write); });
  if (kind == "accumulator")
    return tap(link, from, to, [=](bank_transfer& access, const tlm::tlm_phase&, cycle_t) { operands->accumulated(bank, access); });
  tap(
      link, from, to, [=](bank_transfer& read, const tlm::tlm_phase&, cycle_t) { operands->read_arrives(bank, read); },
      [=](bank_transfer& read, const tlm::tlm_phase&, cycle_t) { operands->read_done(bank, read); });
}

/// Links of tensor memory come from a sub-core and lead to its chunk, or come from elsewhere in the SM and lead to all of it.
void recording_binder::tap_memory(const char* link, links::link_initiator<memory_protocol>& from, links::link_target<memory_protocol>& to) {
  auto& stage = keep<payload_stage>(records_, std::string(from.name()), transaction_type);
  tensor_memory_recorder* cells = nullptr;
  std::uint64_t base = 0;
  if (const auto sm = around(from, "sm_"); sm && std::string_view(link) == "tensor_memory") {
    cells = &tensor_memory_of(sm->path + ".tensor_memory");
    if (const auto sub_core = around(from, "sub_core_")) base = std::uint64_t{sub_core->number} * tmem::chunk_bytes;
  }
  const auto& initiator = keep<std::string>(from.name());
  tap<memory_protocol>(
      link, from, to,
      [cells, base, &stage, &initiator](payload_type& payload, const tlm::tlm_phase& phase, cycle_t cycle) {
        if (phase != tlm::BEGIN_REQ) return;
        begin_transaction(stage, payload, cycle);
        if (cells != nullptr) cells->arrives(initiator, base, payload, cycle);
      },
      [cells, &stage](payload_type& payload, const tlm::tlm_phase& phase, cycle_t cycle) {
        if (phase != tlm::BEGIN_RESP) return;
        stage.leaves(&payload, cycle);
        if (cells != nullptr) cells->answered(payload, cycle);
      });
}

/// An access is one record, with the first of its addresses.
void recording_binder::bind(const char* link, links::link_initiator<links::shared_memory_protocol>& from,
                            links::link_target<links::shared_memory_protocol>& to) {
  using transfer = links::shared_memory_transfer;
  auto& stage = keep<stage_recorder<const transfer*>>(records_, std::string(from.name()), transaction_type);
  tap(
      link, from, to,
      [&stage](transfer& access, const tlm::tlm_phase& phase, cycle_t) {
        if (phase != tlm::BEGIN_REQ || access.what != transfer::kind::access) return;
        stage.enters(&access, access.arrival,
                     {std::uint64_t{access.is_write ? 1U : 0U}, access.address_of(*access.runs_begin), access.counted_bytes(),
                      std::uint64_t{access.warp}},
                     access.record);
      },
      [&stage](transfer& access, const tlm::tlm_phase&, cycle_t) {
        if (access.what == transfer::kind::access) stage.leaves(&access, access.valid);
      });
}

void recording_binder::bind(const char* link, links::link_initiator<links::instruction_protocol>& from,
                            links::link_target<links::instruction_protocol>& to) {
  using links::warp_instruction;
  const std::string_view kind(link);
  if (kind == "dispatch") return tap_dispatch(from, to);
  if (kind == "issue") {
    operand_recorder* const operands = operands_[place_of(to)];
    if (operands == nullptr) return inner_.bind(link, from, to);
    return tap(link, from, to,
               [operands](warp_instruction& instruction, const tlm::tlm_phase&, cycle_t) { operands->issued(instruction); });
  }
  const std::string path = kind == "retire" ? place_of(from) : place_of(to);
  auto& write_back = write_backs_[path];
  if (write_back == nullptr) write_back = std::make_unique<write_back_recorder>(records_, clock_, path);
  write_back_recorder& results = *write_back;
  if (kind == "retire")
    return tap(link, from, to, [&results](warp_instruction& instruction, const tlm::tlm_phase&, cycle_t) { results.visible(instruction); });
  instruction_stage& execution = stage_at(executions_, place_of(from), execute_type);
  tap(link, from, to, [&results, &execution](warp_instruction& instruction, const tlm::tlm_phase&, cycle_t) {
    execution.leaves(instruction.record, instruction.result);
    results.arrives(instruction);
  });
}

void recording_binder::tap_dispatch(links::link_initiator<links::instruction_protocol>& from,
                                    links::link_target<links::instruction_protocol>& to) {
  instruction_stage& execution = stage_at(executions_, place_of(to), execute_type);
  operand_recorder* const operands = operands_[place_of(from)];
  const auto tensor = tensors_.find(place_of(to));
  tensor_recorder* const matrices = tensor == tensors_.end() ? nullptr : tensor->second.get();
  tap("dispatch", from, to, [=, &execution](links::warp_instruction& instruction, const tlm::tlm_phase& phase, cycle_t cycle) {
    if (phase != links::OPERANDS_READY) return;
    if (operands != nullptr) operands->dispatched(instruction);
    execution.enters(instruction.record, cycle, {std::uint64_t{instruction.warp->slot}}, instruction.record);
    if (matrices != nullptr) matrices->dispatched(instruction);
  });
}

/// Times of B are those of its tiles, which the fragments tell.
void recording_binder::bind(const char* link, links::link_initiator<links::b_tile_protocol>& from,
                            links::link_target<links::b_tile_protocol>& to) {
  inner_.bind(link, from, to);
}

/// The tensor cores of a unit do the same at the same time: the first one speaks for all.
void recording_binder::bind(const char* link, links::link_initiator<links::fragment_protocol>& from,
                            links::link_target<links::fragment_protocol>& to) {
  auto& tensor = tensors_[place_of(from)];
  if (tensor != nullptr) return inner_.bind(link, from, to);
  tensor = std::make_unique<tensor_recorder>(records_, clock_, place_of(from));
  tap(link, from, to,
      [&matrices = *tensor](links::fragment_transfer& fragments, const tlm::tlm_phase&, cycle_t) { matrices.filled(*fragments.work); });
}

void recording_binder::bind(const char* link, links::link_initiator<links::dot_product_protocol>& from,
                            links::link_target<links::dot_product_protocol>& to) {
  inner_.bind(link, from, to);
}

void recording_binder::bind(const char* link, links::link_initiator<links::warpgroup_request_protocol>& from,
                            links::link_target<links::warpgroup_request_protocol>& to) {
  inner_.bind(link, from, to);
}

/// Products begin when the unit is told of them, at the earliest in the next cycle.
void recording_binder::bind(const char* link, links::link_initiator<links::warpgroup_operands_protocol>& from,
                            links::link_target<links::warpgroup_operands_protocol>& to) {
  const fabric::record_stream& products = records_.add_stream(place_of(to), dot_product_type);
  tap(link, from, to, [this, &products](links::warpgroup_operands& part, const tlm::tlm_phase& phase, cycle_t cycle) {
    if (phase != tlm::BEGIN_REQ) return;
    const cycle_t first = std::max(part.products_begin, cycle + 1);
    records_.span(products, first, std::max(first, part.products_end), {}, part.instruction == nullptr ? 0 : part.instruction->record);
  });
}

void recording_binder::bind(const char* link, links::link_initiator<links::barrier_protocol>& from,
                            links::link_target<links::barrier_protocol>& to) {
  using links::barrier_transfer;
  auto& stage = keep<stage_recorder<const barrier_transfer*>>(records_, std::string(from.name()), barrier_type);
  tap(
      link, from, to,
      [&stage](barrier_transfer& request, const tlm::tlm_phase&, cycle_t cycle) {
        stage.enters(&request, cycle, {std::uint64_t{static_cast<unsigned>(request.action)}, request.address}, request.record);
      },
      [&stage](barrier_transfer& request, const tlm::tlm_phase&, cycle_t cycle) { stage.leaves(&request, cycle); });
}

/// What comes back is a copy of the request, with the same owner.
void recording_binder::bind(const char* link, links::link_initiator<links::bulk_copy_protocol>& from,
                            links::link_target<links::bulk_copy_protocol>& to) {
  using links::bulk_copy_transfer;
  auto& stage = keep<stage_recorder<const void*>>(records_, std::string(from.name()), bulk_copy_type);
  tap(
      link, from, to,
      [&stage](bulk_copy_transfer& request, const tlm::tlm_phase&, cycle_t cycle) {
        stage.enters(request.owner, cycle, {std::uint64_t{request.copy->to_shared ? 0U : 1U}}, request.record);
      },
      [&stage](bulk_copy_transfer& request, const tlm::tlm_phase& phase, cycle_t cycle) {
        if (phase == tlm::BEGIN_RESP) stage.leaves(request.owner, cycle);
      });
}

void recording_binder::bind(const char* link, links::link_initiator<links::tensor_request_protocol>& from,
                            links::link_target<links::tensor_request_protocol>& to) {
  using links::warp_instruction;
  instruction_stage& queue = stage_at(queues_, place_of(to), queued_type);
  instruction_stage& execution = stage_at(executions_, place_of(to), execute_type);
  tap(
      link, from, to,
      [&queue](warp_instruction& instruction, const tlm::tlm_phase&, cycle_t cycle) {
        queue.enters(instruction.record, cycle, {std::uint64_t{instruction.warp->slot}}, instruction.record);
      },
      [&queue, &execution](warp_instruction& instruction, const tlm::tlm_phase& phase, cycle_t cycle) {
        queue.leaves(instruction.record, cycle);
        if (phase == tlm::BEGIN_RESP) return execution.leaves(instruction.record, cycle);
        execution.enters(instruction.record, cycle, {std::uint64_t{instruction.warp->slot}}, instruction.record);
      });
}

void recording_binder::bind(const char* link, links::link_initiator<links::allocation_protocol>& from,
                            links::link_target<links::allocation_protocol>& to) {
  using links::allocation_transfer;
  auto& stage = keep<stage_recorder<const void*>>(records_, std::string(from.name()), allocation_type);
  tap(
      link, from, to,
      [&stage](allocation_transfer& request, const tlm::tlm_phase&, cycle_t cycle) {
        stage.enters(request.owner, cycle, {}, request.record);
      },
      [&stage](allocation_transfer& request, const tlm::tlm_phase&, cycle_t cycle) { stage.leaves(request.owner, cycle); });
}

links::issue_observer* recording_binder::observer_of_issue(const std::string& scheduler, unsigned warp_slots) {
  return &keep<issue_recorder>(records_, scheduler, warp_slots);
}

links::operand_observer* recording_binder::observer_of_operands(const std::string& operand_fetch) {
  return operands_[operand_fetch] = &keep<operand_recorder>(records_, clock_, operand_fetch);
}

links::load_store_observer* recording_binder::observer_of_load_store(const std::string& load_store) {
  return &keep<load_store_recorder>(records_, load_store);
}

}  // namespace tc::recording
