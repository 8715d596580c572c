// SPDX-License-Identifier: Apache-2.0
#include "shared_memory.hpp"

#include <algorithm>
#include <cstring>

#include <tc/fabric/extensions.hpp>
#include <tc/memory/memory_target.hpp>

namespace tc::memory {

namespace {

constexpr std::size_t matrix_row_bytes = 16;

fabric::access_rules rules_for(const config::shared_memory_parameters& memory) {
  fabric::access_rules rules;
  rules.size_bytes = memory.bytes;
  rules.byte_enables = true;
  return rules;
}

/// Logarithm of a power of two.
unsigned log2_of(unsigned power) {
  unsigned exponent = 0;
  while (power >> exponent > 1) ++exponent;
  return exponent;
}

/// The warp or stream that a transaction says it is of.
wavefront_source source_of(unsigned link, const tlm::tlm_generic_payload& payload, const fabric::wavefront* wavefront) {
  const auto* const tag = payload.get_extension<fabric::warp_tag>();
  return {link, tag != nullptr ? tag->warp : 0, wavefront != nullptr ? wavefront->interval : 0};
}

byte_writer writer_of(const tlm::tlm_generic_payload& payload) {
  const auto* const proxy = payload.get_extension<fabric::proxy_access>();
  return proxy != nullptr && proxy->asynchronous ? byte_writer::asynchronous : byte_writer::warp;
}

}  // namespace

shared_memory::shared_memory(const sc_core::sc_module_name& module_name, const params& parameters, fabric::clock_domain& clock)
    : sc_module(module_name),
      port("port", rules_for(parameters.memory), callbacks()),
      params_(parameters),
      clock_(clock),
      word_shift_(log2_of(parameters.memory.bank_width_bytes)),
      bytes_(parameters.memory.bytes),
      marks_(parameters.memory.bytes),
      schedule_({parameters.memory.wavefront_cycles, parameters.memory.warp_wavefront_cycles}, parameters.ties) {}

shared_memory::~shared_memory() = default;

memory_target::callbacks shared_memory::callbacks() {
  return {[this](unsigned link, auto& payload, const auto& delay) { return access(link, payload, delay); },
          [this](unsigned link, auto& payload, const auto& delay) { announced(link, payload, delay); },
          [this](auto& payload) {
            const bool is_of_warp = payload.template get_extension<fabric::warp_tag>() != nullptr;
            move(payload, is_of_warp ? writer_of(payload) : byte_writer::outside);
            return payload.get_data_length();
          },
          {},
          [this](const auto& region) { begin_region(region); }};
}

/// The bytes are undefined, as they are when a CTA starts, but for the content that comes with them. What they held stays.
void shared_memory::begin_region(const fabric::new_region& region) {
  const byte_range bytes = marks_.clip(region.base, region.bytes);
  marks_.begin(bytes, static_cast<bool>(region.initial));
  if (region.initial && bytes.count > 0) region.initial(0, &bytes_[bytes.first], bytes.count);
}

void shared_memory::reset() {
  std::fill(bytes_.begin(), bytes_.end(), static_cast<unsigned char>(0));
  marks_.reset();
  schedule_.reset();
  open_.clear();
  reads_ = writes_ = wavefronts_ = conflicts_ = bytes_read_ = bytes_written_ = 0;
  stream_wavefronts_ = stream_conflicts_ = 0;
}

shared_memory::open_wavefront& shared_memory::wavefront_of(unsigned link) {
  while (link >= open_.size()) open_.emplace_back(params_.memory.banks);
  return open_[link];
}

sc_core::sc_time shared_memory::access(unsigned link, tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  ++(payload.is_read() ? reads_ : writes_);
  (payload.is_read() ? bytes_read_ : bytes_written_) += fabric::wavefront::bytes_of(payload);
  const auto* const tag = payload.get_extension<fabric::wavefront>();
  const cycle_t end = serve({source_of(link, payload, tag), payload.get_address(), payload.get_data_length(), tag}, clock_.edge_at(delay));
  if (params_.data) move(payload, writer_of(payload));
  return clock_.delay_to(end);
}

/// The same for accesses that are no transactions.
std::optional<fabric::stream_access::answer> shared_memory::access(const request& wanted) {
  const auto is_inside = [this](const byte_run& each) {
    return each.bytes != 0 && each.address <= bytes_.size() && each.bytes <= bytes_.size() - each.address;
  };
  if (!std::all_of(wanted.runs_begin, wanted.runs_end, is_inside)) return std::nullopt;
  const auto is_undefined = [this](const byte_run& each) { return marks_.any_undefined({each.address, each.bytes}); };
  if (wanted.wants_defined && std::any_of(wanted.runs_begin, wanted.runs_end, is_undefined)) return std::nullopt;
  (wanted.is_write ? writes_ : reads_) += static_cast<std::uint64_t>(wanted.runs_end - wanted.runs_begin);
  std::uint64_t& bytes = wanted.is_write ? bytes_written_ : bytes_read_;
  answer result;
  for (const byte_run* each = wanted.runs_begin; each != wanted.runs_end; ++each) {
    bytes += std::uint64_t{each->bytes} + wanted.part->further_bytes;
    const cycle_t end = serve({{wanted.link, 0, wanted.part->interval}, each->address, each->bytes, wanted.part}, wanted.arrival);
    result.valid = std::max(result.valid, end);
    if (params_.data) move(*each, each - wanted.runs_begin, wanted.is_write, result);
  }
  return result;
}

void shared_memory::move(const byte_run& each, std::ptrdiff_t number, bool is_write, answer& result) {
  const byte_range bytes{each.address, each.bytes};
  unsigned char* const here = &bytes_[each.address];
  if (is_write)
    marks_.write(bytes, byte_writer::asynchronous);
  else
    tell_marks(bytes, number, result);
  if (each.bytes == matrix_row_bytes)  // the unit of swizzling, for which a call would cost more than the copy
    std::memcpy(is_write ? here : each.data, is_write ? each.data : here, matrix_row_bytes);
  else
    std::memcpy(is_write ? here : each.data, is_write ? each.data : here, each.bytes);
}

/// Most bytes that are read can be relied on.
void shared_memory::tell_marks(byte_range bytes, std::ptrdiff_t number, answer& read) const {
  if (marks_.are_settled(bytes)) return;
  std::uint32_t first = 0;
  if (!read.any_undefined && marks_.find_undefined(bytes, first)) {
    read.any_undefined = true;
    read.first_undefined = bytes.first + first;
    read.undefined_run = number;
  }
  if (read.hazard != fabric::proxy_hazard::none) return;
  const byte_marks::hazard found = marks_.find_hazard(bytes, true);
  read.hazard = found.what;
  read.first_hazard = bytes.first + found.first;
  read.hazard_run = number;
}

/// The end of the wavefront that an access is part of, or of the last one if it needs several.
cycle_t shared_memory::serve(const bank_access& access, cycle_t arrival) {
  const std::uint64_t first = access.address >> word_shift_, last = (access.address + access.bytes - 1) >> word_shift_;
  const fabric::wavefront* const tag = access.tag;
  const wavefront_source source = access.source;
  open_wavefront& wavefront = wavefront_of(source.port);

  const bool in_time = arrival + params_.memory.wavefront_cycles <= wavefront.end;
  const bool joins = in_time && tag != nullptr && wavefront.open && wavefront.access == tag->access && wavefront.index == tag->index;
  if (joins && wavefront.banks.add(first, last)) return wavefront.end;
  wavefront.end = joins ? schedule_.reserve(source, arrival) : begin_wavefront(source, wavefront, tag, arrival);
  wavefront.banks.clear();
  wavefront.open = tag != nullptr && wavefront.banks.add(first, last);
  count_wavefront(source, joins || (tag != nullptr && tag->conflict));
  for (std::uint64_t row = first + params_.memory.banks; row <= last; row += params_.memory.banks) {
    wavefront.end = schedule_.reserve(source, arrival);
    count_wavefront(source, false);
  }
  return wavefront.end;
}

void shared_memory::announce(const fabric::wavefront_access& access) {
  schedule_.announce({access.link, access.warp}, access.number, access.arrival, access.wavefronts);
}

bool shared_memory::execute(fabric::wavefront_access& access) {
  if (!port.rules().contains(access.base, access.bytes)) return false;
  if (params_.data && !access.is_write && !read(access)) return false;
  serve(access);
  if (params_.data && access.is_write) write(access);
  return true;
}

/// Gives all wavefronts their places, and counts what transactions would count: without data there is one for each wavefront.
void shared_memory::serve(fabric::wavefront_access& access) {
  const wavefront_schedule::ends ends = schedule_.ends_of({access.link, access.warp}, access.number, access.wavefronts, access.arrival);
  access.first_valid = ends.first;
  access.valid = ends.last;
  wavefronts_ += access.wavefronts;
  conflicts_ += static_cast<unsigned>(__builtin_popcount(access.conflicts));
  std::uint64_t& bytes = access.is_write ? bytes_written_ : bytes_read_;
  for (const fabric::access_run* run = access.runs_begin; run != access.runs_end; ++run) bytes += run->length;
  const auto runs = static_cast<std::uint64_t>(access.runs_end - access.runs_begin);
  (access.is_write ? writes_ : reads_) += params_.data ? runs : access.wavefronts;
}

/// False, where the buffer has no meaning, if transactions would be told more than data and time.
bool shared_memory::read(const fabric::wavefront_access& access) const {
  for (const fabric::access_run* run = access.runs_begin; run != access.runs_end; ++run) {
    const byte_range bytes{access.base + run->address, run->length};
    if (!marks_.is_plain(bytes)) return false;
    if (bytes.count == matrix_row_bytes)  // of which there are many, for which a call would cost more than the copy
      std::memcpy(access.buffer + run->offset, &bytes_[bytes.first], matrix_row_bytes);
    else
      std::memcpy(access.buffer + run->offset, &bytes_[bytes.first], bytes.count);
  }
  return true;
}

void shared_memory::write(const fabric::wavefront_access& access) {
  for (const fabric::access_run* run = access.runs_begin; run != access.runs_end; ++run) {
    const byte_range bytes{access.base + run->address, run->length};
    mark(bytes, byte_writer::warp, access.undefined == nullptr ? nullptr : access.undefined + run->offset);
    std::memcpy(&bytes_[bytes.first], access.buffer + run->offset, bytes.count);
  }
}

void shared_memory::count_wavefront(wavefront_source source, bool is_conflict) {
  ++wavefronts_;
  conflicts_ += is_conflict ? 1 : 0;
  if (!source.is_stream()) return;
  ++stream_wavefronts_;
  stream_conflicts_ += is_conflict ? 1 : 0;
}

cycle_t shared_memory::begin_wavefront(wavefront_source source, open_wavefront& wavefront, const fabric::wavefront* tag, cycle_t arrival) {
  if (tag == nullptr) return schedule_.reserve(source, arrival);
  wavefront.access = tag->access;
  wavefront.index = tag->index;
  return schedule_.end_of(source, tag->access, tag->index, arrival);
}

void shared_memory::announced(unsigned link, tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  if (const auto* const change = payload.get_extension<fabric::visibility_change>(); change != nullptr) return change_visibility(*change);
  auto* const tag = payload.get_extension<fabric::wavefront>();
  if (tag == nullptr) return;
  tag->noted = true;
  schedule_.announce(source_of(link, payload, tag), tag->access, clock_.edge_at(delay), tag->count);
}

void shared_memory::change_visibility(const fabric::visibility_change& change) {
  using kind = fabric::visibility_change::kind;
  const byte_range bytes = marks_.clip(change.base, change.bytes);
  switch (change.what) {
    case kind::fenced:
      return marks_.fence(bytes);
    case kind::arriving:
      return marks_.arrive(bytes);
    case kind::settled:
      return marks_.settle(bytes);
  }
}

void shared_memory::move(tlm::tlm_generic_payload& payload, byte_writer writer) {
  if (payload.is_write())
    mark(payload, writer);
  else
    tell_marks(payload);
  transfer(payload, 0, &bytes_[payload.get_address()], payload.get_data_length());
}

void shared_memory::mark(const tlm::tlm_generic_payload& payload, byte_writer writer) {
  const byte_range bytes{payload.get_address(), payload.get_data_length()};
  const auto* const undefined = payload.get_extension<fabric::undefined_bytes>();
  const unsigned char* const flags = undefined != nullptr && undefined->any ? undefined->flags.data() : nullptr;
  if (payload.get_byte_enable_ptr() == nullptr) return mark(bytes, writer, flags);
  for (unsigned i = 0; i < bytes.count; ++i)
    if (is_enabled(payload, i)) mark({bytes.first + i, 1}, writer, flags == nullptr ? nullptr : flags + i);
}

/// Bytes are written; those with a flag have no value. Null: all have one.
void shared_memory::mark(byte_range bytes, byte_writer writer, const unsigned char* undefined) {
  marks_.write(bytes, writer);
  if (undefined != nullptr) marks_.undefine(bytes, undefined);
}

/// Tells what is to be known of the bytes of a read to an initiator that wants to know.
void shared_memory::tell_marks(tlm::tlm_generic_payload& payload) const {
  const byte_range bytes{payload.get_address(), payload.get_data_length()};
  if (auto* const undefined = payload.get_extension<fabric::undefined_bytes>(); undefined != nullptr && marks_.any_undefined(bytes)) {
    undefined->any = true;
    marks_.copy_undefined(bytes, undefined->flags);
  }
  if (auto* const proxy = payload.get_extension<fabric::proxy_access>(); proxy != nullptr) {
    const byte_marks::hazard hazard = marks_.find_hazard(bytes, proxy->asynchronous);
    if (hazard.what == fabric::proxy_hazard::none) return;
    proxy->found = hazard.what;
    proxy->first = hazard.first;
  }
}

void shared_memory::collect(fabric::statistics_sink& sink) const {
  if (params_.data) {  // else some accesses are no transactions
    sink.count("reads", reads_, "transactions", "Read transactions");
    sink.count("writes", writes_, "transactions", "Write transactions");
  }
  sink.count("wavefronts", wavefronts_, "wavefronts", "Conflict-free parts of accesses that the banks served");
  sink.count("bank_conflicts", conflicts_, "wavefronts", "Wavefronts needed only because several words lay in one bank");
  sink.count("stream_wavefronts", stream_wavefronts_, "wavefronts", "Wavefronts among them of asynchronous units");
  sink.count("stream_bank_conflicts", stream_conflicts_, "wavefronts", "Bank conflicts among them of asynchronous units");
  sink.busy(wavefronts_ * params_.memory.wavefront_cycles, "Cycles in which the banks were busy");
  sink.bytes("bytes_read", bytes_read_, "Bytes read");
  sink.bytes("bytes_written", bytes_written_, "Bytes written");
}

}  // namespace tc::memory
