// SPDX-License-Identifier: Apache-2.0
#include "shared_memory.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include <tc/fabric/reports.hpp>

namespace tc::memory {

namespace {

constexpr std::size_t matrix_row_bytes = 16;

/// Logarithm of a power of two.
unsigned log2_of(unsigned power) {
  unsigned exponent = 0;
  while (power >> exponent > 1) ++exponent;
  return exponent;
}

/// Rows of matrices are many, for which a call would cost more than the copy.
void copy(unsigned char* to, const unsigned char* from, std::size_t count) {
  if (count == matrix_row_bytes)
    std::memcpy(to, from, matrix_row_bytes);
  else
    std::memcpy(to, from, count);
}

}  // namespace

shared_memory::shared_memory(const sc_core::sc_module_name& module_name, const params& parameters)
    : sc_module(module_name),
      params_(parameters),
      word_shift_(log2_of(parameters.memory.bank_width_bytes)),
      bytes_(parameters.memory.bytes),
      marks_(parameters.memory.bytes),
      schedule_({parameters.memory.wavefront_cycles, parameters.memory.warp_wavefront_cycles}, parameters.ties) {
  port.register_nb_transport_fw(this, &shared_memory::forward);
  port.register_transport_dbg(this, &shared_memory::debug);
}

shared_memory::~shared_memory() = default;

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

tlm::tlm_sync_enum shared_memory::forward(int link, transfer& what, tlm::tlm_phase& phase, sc_core::sc_time&) {
  if (phase == links::ACCESS_ANNOUNCED) {
    schedule_.announce({static_cast<unsigned>(link), what.warp, what.interval}, what.number, what.arrival, what.wavefronts);
  } else if (phase != tlm::BEGIN_REQ) {
    fabric::error(fabric::report::target_phase, name(), std::string("unexpected forward phase ") + phase.get_name());
  } else if (what.what == transfer::kind::access) {
    execute(static_cast<unsigned>(link), what);
  } else {
    change_visibility(what);
  }
  return tlm::TLM_COMPLETED;
}

unsigned shared_memory::debug(int, transfer& what) {
  if (what.what == transfer::kind::begin) marks_.begin(marks_.clip(what.base, what.bytes));
  if (what.what != transfer::kind::access || !is_there(what)) return 0;
  what.is_write ? write(what) : read(what);
  return static_cast<unsigned>(what.counted_bytes());
}

void shared_memory::execute(unsigned link, transfer& access) {
  if (!is_there(access)) return;
  ++(access.is_write ? writes_ : reads_);
  (access.is_write ? bytes_written_ : bytes_read_) += access.counted_bytes();
  serve(link, access);
  if (params_.data) access.is_write ? write(access) : read(access);
}

/// Refuses an access of which a byte does not exist: nothing of it happens.
bool shared_memory::is_there(transfer& access) const {
  const auto is_inside = [this](std::uint64_t first, std::uint64_t count) {
    return first <= bytes_.size() && count <= bytes_.size() - first;
  };
  if (is_inside(access.base, access.bytes)) return true;
  access.status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
  access.first_valid = access.arrival;
  const auto is_outside = [&](const links::access_run& run) { return !is_inside(access.address_of(run), run.length); };
  access.refused = std::find_if(access.runs_begin, access.runs_end, is_outside);
  return false;
}

/// Gives all wavefronts their places.
void shared_memory::serve(unsigned link, transfer& access) {
  const wavefront_source source{link, access.warp, access.interval};
  if (access.is_conflict_free) {
    const wavefront_schedule::ends ends = schedule_.ends_of(source, access.number, access.wavefronts, access.arrival);
    access.first_valid = ends.first;
    access.valid = ends.last;
    wavefronts_ += access.wavefronts;
    conflicts_ += static_cast<unsigned>(__builtin_popcount(access.conflicts));
    return;
  }
  for (const links::access_run* run = access.runs_begin; run != access.runs_end; ++run) {
    const cycle_t end = serve_run(source, access, *run);
    access.first_valid = std::min(access.first_valid, end);
    access.valid = std::max(access.valid, end);
  }
}

/// The end of the wavefront that a run is part of, or of the last one if it needs several.
cycle_t shared_memory::serve_run(wavefront_source source, const transfer& access, const links::access_run& run) {
  const std::uint64_t address = access.address_of(run);
  const std::uint64_t first = address >> word_shift_, last = (address + run.length - 1) >> word_shift_;
  const bool is_numbered = access.number != 0;
  open_wavefront& wavefront = wavefront_of(source.port);

  const bool in_time = access.arrival + params_.memory.wavefront_cycles <= wavefront.end;
  const bool joins = in_time && is_numbered && wavefront.open && wavefront.access == access.number && wavefront.index == run.group;
  if (joins && wavefront.banks.add(first, last)) return wavefront.end;
  wavefront.end = joins ? schedule_.reserve(source, access.arrival) : begin_wavefront(source, wavefront, access, run);
  wavefront.banks.clear();
  wavefront.open = is_numbered && wavefront.banks.add(first, last);
  count_wavefront(source, joins || (access.conflicts >> run.group & 1U) != 0);
  for (std::uint64_t row = first + params_.memory.banks; row <= last; row += params_.memory.banks) {
    wavefront.end = schedule_.reserve(source, access.arrival);
    count_wavefront(source, false);
  }
  return wavefront.end;
}

cycle_t shared_memory::begin_wavefront(wavefront_source source, open_wavefront& wavefront, const transfer& access,
                                       const links::access_run& run) {
  if (access.number == 0) return schedule_.reserve(source, access.arrival);
  wavefront.access = access.number;
  wavefront.index = run.group;
  return schedule_.end_of(source, access.number, run.group, access.arrival);
}

void shared_memory::count_wavefront(wavefront_source source, bool is_conflict) {
  ++wavefronts_;
  conflicts_ += is_conflict ? 1 : 0;
  if (!source.is_stream()) return;
  ++stream_wavefronts_;
  stream_conflicts_ += is_conflict ? 1 : 0;
}

/// Most bytes that are read can be relied on.
void shared_memory::read(transfer& access) const {
  const bool is_of_warp = access.user == links::memory_user::warp;
  for (const links::access_run* run = access.runs_begin; run != access.runs_end; ++run) {
    const byte_range bytes{access.address_of(*run), run->length};
    if (!(is_of_warp ? marks_.is_plain(bytes) : marks_.are_settled(bytes))) tell_marks(access, *run);
    copy(access.buffer + run->offset, &bytes_[bytes.first], bytes.count);
  }
}

void shared_memory::write(const transfer& access) {
  for (const links::access_run* run = access.runs_begin; run != access.runs_end; ++run) {
    const byte_range bytes{access.address_of(*run), run->length};
    marks_.write(bytes, access.user);
    if (access.any_undefined) marks_.undefine(bytes, access.undefined + run->offset);
    copy(&bytes_[bytes.first], access.buffer + run->offset, bytes.count);
  }
}

void shared_memory::tell_marks(transfer& access, const links::access_run& run) const {
  const byte_range bytes{access.address_of(run), run.length};
  if (std::uint32_t first = 0; marks_.find_undefined(bytes, first)) {
    unsigned char* const flags = access.note_undefined(run, bytes.first + first);
    if (flags != nullptr) marks_.copy_undefined(bytes, flags);
  }
  const byte_marks::hazard found = marks_.find_hazard(bytes, access.user == links::memory_user::asynchronous);
  access.note_hazard(run, found.what, bytes.first + found.first);
}

void shared_memory::change_visibility(const transfer& change) {
  const byte_range bytes = marks_.clip(change.base, change.bytes);
  switch (change.what) {
    case transfer::kind::fence:
      return marks_.fence(bytes);
    case transfer::kind::arrive:
      return marks_.arrive(bytes);
    case transfer::kind::settle:
      return marks_.settle(bytes);
    default:
      return;
  }
}

void shared_memory::collect(fabric::statistics_sink& sink) const {
  if (params_.data) {  // as of global memory, which gets fewer transactions without
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
