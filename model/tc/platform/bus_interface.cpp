// SPDX-License-Identifier: Apache-2.0
#include "bus_interface.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <tc/fabric/reports.hpp>

namespace tc::platform {

namespace {

/// What is wrong; empty if nothing is.
std::string mistake_in(const bus_parameters& parameters) {
  if (parameters.sockets == 0) return "sockets is 0; there must be one at least";
  if (parameters.outstanding == 0U) return "outstanding is 0; a socket must have one transaction on its way at least";
  if (parameters.burst_bytes == 0) return "burst_bytes is 0; a transaction has one byte at least";
  if (parameters.interleave_bytes == 0 || parameters.interleave_bytes % parameters.burst_bytes != 0)
    return fmt::format("interleave_bytes is {}; it must be a multiple of burst_bytes, which is {}, so that a burst goes to one socket",
                       parameters.interleave_bytes, parameters.burst_bytes);
  return {};
}

/// Something to go on with where the report of a mistake does not throw.
bus_parameters corrected(bus_parameters parameters) {
  parameters.sockets = std::max(parameters.sockets, 1U);
  if (parameters.outstanding == 0U) parameters.outstanding = 1;
  parameters.burst_bytes = std::max(parameters.burst_bytes, 1U);
  if (!mistake_in(parameters).empty()) parameters.interleave_bytes = parameters.burst_bytes;
  return parameters;
}

sc_core::sc_time until(const sc_core::sc_time& time) {
  const sc_core::sc_time& now = sc_core::sc_time_stamp();
  return time > now ? time - now : sc_core::SC_ZERO_TIME;
}

}  // namespace

bus_interface::bus_interface(const sc_core::sc_module_name& module_name, const params& parameters, const fabric::clock_domain& clock)
    : sc_module(module_name),
      bus("bus", std::max(parameters.sockets, 1U),
          [this](const char* child, std::size_t i) {
            return new bus_initiator(child, [this, i](auto& payload, const auto& delay) { channels_[i]->answered(payload, delay); });
          }),
      params_(corrected(parameters)),
      clock_(clock),
      rules_(fabric::access_rules::whole_address_space()),
      blocked_(params_.sockets) {
  if (const std::string mistake = mistake_in(parameters); !mistake.empty()) fabric::error(fabric::report::bus_parameters, name(), mistake);
  for (bus_initiator& socket : bus)
    channels_.push_back(std::make_unique<bus_channel>(
        socket, params_, [this](const auto& burst, auto status, const auto& valid) { answered(burst, status, valid); }));
  port.register_nb_transport_fw(this, &bus_interface::forward);
  port.register_b_transport(this, &bus_interface::blocking);
  port.register_transport_dbg(this, &bus_interface::debug);
  SC_METHOD(work);
  sensitive << due_;
  dont_initialize();
}

bus_interface::~bus_interface() = default;

void bus_interface::end_of_elaboration() { links_.resize(port.size()); }

tlm::tlm_sync_enum bus_interface::forward(int link, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase == tlm::BEGIN_REQ) return begin_request(static_cast<unsigned>(link), payload, delay);
  if (phase == tlm::END_RESP) return end_response(static_cast<unsigned>(link), payload, delay);
  if (!fabric::is_extended(phase))
    fabric::error(fabric::report::target_phase, name(), std::string("unexpected forward phase ") + phase.get_name());
  return tlm::TLM_ACCEPTED;
}

tlm::tlm_sync_enum bus_interface::begin_request(unsigned link, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (is_refused(payload)) return tlm::TLM_COMPLETED;
  if (!payload.has_mm()) {
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    fabric::error(fabric::report::target_payload, name(), "the payload of a non-blocking call has no memory manager");
    return tlm::TLM_COMPLETED;
  }
  bus_request& request = new_request(link, payload, delay);
  if (can_reach_directly(request, delay)) {
    delay += reach_directly(request);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    free_request(request);
    return tlm::TLM_COMPLETED;
  }
  payload.acquire();
  add_arrival(request);
  return tlm::TLM_ACCEPTED;
}

/// Answers what cannot be a request, and what asks for nothing.
bool bus_interface::is_refused(tlm::tlm_generic_payload& payload) {
  const tlm::tlm_response_status status = rules_.check(payload);
  if (status == tlm::TLM_OK_RESPONSE && payload.get_command() != tlm::TLM_IGNORE_COMMAND) return false;
  errors_ += status == tlm::TLM_OK_RESPONSE ? 0 : 1;
  payload.set_response_status(status);
  return true;
}

