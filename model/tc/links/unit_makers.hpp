// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <systemc>

#include <tc/config/machine.hpp>
#include <tc/config/make_dot_product.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/links/link_binder.hpp>

namespace tc::links {

/// What a maker of a unit gives: a module, and the ends of its links.
template <class Protocol>
struct made_unit {
  std::unique_ptr<sc_core::sc_module> module;   ///< the machine keeps it; null: somebody else does, at least as long
  std::vector<link_target<Protocol>*> sockets;  ///< in the order of the site's links; one that takes several stands here several times
  bool declined = false;                        ///< the site is left to the model's own unit
};
using made_memory = made_unit<link_binder::memory_protocol>;
using made_dot_products = made_unit<dot_product_protocol>;

/// Where in the machine a unit stands.
struct unit_place {
  unsigned sm = 0;        ///< of the GPU
  unsigned sub_core = 0;  ///< of the SM
  unsigned number = 0;    ///< among its like there
};

/// What every maker is told.
struct unit_site {
  unit_place place;
  bool data;                    ///< false: a run for time alone, in which pointers to data may be null and no value counts
  fabric::clock_domain& clock;  ///< of the machine; outlives the unit
};

/// The dot-product units of a tensor core, place.number, or those of a sub-core for the operands of warpgroup matrix instructions, which
/// come from shared memory. One socket. If those of a tensor core are declined, its threadgroups are asked for one by one.
struct dot_product_site : unit_site {
  const config::tensor_core_parameters& tensor_core;
  config::operand_source operands;
  std::optional<unsigned> threadgroup{};  ///< of the warp: the units of this one alone; absent: of all of the tensor core

  static constexpr const char* links = "dot_products";
  static constexpr unsigned sockets() { return 1; }
};

/// Bank place.number of a sub-core's register file (subcore/operands/bank_adapter.hpp). Sockets: bank_read, bank_write, and accumulator
/// if it is used.
struct register_bank_site : unit_site {
  const config::register_file_parameters& register_file;
  unsigned rows;      ///< of bank_protocol::row_bytes
  bool queues_reads;  ///< reads may be answered later than they arrive
  bool accumulator;   ///< there is a third link

  static constexpr const char* links = "bank_read, bank_write and, on a machine that uses it, accumulator";
  unsigned sockets() const { return accumulator ? 3 : 2; }
};

/// The tensor memory of SM place.sm. Sockets: one for each sub-core's loads and stores, then those of the allocation unit, and of the
/// tensor engine for accumulators, operands, copies and shifts (tmem/tensor_memory.hpp).
struct tensor_memory_site : unit_site {
  const config::tensor_memory_parameters& tensor_memory;

  static constexpr unsigned chunks = 4, engine_links = 5;
  static constexpr const char* links = "four of the chunks, then allocation, accumulators, operands, copies and shifts";
  static constexpr unsigned sockets() { return chunks + engine_links; }
};

/// Global memory (memory/memory_target.hpp). Sockets: for each SM its sub-cores and, from Hopper on, its bulk copies; then one for debug
/// transport alone.
struct global_memory_site : unit_site {
  const config::global_memory_parameters& global_memory;
  unsigned sms, links_per_sm;

  static constexpr const char* links = "those of each SM, then one for debug transport";
  unsigned sockets() const { return sms * links_per_sm + 1; }
};

/// Makes a unit for a site, or declines. `name` is that of the model's own unit in this place, and its parent in the hierarchy is being
/// built. May throw.
template <class Made, class Site>
using unit_maker = std::function<Made(const char* name, const Site& site)>;
using dot_product_maker = unit_maker<made_dot_products, dot_product_site>;
using register_bank_maker = unit_maker<made_memory, register_bank_site>;
using tensor_memory_maker = unit_maker<made_memory, tensor_memory_site>;
using global_memory_maker = unit_maker<made_memory, global_memory_site>;

/// Who makes the units of a machine that a user may replace; an empty maker: the model.
struct unit_makers {
  dot_product_maker dot_products;
  register_bank_maker register_bank;
  tensor_memory_maker tensor_memory;
  global_memory_maker global_memory;
};

/// The makers, on their way through the machine to a place in it.
struct unit_source {
  unit_makers makers{};
  unit_place place{};

  /// The place of one of several units there.
  unit_place at(unsigned number) const { return {place.sm, place.sub_core, number}; }
};

/// Reports what is wrong with a maker (report::unit_maker): `path` is that of the unit.
void report_maker(const std::string& path, const std::string& problem);
std::string too_few_sockets(std::size_t given, unsigned needed, const char* links);

/// Has a unit made as a child of `parent`: by its maker, or if there is none by `own`, a function that returns a Made. A maker that throws,
/// or gives too few sockets, is reported.
template <class Made, class Site, class Own>
Made make_unit(const unit_maker<Made, Site>& maker, const std::string& parent, const std::string& name, const Site& site, Own own) {
  if (!maker) return own();
  std::string problem;
  try {
    Made made = maker(name.c_str(), site);
    if (made.declined) return own();
    const auto sockets = made.sockets.size() - static_cast<std::size_t>(std::count(made.sockets.begin(), made.sockets.end(), nullptr));
    if (sockets >= site.sockets()) return made;
    problem = too_few_sockets(sockets, site.sockets(), Site::links);
  } catch (const std::exception& error) {
    problem = error.what();
  }
  report_maker(parent + "." + name, problem);
  return own();
}

}  // namespace tc::links
