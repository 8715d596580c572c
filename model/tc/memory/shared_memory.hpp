// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <systemc>
#include <tlm>

#include <tc/config/machine.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/direct_memory.hpp>
#include <tc/fabric/extensions.hpp>
#include <tc/fabric/jitter.hpp>
#include <tc/fabric/resettable.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/fabric/zeroed_allocator.hpp>
#include <tc/memory/bank_use.hpp>
#include <tc/memory/byte_marks.hpp>
#include <tc/memory/memory_target.hpp>
#include <tc/memory/wavefront_schedule.hpp>

namespace tc::memory {

/// The shared memory of an SM: banks that serve one wavefront at a time, whichever sub-core it comes from. In a wavefront every bank serves
/// one word, to any number of lanes; what needs two words of a bank takes another wavefront. Transactions that say so (fabric::wavefront)
/// share a wavefront, every other transaction is one by itself, or several if it covers more words than there are banks. Wavefronts of one
/// warp (fabric::warp_tag) keep a distance, in which those of other warps go through the banks; those of the stream of an asynchronous
/// unit keep none.
///
/// Which bytes were written since their region began (fabric::new_region), and with a value, is kept, and told with reads
/// (fabric::undefined_bytes). So is which bytes a read must not rely on (fabric::proxy_access), as far as whoever orders accesses says so
/// (fabric::visibility_change).
class shared_memory final : public sc_core::sc_module,
                            public fabric::direct_shared_memory,
                            public fabric::stream_access,
                            public fabric::statistics_source,
                            public fabric::resettable {
 public:
  memory_target port;  ///< one link for each sub-core, bound in their order, then those of other units; addresses from 0 on

  struct params {
    config::shared_memory_parameters memory{};
    bool data = true;       ///< false: no bytes move, only time passes
    fabric::jitter ties{};  ///< draws the order of accesses that arrive in one cycle
  };

  shared_memory(const sc_core::sc_module_name& name, const params& parameters, fabric::clock_domain& clock);
  ~shared_memory() override;

  void announce(const fabric::wavefront_access& access) override;
  bool execute(fabric::wavefront_access& access) override;
  std::optional<answer> access(const request& wanted) override;

  /// As after construction.
  void reset() override;

  void collect(fabric::statistics_sink& sink) const override;

 private:
  /// The wavefront that a port's last transaction was part of.
  struct open_wavefront {
    explicit open_wavefront(unsigned bank_count) : banks(bank_count) {}
    bool open = false;
    std::uint64_t access = 0;
    std::uint32_t index = 0;
    cycle_t end = 0;
    bank_use banks;
  };

  /// What of an access the banks need to know.
  struct bank_access {
    wavefront_source source;
    std::uint64_t address;
    unsigned bytes;
    const fabric::wavefront* tag;  ///< null: it is a wavefront by itself
  };

  memory_target::callbacks callbacks();
  open_wavefront& wavefront_of(unsigned link);
  cycle_t serve(const bank_access& access, cycle_t arrival);
  cycle_t begin_wavefront(wavefront_source source, open_wavefront& wavefront, const fabric::wavefront* tag, cycle_t arrival);
  sc_core::sc_time access(unsigned link, tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  bool read(const fabric::wavefront_access& access) const;
  void serve(fabric::wavefront_access& access);
  void write(const fabric::wavefront_access& access);
  void begin_region(const fabric::new_region& region);
  void announced(unsigned link, tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  void change_visibility(const fabric::visibility_change& change);
  void move(tlm::tlm_generic_payload& payload, byte_writer writer);
  void mark(const tlm::tlm_generic_payload& payload, byte_writer writer);
  void mark(byte_range bytes, byte_writer writer, const unsigned char* undefined);
  void tell_marks(tlm::tlm_generic_payload& payload) const;
  void move(const byte_run& each, std::ptrdiff_t number, bool is_write, answer& result);
  void tell_marks(byte_range bytes, std::ptrdiff_t number, answer& read) const;
  void count_wavefront(wavefront_source source, bool is_conflict);

  const params params_;
  fabric::clock_domain& clock_;
  const unsigned word_shift_;  // from a byte address to a word of a bank
  fabric::zeroed_vector<unsigned char> bytes_;
  byte_marks marks_;
  wavefront_schedule schedule_;
  std::vector<open_wavefront> open_;  // by link
  std::uint64_t reads_ = 0, writes_ = 0, wavefronts_ = 0, conflicts_ = 0, bytes_read_ = 0, bytes_written_ = 0;
  std::uint64_t stream_wavefronts_ = 0, stream_conflicts_ = 0;  // among them
};

}  // namespace tc::memory