void bus_interface::blocking(int link, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (is_refused(payload)) return;
  bus_request& request = new_request(static_cast<unsigned>(link), payload, delay);
  sc_core::sc_event answered;
  request.answered = &answered;
  add_arrival(request);
  sc_core::wait(answered);
  payload.set_response_status(request.status);
  delay = until(request.valid);
  free_request(request);
}

/// Stops at the first bytes that a target does not have.
unsigned bus_interface::debug(int, tlm::tlm_generic_payload& payload) {
  if ((!payload.is_read() && !payload.is_write()) || payload.get_data_ptr() == nullptr) return 0;
  const unsigned length = payload.get_data_length();
  if (!rules_.contains(payload.get_address(), length)) return 0;
  tlm::tlm_generic_payload part;
  for (unsigned offset = 0; offset < length;) {
    const sc_dt::uint64 address = payload.get_address() + offset;
    const std::uint64_t left = params_.sockets == 1 ? length : params_.interleave_bytes - address % params_.interleave_bytes;
    const auto count = static_cast<unsigned>(std::min<std::uint64_t>(left, length - offset));
    fabric::set_attributes(part, payload.get_command(), address, payload.get_data_ptr() + offset, count);
    const unsigned done = std::min(bus[socket_of(address)]->transport_dbg(part), count);
    offset += done;
    if (done < count) return offset;
  }
  return length;
}

/// Only if it needs no thread, runs no further ahead than it may, and passes nothing that it depends on.
bool bus_interface::can_reach_directly(bus_request& request, const sc_core::sc_time& delay) {
  if (params_.mode == timing::approximate || delay > channels_.front()->quantum()) return false;
  const bus_burst whole{&request, request.address, 0, request.bytes};
  const auto depends = [&whole](bus_request* other) {  // null: has just left, from whose END_REQ this request is sent
    return other != nullptr && depend_on_each_other({other, other->address, 0, other->bytes}, whole);
  };
  if (std::any_of(arriving_.begin(), arriving_.end(), depends) || std::any_of(waiting_.begin(), waiting_.end(), depends)) return false;
  bool direct = true;
  for (request.sent = 0; direct && !request.all_sent();) {
    const bus_burst burst = next_burst(request);
    const bus_channel& channel = channel_of(burst.address);
    direct = channel.is_direct(burst) && channel.is_independent(burst);
    request.sent += burst.bytes;
  }
  request.sent = 0;
  return direct;
}

/// Returns the longest latency of its bursts.
sc_core::sc_time bus_interface::reach_directly(bus_request& request) {
  sc_core::sc_time longest;
  while (!request.all_sent()) {
    const bus_burst burst = next_burst(request);
    longest = std::max(longest, channel_of(burst.address).reach_directly(burst));
    request.sent += burst.bytes;
  }
  return longest;
}

bus_request& bus_interface::new_request(unsigned link, tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  if (free_.empty()) {
    requests_.push_back(std::make_unique<bus_request>());
    free_.push_back(requests_.back().get());
  }
  bus_request& request = *free_.back();
  free_.pop_back();
  request = bus_request{};
  request.payload = &payload;
  request.is_write = payload.is_write();
  request.address = payload.get_address();
  request.data = payload.get_data_ptr();
  request.bytes = payload.get_data_length();
  request.byte_enables = payload.get_byte_enable_ptr();
  request.byte_enable_bytes = payload.get_byte_enable_length();
  request.link = link;
  request.arrival = request.valid = sc_core::sc_time_stamp() + delay;
  ++accepted_;
  (request.is_write ? bytes_written_ : bytes_read_) += request.bytes;
  return request;
}

void bus_interface::free_request(bus_request& request) { free_.push_back(&request); }

bus_burst bus_interface::next_burst(bus_request& request) const {
  const sc_dt::uint64 address = request.address + request.sent;
  const auto left_of_burst = static_cast<unsigned>(params_.burst_bytes - address % params_.burst_bytes);
  return {&request, address, request.sent, std::min(left_of_burst, request.bytes - request.sent)};
}

std::size_t bus_interface::socket_of(sc_dt::uint64 address) const {
  return static_cast<std::size_t>(address / params_.interleave_bytes % params_.sockets);
}

