// SPDX-License-Identifier: Apache-2.0
#include "command_reader.hpp"

#include <memory>
#include <sstream>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include <tc/packed/packed_file.hpp>
#include <tc/platform/command_descriptor.hpp>

namespace tc::platform {
namespace {

/// The platform's memory gets true bytes, and its software has no files of the host.
void check_content(const trace::kernel_header& header) {
  if (!header.has_data) throw command_error(command_status::trace_refused, "the trace has no data: it is good for timing alone");
  const auto check = [](const trace::memory_content& content, const std::string& what) {
    if (content.file_path() != nullptr)
      throw command_error(command_status::trace_refused, fmt::format("{} is in a file; a trace in memory holds its images itself", what));
  };
  const auto check_all = [&check](const auto& images) {
    for (const trace::memory_image& image : images) check(image.content, fmt::format("the image at {:#x}", image.base));
  };
  check_all(header.memory);
  check_all(header.shared_memory);
  check_all(header.expectations);
  for (const trace::constant_image& image : header.constants)
    check(image.content, fmt::format("the image at {:#x} of constant bank {}", image.offset, image.bank));
}

command_kernel kernel_of(const std::string& content, std::uint64_t address, const trace::size_limits& limits) {
  trace::open_options options;
  options.limits = limits;
  std::istringstream in(content);
  command_kernel kernel{nullptr, fmt::format("trace at {:#x}", address)};
  kernel.trace = std::make_shared<const trace::trace>(trace::trace::read(in, kernel.name, options));
  // While the kernel runs, nobody is there to be told what is wrong with a packed trace.
  if (packed::packed_file::begins_with(static_cast<unsigned char>(content.front()))) kernel.trace->verify();
  check_content(kernel.trace->header());
  return kernel;
}

}  // namespace

command_reader::command_reader(const params& parameters, const register_file& registers, memory_transfers& transfers,
                               const config::machine& machine, std::function<void()> read)
    : params_(parameters), registers_(registers), transfers_(transfers), read_(std::move(read)), kernels_(machine, parameters.kernels) {}

void command_reader::read_ahead(std::uint32_t begun) {
  const auto known = static_cast<std::uint32_t>(ready_.size()) + begun;
  if (is_reading_ || ready_.size() >= params_.commands_ahead || known >= registers_.queued()) return;
  if (has_next() && !ready_.back().is_readable) return;
  is_reading_ = true;
  transfers_.read(registers_.descriptor_address(known), descriptor_.data(), descriptor_.size(), [this](bool ok) { descriptor_read(ok); });
}

void command_reader::descriptor_read(bool ok) {
  is_reading_ = false;
  queued_command command{command_descriptor(descriptor_)};
  command.is_readable = ok;
  if (!ok) return add(command, [] { return command_kernel{}; });
  const command_descriptor& descriptor = command.descriptor;
  if (descriptor.opcode() == command_opcode::run_trace) return read_trace(command);
  add(command, [&] {
    descriptor.check();
    return descriptor.opcode() == command_opcode::no_operation ? command_kernel{} : kernels_.get(descriptor);
  });
}

void command_reader::read_trace(const queued_command& command) {
  const std::uint64_t bytes = command.descriptor.wide(layout::trace_bytes);
  try {
    command.descriptor.check();
    if (bytes == 0 || bytes > params_.largest_trace_bytes)
      throw command_error(command_status::bad_descriptor,
                          fmt::format("a trace of {} bytes; from 1 to {} are possible", bytes, params_.largest_trace_bytes));
  } catch (const command_error& error) {
    return add(command, [&]() -> command_kernel { throw error; });
  }
  is_reading_ = true;
  traced_ = command;
  content_.resize(bytes);
  transfers_.read(command.descriptor.wide(layout::trace_address), reinterpret_cast<std::uint8_t*>(content_.data()), bytes,
                  [this](bool ok) { trace_read(ok); });
}

void command_reader::trace_read(bool ok) {
  is_reading_ = false;
  const std::uint64_t address = traced_.descriptor.wide(layout::trace_address);
  add(traced_, [&] {
    if (!ok)
      throw command_error(command_status::unreadable_memory,
                          fmt::format("memory answers a read of the trace, {} bytes at {:#x}, with an error", content_.size(), address));
    return kernel_of(content_, address, params_.traces);
  });
}

/// What is wrong with a command is told when its turn comes.
template <class Make>
void command_reader::add(queued_command command, Make make_kernel) {
  try {
    command.kernel = make_kernel();
  } catch (const command_error& error) {
    command.status = error.status();
    command.text = error.what();
  } catch (const std::runtime_error& error) {  // in the trace, or with the file where it is kept
    command.status = command_status::trace_refused;
    command.text = error.what();
  }
  ready_.push_back(std::move(command));
  read_();
}

queued_command command_reader::take_next() {
  queued_command next = std::move(ready_.front());
  ready_.pop_front();
  return next;
}

void command_reader::drop() {
  is_reading_ = false;
  ready_.clear();
}

}  // namespace tc::platform
