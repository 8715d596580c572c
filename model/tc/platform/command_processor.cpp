// SPDX-License-Identifier: Apache-2.0
#include "command_processor.hpp"

#include <utility>

#include <fmt/format.h>

#include <tc/device/run_error.hpp>
#include <tc/fabric/reports.hpp>
#include <tc/links/edge_stage.hpp>
#include <tc/platform/device_reports.hpp>

namespace tc::platform {
namespace {

/// From the edge in which a kernel is submitted to the first cycle in which one of its warps may issue.
constexpr fabric::cycle_t cycles_until_start = 2;

/// For people; software has a status.
void warn(const char* type, const std::string& text) {
  sc_core::sc_report_handler::report(sc_core::SC_WARNING, type, text.c_str(), __FILE__, __LINE__);
}

}  // namespace

command_processor::command_processor(const sc_core::sc_module_name& module_name, const params& parameters, device::gpu& gpu,
                                     register_file& registers, callbacks given)
    : sc_module(module_name),
      gpu_(gpu),
      registers_(registers),
      callbacks_(std::move(given)),
      clock_(gpu.clock()),
      id_(links::add_unit(clock_, *this, links::edge_stage::platform)),
      transfers_("transfers", parameters.outstanding, clock_),
      reader_(parameters.reader, registers, transfers_, gpu.machine(), [this] { look(); }) {
  if (parameters.reader.commands_ahead == 0 || parameters.outstanding == 0)
    fabric::error(report::device_parameters, name(),
                  fmt::format("commands_ahead is {} and outstanding is {}: both must be 1 or more, or no command is ever read",
                              parameters.reader.commands_ahead, parameters.outstanding));
  gpu_.on_kernel_end([this](const accounting::ended_kernel& kernel) { kernel_ended(kernel); });
  gpu_.on_idle([this] { look(); });
  transfers_.on_dropped([this] { look(); });
}

command_processor::~command_processor() = default;

/// In an edge behind the moment, whoever runs first when they fall together.
void command_processor::look() { clock_.wake(id_, clock_.edge_at(sc_core::sc_get_time_resolution())); }

void command_processor::tell_idle_again() {
  was_idle_ = false;
  look();
}

void command_processor::evaluate(fabric::cycle_t cycle) {
  if (registers_.resetting()) drain();
  if (!registers_.resetting()) {
    check_ring();
    if (registers_.enabled()) reader_.read_ahead(stage_ != stage::none ? 1 : 0);
    if (ended_) end_kernel();
    begin(cycle);
    keep_time_limit(cycle);
  }
  tell_idle();
}

/// They have changed in this edge. The interrupt follows, and whoever waits for the device to be idle sees it first.
void command_processor::change_registers() {
  callbacks_.changed();
  shown_ = clock_.cycle() + 1;
  look();
}

void command_processor::check_ring() {
  if (!registers_.ring_mistake().empty()) fail_queue(std::string(registers_.ring_mistake()));
}

/// What runs ends.
void command_processor::fail_queue(const std::string& text) {
  registers_.fail_queue();
  change_registers();
  warn(report::device_queue, fmt::format("{}: {}; no command begins until a reset", name(), text));
}

void command_processor::begin(fabric::cycle_t cycle) {
  if (stage_ != stage::none || !reader_.has_next() || !registers_.enabled()) return;
  current_ = reader_.take_next();
  if (!current_.is_readable)
    return fail_queue(fmt::format("memory answers the read of the descriptor at {:#x} with an error", registers_.descriptor_address(0)));
  result_ = {{current_.descriptor.identifier()}, current_.descriptor.opcode(), current_.kernel.name, {}};
  if (current_.status != command_status::done || current_.kernel.trace == nullptr) {
    end(current_.status, current_.text);
  } else {
    submit(cycle);
  }
}

void command_processor::submit(fabric::cycle_t cycle) {
  const bool has_images = current_.descriptor.has(command_flag::write_images);
  try {
    kernel_ = gpu_.submit(current_.kernel.trace, current_.kernel.name, has_images ? device::image_use::written : device::image_use::none);
  } catch (const device::run_error& error) {
    const bool is_trace = current_.descriptor.opcode() == command_opcode::run_trace;
    return end(is_trace ? command_status::trace_refused : command_status::unsupported, error.what());
  }
  stage_ = stage::running;
  registers_.set_running(true);
  is_late_ = false;
  deadline_.reset();
  const fabric::cycle_t start = cycle + cycles_until_start + 1, last = clock_.cycle_of(sc_core::sc_max_time());
  if (registers_.time_limit() != 0 && registers_.time_limit() <= last - start) deadline_ = start + registers_.time_limit();
}

void command_processor::keep_time_limit(fabric::cycle_t cycle) {
  if (stage_ != stage::running || !deadline_ || ended_) return;
  if (cycle < *deadline_) return clock_.wake(id_, *deadline_);
  deadline_.reset();
  is_late_ = true;
  gpu_.abandon();
}

/// Called in the midst of the GPU's edge, also for kernels that the program has submitted itself.
void command_processor::kernel_ended(const accounting::ended_kernel& kernel) {
  if (registers_.resetting() || stage_ != stage::running || kernel.number != kernel_) return;
  ended_ = kernel;
  look();
}

void command_processor::end_kernel() {
  const accounting::ended_kernel kernel = *std::exchange(ended_, std::nullopt);
  registers_.set_running(false);
  const accounting::kernel_result& result = kernel.result.kernels.at(0);
  result_.record.cycles = result.cycles();
  result_.record.instructions = result.instructions;
  switch (kernel.outcome) {
    case accounting::kernel_outcome::finished:
      result_.record.mismatches = kernel.result.mismatches();
      if (result_.record.mismatches != 0)
        return end(command_status::mismatch, fmt::format("{} bytes are not what the trace expects", result_.record.mismatches));
      if (const auto& addresses = result.addresses; addresses.different != 0)
        return end(command_status::mismatch, fmt::format("{} of {} compared addresses are not what the registers make: {}",
                                                         addresses.different, addresses.compared, kernel.result.address_errors().front()));
      return end(command_status::done, {});
    case accounting::kernel_outcome::fault:
      return end(command_status::fault, kernel.fault_text);
    case accounting::kernel_outcome::abandoned:
      if (is_late_)
        return end(command_status::timeout, fmt::format("{} was given up after {} cycles", current_.kernel.name, registers_.time_limit()));
      return end(command_status::abandoned, fmt::format("{} was given up", current_.kernel.name));
  }
}

/// Of the current command all but the completion record is done.
void command_processor::end(command_status status, const std::string& text) {
  stage_ = stage::recording;
  result_.record.status = status;
  result_.text = text;
  const std::uint64_t address = current_.descriptor.wide(layout::completion);
  if (address == 0 || address % layout::completion_bytes != 0) return recorded(true);
  record_ = result_.record.bytes();
  transfers_.write(address, record_.data(), record_.size(), [this](bool ok) { recorded(ok); });
}

void command_processor::recorded(bool ok) {
  if (!ok) {
    result_.record.status = command_status::fault;
    result_.text += fmt::format("{}memory answers the write of the completion record at {:#x} with an error",
                                result_.text.empty() ? "" : "; ", current_.descriptor.wide(layout::completion));
  }
  stage_ = stage::none;
  registers_.end_command(result_.record.identifier, result_.record.status, current_.descriptor.has(command_flag::interrupt_when_done));
  current_ = {};
  change_registers();
  if (!result_.text.empty())
    warn(report::device_command, fmt::format("{}: command {}: {}", name(), result_.record.identifier, result_.text));
  callbacks_.done(result_);
}

void command_processor::reset() {
  reader_.drop();
  transfers_.drop();
  stage_ = stage::none;
  current_ = {};
  ended_.reset();
  deadline_.reset();
  must_abandon_ = true;
  look();
}

/// Ends a reset when everything that was on its way is answered.
void command_processor::drain() {
  if (std::exchange(must_abandon_, false) && !gpu_.idle()) gpu_.abandon();
  if (!gpu_.idle() || !transfers_.idle()) return;  // they wake
  if (!callbacks_.is_bus_idle()) return look();
  gpu_.reset();
  registers_.end_reset();
  change_registers();
}

bool command_processor::has_work() const {
  const bool reads = registers_.enabled() && registers_.queued() != 0;
  return reads || !registers_.ring_mistake().empty() || stage_ != stage::none || registers_.resetting() || !transfers_.idle() ||
         !gpu_.idle();
}

bool command_processor::idle() const { return !has_work() && callbacks_.is_bus_idle(); }

void command_processor::tell_idle() {
  const bool is_idle = idle() && clock_.cycle() >= shown_;
  if (!has_work() && !is_idle) look();  // answers are still on their way over the bus, or the interrupt to who listens
  const bool tells = is_idle && !was_idle_;
  was_idle_ = is_idle;
  if (tells) callbacks_.idle();
}

}  // namespace tc::platform