void bus_interface::add_arrival(bus_request& request) {
  const auto is_earlier = [](const bus_request* a, const bus_request* b) { return a->arrival < b->arrival; };
  arriving_.insert(std::upper_bound(arriving_.begin(), arriving_.end(), &request, is_earlier), &request);
  wake_at(request.arrival);
}

/// In the moment in which somebody arrives, an answer comes or a place is free.
void bus_interface::work() {
  const sc_core::sc_time horizon = sc_core::sc_time_stamp() + channels_.front()->quantum();
  take_arrivals(horizon);
  send_waiting(horizon);
  held_.swap(released_);
  for (const unsigned link : released_) send_responses(link);
  released_.clear();
  if (!arriving_.empty()) wake_at(arriving_.front()->arrival);
}

void bus_interface::take_arrivals(const sc_core::sc_time& horizon) {
  const auto is_to_come = [&horizon](const bus_request* request) { return request->arrival > horizon; };
  const auto end = std::find_if(arriving_.begin(), arriving_.end(), is_to_come);
  waiting_.insert(waiting_.end(), arriving_.begin(), end);
  arriving_.erase(arriving_.begin(), end);
}

/// A link may send its next request from inside END_REQ, but that one only arrives.
void bus_interface::send_waiting(const sc_core::sc_time& horizon) {
  std::fill(blocked_.begin(), blocked_.end(), false);
  for (bus_request*& waiting : waiting_) {
    bus_request& request = *waiting;
    ++request.open;
    if (send_bursts(request, horizon)) {
      waiting = nullptr;
      count_wait(request);
      end_request(request);
    } else {
      block_rest(request);
    }
    if (--request.open == 0 && request.all_sent()) respond(request);
  }
  waiting_.erase(std::remove(waiting_.begin(), waiting_.end(), nullptr), waiting_.end());
}

/// Returns false if some of the request's bursts have to wait.
bool bus_interface::send_bursts(bus_request& request, const sc_core::sc_time& horizon) {
  while (!request.all_sent()) {
    const bus_burst burst = next_burst(request);
    bus_channel& channel = channel_of(burst.address);
    const bool is_direct = channel.is_direct(burst);
    const sc_core::sc_time free = is_direct ? sc_core::SC_ZERO_TIME : channel.first_free();
    if (free > std::max(request.arrival, sc_core::sc_time_stamp())) tell_limit(request, burst);
    if (blocked_[socket_of(burst.address)] || !channel.is_independent(burst)) return false;
    if (is_direct) {
      request.sent += burst.bytes;
      request.valid = std::max(request.valid, std::max(request.arrival, sc_core::sc_time_stamp()) + channel.reach_directly(burst));
      continue;
    }
    if (free > horizon) {
      if (free != bus_channel::maximum_time()) wake_at(free);
      return false;
    }
    request.sent += burst.bytes;
    ++request.open;
    channel.send(burst);
  }
  return true;
}

/// All places of a burst's socket are taken when it could leave.
void bus_interface::tell_limit(bus_request& request, const bus_burst& burst) {
  request.is_limited = true;
  if (std::exchange(has_told_limit_, true)) return;
  const std::string text = fmt::format(
      "{} has {} transactions on their way, as many as its outstanding allows, and the machine's requests wait for the next answer; "
      "limited_requests and limited_cycles of {} count them",
      bus[socket_of(burst.address)].name(), *params_.outstanding, name());
  sc_core::sc_report_handler::report(sc_core::SC_WARNING, fabric::report::bus_outstanding, text.c_str(), __FILE__, __LINE__);
}

/// Of a request whose last burst has left.
void bus_interface::count_wait(const bus_request& request) {
  if (request.is_limited) ++limited_;
  if (request.arrival >= sc_core::sc_time_stamp()) return;
  const sc_core::sc_time waited = sc_core::sc_time_stamp() - request.arrival;
  waited_ += waited;
  if (request.is_limited) waited_for_place_ += waited;
}

/// Nobody overtakes what is left of a request on the sockets that it needs.
void bus_interface::block_rest(bus_request request) {
  for (; !request.all_sent(); request.sent += next_burst(request).bytes) blocked_[socket_of(request.address + request.sent)] = true;
}

void bus_interface::end_request(bus_request& request) {
  if (request.answered != nullptr) return;
  tlm::tlm_phase phase = tlm::END_REQ;
  sc_core::sc_time delay = until(request.arrival);
  if (port[static_cast<int>(request.link)]->nb_transport_bw(*request.payload, phase, delay) != tlm::TLM_ACCEPTED)
    fabric::error(fabric::report::target_phase, name(), "END_REQ was answered with another phase or TLM_COMPLETED");
}

