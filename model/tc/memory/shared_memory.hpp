// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <systemc>
#include <tlm>

#include <tc/config/machine.hpp>
#include <tc/fabric/jitter.hpp>
#include <tc/fabric/resettable.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/fabric/zeroed_allocator.hpp>
#include <tc/links/shared_memory_link.hpp>
#include <tc/memory/bank_use.hpp>
#include <tc/memory/byte_marks.hpp>
#include <tc/memory/wavefront_schedule.hpp>

namespace tc::memory {

/// The shared memory of an SM: banks that serve one wavefront at a time, whichever sub-core it comes from. In a wavefront every bank serves
/// one word, to any number of lanes; what needs two words of a bank takes another wavefront. The runs of a group of an access share a
/// wavefront, and an access without a number is one by itself, or several if it covers more words than there are banks. Wavefronts of one
/// warp keep a distance, in which those of other warps go through the banks; those of the stream of an asynchronous unit keep none.
///
/// Which bytes were written since their region began, and with a value, is kept, and told with reads. So is which bytes a read must not
/// rely on, as far as the unit that orders accesses says so (links::shared_memory_transfer).
class shared_memory final : public sc_core::sc_module, public fabric::statistics_source, public fabric::resettable {
 public:
  /// One link for each sub-core, bound in their order, then those of other units; addresses from 0 on.
  links::shared_memory_multi_target<shared_memory> port{"port"};

  struct params {
    config::shared_memory_parameters memory{};
    bool data = true;       ///< false: no bytes move, only time passes
    fabric::jitter ties{};  ///< draws the order of accesses that arrive in one cycle
  };

  shared_memory(const sc_core::sc_module_name& name, const params& parameters);
  ~shared_memory() override;

  /// As after construction.
  void reset() override;

  void collect(fabric::statistics_sink& sink) const override;

 private:
  using transfer = links::shared_memory_transfer;

  /// The wavefront that the last run of a port was part of.
  struct open_wavefront {
    explicit open_wavefront(unsigned bank_count) : banks(bank_count) {}
    bool open = false;
    std::uint64_t access = 0;
    std::uint32_t index = 0;
    cycle_t end = 0;
    bank_use banks;
  };

  tlm::tlm_sync_enum forward(int link, transfer& what, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  unsigned debug(int link, transfer& what);
  void execute(unsigned link, transfer& access);
  bool is_there(transfer& access) const;
  void serve(unsigned link, transfer& access);
  open_wavefront& wavefront_of(unsigned link);
  cycle_t serve_run(wavefront_source source, const transfer& access, const links::access_run& run);
  cycle_t begin_wavefront(wavefront_source source, open_wavefront& wavefront, const transfer& access, const links::access_run& run);
  void count_wavefront(wavefront_source source, bool is_conflict);
  void read(transfer& access) const;
  void write(const transfer& access);
  void tell_marks(transfer& access, const links::access_run& run) const;
  void change_visibility(const transfer& change);

  const params params_;
  const unsigned word_shift_;  // from a byte address to a word of a bank
  fabric::zeroed_vector<unsigned char> bytes_;
  byte_marks marks_;
  wavefront_schedule schedule_;
  std::vector<open_wavefront> open_;  // by link
  std::uint64_t reads_ = 0, writes_ = 0, wavefronts_ = 0, conflicts_ = 0, bytes_read_ = 0, bytes_written_ = 0;
  std::uint64_t stream_wavefronts_ = 0, stream_conflicts_ = 0;  // among them
};

}  // namespace tc::memory
