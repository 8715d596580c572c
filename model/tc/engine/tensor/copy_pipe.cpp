// SPDX-License-Identifier: Apache-2.0
#include "copy_pipe.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <boost/container/small_vector.hpp>

#include <tc/engine/tensor/tensor_reports.hpp>
#include <tc/isa/matrix_descriptor.hpp>
#include <tc/isa/tcgen05/copy_shape.hpp>
#include <tc/links/edge_stage.hpp>

namespace tc::engine {

namespace {

using fabric::send_cycles;
constexpr unsigned unit_bytes = isa::shared_matrix::unit_bytes, unit_columns = unit_bytes / sizeof(std::uint32_t);

/// Which bytes of a column are written, from the first lane of a core matrix on.
std::array<unsigned char, 128> enable_lanes(unsigned lanes) {
  std::array<unsigned char, 128> bytes{};
  bytes.fill(TLM_BYTE_DISABLED);
  std::fill_n(bytes.begin(), lanes * sizeof(std::uint32_t), TLM_BYTE_ENABLED);
  return bytes;
}

/// The bytes of shared memory that a copy reads, core matrices of `lines` lines.
isa::byte_range footprint(const copy_job& job) {
  isa::byte_range bytes{~0U, 0};
  for (unsigned core = 0; core < job.source.cores(); ++core) {
    for (unsigned line = 0; line < job.lines; ++line) {
      const std::uint32_t address = job.source.layout().at(core, line).address;
      bytes.begin = std::min(bytes.begin, address);
      bytes.end = std::max(bytes.end, address + unit_bytes);
    }
  }
  return bytes;
}

}  // namespace

copy_pipe::copy_pipe(const sc_core::sc_module_name& module_name, const params& parameters, fabric::clock_domain& clock, callback done)
    : sc_module(module_name),
      shared_memory("shared_memory", [this](auto& access) { reader_.answered(access); }),
      cells("cells", [this](auto& payload, const auto& delay) { mover_.answered(payload, delay); }),
      params_(parameters),
      clock_(clock),
      clocked_id_(links::add_unit(clock, *this, links::edge_stage::tensor_copies)),
      done_(std::move(done)),
      reader_({shared_memory, clock, [this]() -> links::asynchronous_observer& { return *observer.operator->(); }, *this,
               report::tensor_memory, parameters.data, parameters.shared_row_bytes},
              [this](operand_read&) { wake_outside_of_an_edge(); }),
      mover_({cells, clock, observer, *this}, [this](tensor_job& job, bool, cycle_t valid) {
        auto& copy = static_cast<copy_job&>(job);
        --copy.moving;
        copy.moved = std::max(copy.moved, valid);
        wake_outside_of_an_edge();
      }) {}

copy_pipe::~copy_pipe() = default;

void copy_pipe::plan(copy_job& job, const isa::tensor_copy_operation& operation, operand_layouts& layouts) {
  job.operation = &operation;
  job.destination = isa::decode_tensor_address(operation.address);
  job.results = {isa::destination_cells(operation.shape, operation.multicast, job.destination)};
  const isa::matrix_descriptor descriptor = isa::decode_matrix_descriptor(operation.descriptor, isa::architecture::sm_100);
  const unsigned rows = isa::rows(operation.shape), row_bytes = isa::columns(operation.shape) * sizeof(std::uint32_t);
  job.lines = std::min(rows, isa::shared_matrix::core_lines);
  const isa::shared_matrix source(descriptor, isa::matrix_major::k, 8, std::max(rows, isa::shared_matrix::core_lines), row_bytes);
  job.source.begin(layouts.of({source, isa::matrix_major::k, isa::tensor_copy_decompression::none}), true);
}

void copy_pipe::start(copy_job& next) {
  ++copies_;
  reader_.check_window(next, footprint(next), report::tensor_window);
  jobs_.push_back(&next);
  wake_outside_of_an_edge();
}

void copy_pipe::look_again() { wake_outside_of_an_edge(); }

/// In the pipe's own edge, its end looks at everything anyway.
void copy_pipe::wake_outside_of_an_edge() {
  if (!in_edge_) clock_.wake(clocked_id_, clock_.edge_at(sc_core::SC_ZERO_TIME));
}

void copy_pipe::evaluate(cycle_t cycle) {
  in_edge_ = true;
  const cycle_t arrival = cycle + send_cycles;
  for (turn next = next_turn(); next.job != nullptr && next.cycle <= arrival; next = next_turn()) read(*next.job, arrival);
  cycle_t next_write = links::unknown_cycle;
  for (copy_job* const job : jobs_) {
    while (job->written < job->pieces.size() && job->pieces[job->written]->outstanding == 0) {
      copied_core& piece = *job->pieces[job->written];
      if (piece.there > arrival) {
        next_write = std::min(next_write, piece.there);
        break;
      }
      ++job->written;
      write(piece, arrival);
    }
  }
  finish_moved();
  in_edge_ = false;
  const cycle_t next = std::min(next_write, next_turn().cycle);
  if (next != links::unknown_cycle) clock_.wake(clocked_id_, std::max(next - send_cycles, cycle + 1));
}

/// The oldest copy of each warp may read; the one whose turn comes first does.
copy_pipe::turn copy_pipe::next_turn() {
  turn first;
  boost::container::small_vector<const warp::warp_context*, 8> seen;
  for (copy_job* const job : jobs_) {
    const warp::warp_context* const warp = job->reader.warp;
    if (job->pieces.size() == job->source.cores() || std::find(seen.begin(), seen.end(), warp) != seen.end()) continue;
    seen.push_back(warp);
    if (!job->may_touch_memory()) continue;
    const cycle_t cycle = std::max({job->first_read, job->not_before, warp_free_[warp], free_});
    if (cycle < first.cycle) first = {job, cycle};
  }
  return first;
}

void copy_pipe::read(copy_job& job, cycle_t arrival) {
  if (free_pieces_.empty()) free_pieces_.push_back(std::make_unique<copied_core>());
  copied_core& piece = *job.pieces.emplace_back(std::move(free_pieces_.back()));
  free_pieces_.pop_back();
  static_cast<operand_read&>(piece) = {};
  piece.reader = job.reader;
  piece.record = job.record;
  piece.failed = job.failed;
  piece.of = &job;
  piece.core = static_cast<unsigned>(job.pieces.size() - 1);
  const unsigned bytes = job.lines * unit_bytes;
  const auto cycles = [bytes](unsigned rate) { return (bytes + rate - 1) / rate; };
  warp_free_[job.reader.warp] = arrival + cycles(params_.copy.warp_bytes_per_cycle);
  free_ = arrival + cycles(params_.copy.bytes_per_cycle);
  busy_cycles_ += cycles(params_.copy.bytes_per_cycle);
  bytes_read_ += bytes;
  reader_.read_core(piece, job.source, piece.core, arrival, job.lines);
}

/// A core matrix goes to tensor memory, once for each chunk that gets it.
void copy_pipe::write(copied_core& piece, cycle_t arrival) {
  static std::array<unsigned char, 128> one_lane = enable_lanes(1), eight_lanes = enable_lanes(isa::shared_matrix::core_lines);
  copy_job& job = *piece.of;
  job.moved = std::max(job.moved, arrival);
  job.failed = job.failed || piece.failed;
  if (job.failed) return;
  take_cells(piece);
  const isa::matrix_place first = job.source.place().unit_place(piece.core, 0);
  const isa::tensor_copy_operation& operation = *job.operation;
  const bool single_lanes = operation.shape == isa::tensor_copy_shape::rows4_bits256;
  for (unsigned line = 0; line < (single_lanes ? job.lines : 1); ++line) {
    for (const unsigned lane : isa::destination_lanes(operation.shape, operation.multicast, first.row + line, job.destination.lane)) {
      cell_mover::columns_to_write what;
      what.chunk = lane / isa::chunk_lanes;
      what.columns = {job.destination.column + first.k / static_cast<unsigned>(sizeof(std::uint32_t)), unit_columns};
      what.cells = &piece.cells[line];
      what.byte_enables = (single_lanes ? one_lane : eight_lanes).data();
      what.first_lane = lane % isa::chunk_lanes;
      what.lanes = single_lanes ? 1 : job.lines;
      what.wave_begin = arrival;
      ++job.moving;
      mover_.write(job, what, arrival);
    }
  }
}

/// Lines become lanes of the piece's columns.
void copy_pipe::take_cells(copied_core& piece) {
  copy_job& job = *piece.of;
  for (unsigned line = 0; line < job.lines; ++line) {
    isa::copy_unit unit;
    std::memcpy(unit.data(), job.source.line(piece.core, line), unit.size());
    unit = isa::decompress(unit, job.operation->decompression);
    for (unsigned column = 0; column < unit_columns; ++column)
      std::memcpy(&piece.cells[std::size_t{column} * isa::chunk_lanes + line], &unit[column * sizeof(std::uint32_t)],
                  sizeof(std::uint32_t));
  }
}

void copy_pipe::finish_moved() {
  for (auto each = jobs_.begin(); each != jobs_.end();) {
    copy_job& job = **each;
    if (job.written < job.source.cores() || job.moving != 0) {
      ++each;
      continue;
    }
    each = jobs_.erase(each);
    for (auto& piece : job.pieces) free_pieces_.push_back(std::move(piece));
    job.pieces.clear();
    done_(job, job.moved);
  }
}

void copy_pipe::reset() {
  warp_free_.clear();
  free_ = 0;
  copies_ = bytes_read_ = busy_cycles_ = 0;
  mover_.reset();
}

void copy_pipe::collect(fabric::statistics_sink& sink) const {
  sink.count("copies", copies_, "instructions", "Copies from shared to tensor memory (tcgen05.cp)");
  sink.bytes("bytes_read", bytes_read_, "Bytes that copies read from shared memory");
  sink.bytes("cell_bytes_written", mover_.bytes_written(), "Bytes of tensor memory that copies wrote");
  sink.busy(busy_cycles_, "Cycles in which copies used the path from shared memory");
}

}  // namespace tc::engine
