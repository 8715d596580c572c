// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include <systemc>

#include <tc/config/machine.hpp>
#include <tc/engine/core_turns.hpp>
#include <tc/engine/operand_reader.hpp>
#include <tc/engine/product/operand_matrix.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/clocked.hpp>
#include <tc/fabric/resettable.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/links/run_observer.hpp>
#include <tc/links/warpgroup_transfer.hpp>

namespace tc::engine {

/// Feeds the tensor cores of an SM in warpgroup matrix instructions: when all four warps of a warpgroup have issued one, it reads A and B
/// from shared memory as their descriptors say, a core matrix of 128 bytes a cycle, and gives each sub-core its 16 rows of A, and B to all.
///
/// Instructions are served in the order in which their last warp came, those of one cycle by CTA slot and warpgroup [inferred]. The
/// operands of the next one are read while the tensor cores multiply, as far as the operand buffers have tiles. Products begin when A and
/// the first eight columns of B are there, and run as fast as the dot-product units can, but not ahead of the columns; core_turns says when
/// they have their turn. A in registers goes its own way, which is known by its times alone: a fill, a least interval, and the cycles in
/// which the registers of the next instruction of the warpgroup move over the operand bus, when nothing of it is multiplied.
class warpgroup_feed final : public sc_core::sc_module,
                             public fabric::statistics_source,
                             public fabric::resettable,
                             private fabric::clocked {
 public:
  links::warpgroup_request_multi_target<warpgroup_feed> request{"request"};          ///< by sub-core, in the order of binding
  sc_core::sc_vector<links::warpgroup_operands_initiator<warpgroup_feed>> operands;  ///< by sub-core
  links::shared_memory_initiator shared_memory;
  core_turns tensor_cores;  ///< by sub-core
  sc_core::sc_port<links::asynchronous_observer> observer{"observer"};

  struct params {
    config::sm_parameters sm{};
    bool data = true;  ///< false: no bytes move, only time passes
  };

  warpgroup_feed(const sc_core::sc_module_name& name, const params& parameters, fabric::clock_domain& clock);
  ~warpgroup_feed() override;

  /// A kernel is given up: no instruction waits for warps that have not issued it, until the next kernel begins. It is served as if they
  /// had.
  void let_go();
  void begin_kernel() { lets_wait_ = true; }

  /// True if no instruction waits for operands and no payload is in use.
  bool idle() const { return waiting_.empty() && reading_ == nullptr && reader_.idle(); }
  /// Who waits for what: a line for each warpgroup of which some warps have issued an instruction and others have not.
  void describe(std::vector<std::string>& lines) const;

  void reset() override;
  void collect(fabric::statistics_sink& sink) const override;

 private:
  struct group_state;

  /// One instruction of a warpgroup.
  struct job : operand_read {
    std::array<links::warp_instruction*, links::warps_per_warpgroup> parts{};
    std::array<unsigned, links::warps_per_warpgroup> sub_cores{};
    unsigned arrived = 0;  ///< parts
    cycle_t ready = 0;     ///< when the last part came
    const isa::wgmma_operation* operation = nullptr;
    operand_matrix a, b;
    group_state* group = nullptr;
    unsigned sent = 0;     ///< core matrices; those of A come first
    bool differs = false;  ///< parts are not the same instruction: only time passes
    bool begun = false;    ///< the cycles of its products are known
    cycle_t products_begin = 0, products_end = 0;

    /// One of the parts that are there.
    const links::warp_instruction& a_part() const {
      return **std::find_if(parts.begin(), parts.end(), [](const auto* each) { return each != nullptr; });
    }
    bool reads_a() const { return !operation->a_in_registers; }
    unsigned a_cores() const { return reads_a() ? a.cores() : 0; }
    unsigned cores() const { return a_cores() + b.cores(); }
  };

  /// A warpgroup of a CTA.
  struct group_key {
    std::uint32_t cta_slot = 0, group = 0;
    bool operator<(const group_key& other) const { return cta_slot != other.cta_slot ? cta_slot < other.cta_slot : group < other.group; }
  };
  struct group_state {
    group_key key{};
    std::deque<std::unique_ptr<job>> arriving;  ///< in order; not all parts are there
    cycle_t begun = 0, multiplied = 0;          ///< begin and end of its last products
  };

  tlm::tlm_sync_enum requested(int sub_core, links::warp_instruction& part, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void serve(group_state& group, cycle_t ready);
  void add(job& whole, links::warp_instruction& part, unsigned warp, unsigned sub_core);
  std::unique_ptr<job> new_job();

  void evaluate(cycle_t cycle) override;
  cycle_t earliest_read() const;
  void begin(job& next);
  void read_core(cycle_t arrival);
  void go_on(job& reading);

  void schedule_products(job& started);
  void multiply_last_columns(job& done);
  void finish(job& done);
  void tell(job& of, const tlm::tlm_phase& what);
  cycle_t product_cycles(const job& of, unsigned columns) const;
  void report(const char* type, const job& of, const std::string& text);

  const params params_;
  fabric::clock_domain& clock_;
  const std::size_t clocked_id_;
  operand_reader reader_;
  operand_layouts layouts_;
  std::map<group_key, group_state> groups_;
  std::deque<std::unique_ptr<job>> waiting_;  ///< complete, in order
  std::unique_ptr<job> reading_;              ///< whose operands are being read
  std::vector<std::unique_ptr<job>> free_jobs_;
  std::vector<cycle_t> tile_free_;  ///< operand tiles, taken in turn
  std::size_t next_tile_ = 0;
  cycle_t feed_free_ = 0;  ///< first cycle in which another core matrix may be asked for
  links::warpgroup_operands transfer_{};
  bool lets_wait_ = true;  ///< false: the kernel is given up
  std::uint64_t instructions_ = 0, core_matrices_ = 0, busy_cycles_ = 0, product_cycles_ = 0;
};

}  // namespace tc::engine