void bus_interface::answered(const bus_burst& burst, tlm::tlm_response_status status, const sc_core::sc_time& valid) {
  bus_request& request = *burst.of;
  if (status != tlm::TLM_OK_RESPONSE && request.status == tlm::TLM_OK_RESPONSE) request.status = status;
  request.valid = std::max(request.valid, valid);
  if (--request.open == 0 && request.all_sent()) respond(request);
  if (!waiting_.empty()) due_.notify(sc_core::SC_ZERO_TIME);
}

void bus_interface::respond(bus_request& request) {
  errors_ += request.status == tlm::TLM_OK_RESPONSE ? 0 : 1;
  if (request.answered != nullptr) {
    request.answered->notify(sc_core::SC_ZERO_TIME);
    return;
  }
  links_[request.link].ready.push_back(&request);
  send_responses(request.link);
}

/// One response of a link at a time, in the order in which they are there.
void bus_interface::send_responses(unsigned link) {
  link_state& state = links_[link];
  while (state.responding == nullptr && !state.ready.empty()) {
    if (state.free_at > sc_core::sc_time_stamp()) return hold(link);
    bus_request& request = *state.ready.front();
    state.ready.pop_front();
    state.responding = &request;
    request.payload->set_response_status(request.status);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    const sc_core::sc_time valid = until(request.valid);
    sc_core::sc_time delay = valid;
    const tlm::tlm_sync_enum result = port[static_cast<int>(link)]->nb_transport_bw(*request.payload, phase, delay);
    if (result == tlm::TLM_ACCEPTED || state.responding != &request) continue;
    if (result == tlm::TLM_UPDATED && phase != tlm::END_RESP)
      fabric::error(fabric::report::target_phase, name(), std::string("BEGIN_RESP was answered with the phase ") + phase.get_name());
    end_response(link, *request.payload, delay > valid ? delay : sc_core::SC_ZERO_TIME);
  }
}

/// The link takes its next response `delay` from now.
tlm::tlm_sync_enum bus_interface::end_response(unsigned link, const tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  link_state& state = links_[link];
  if (state.responding == nullptr || state.responding->payload != &payload) {
    fabric::error(fabric::report::target_phase, name(), "END_RESP was sent, but no response has begun");
    return tlm::TLM_ACCEPTED;
  }
  bus_request& request = *std::exchange(state.responding, nullptr);
  state.free_at = sc_core::sc_time_stamp() + delay;
  if (!state.ready.empty()) hold(link);
  request.payload->release();
  free_request(request);
  return tlm::TLM_COMPLETED;
}

/// Until the link can take its next response.
void bus_interface::hold(unsigned link) {
  held_.push_back(link);
  due_.notify(until(links_[link].free_at));
}

/// Ahead of the time as far as a socket may be.
void bus_interface::wake_at(const sc_core::sc_time& time) {
  const sc_core::sc_time quantum = channels_.front()->quantum();
  const sc_core::sc_time delay = until(time);
  due_.notify(delay > quantum ? delay - quantum : sc_core::SC_ZERO_TIME);
}

void bus_interface::collect(fabric::statistics_sink& sink) const {
  std::uint64_t transactions = 0, direct = 0, most = 0;
  for (const auto& channel : channels_) {
    transactions += channel->transactions();
    direct += channel->direct_accesses();
    most = std::max(most, channel->most_outstanding());
  }
  sink.count("requests", accepted_, "requests", "Reads and writes of the machine");
  sink.bytes("bytes_read", bytes_read_, "Bytes read");
  sink.bytes("bytes_written", bytes_written_, "Bytes written");
  sink.count("transactions", transactions, "transactions", "Transactions on the bus");
  sink.count("direct_accesses", direct, "accesses", "Accesses by pointers that the platform has granted");
  sink.cycles("wait_cycles", waited_.value() / clock_.period().value(),
              "Cycles, summed over requests, from the arrival to the last transaction leaving");
  sink.count("limited_requests", limited_, "requests", "Requests that waited because a socket had `outstanding` transactions on their way");
  sink.cycles("limited_cycles", waited_for_place_.value() / clock_.period().value(), "Of wait_cycles, those of limited requests");
  sink.count("most_outstanding", most, "transactions", "Most transactions of a socket that were on their way at a time");
  sink.count("errors", errors_, "requests", "Requests answered with an error");
}

}  // namespace tc::platform
