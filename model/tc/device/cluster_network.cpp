// SPDX-License-Identifier: Apache-2.0
#include "cluster_network.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <tc/device/streaming_multiprocessor.hpp>
#include <tc/engine/engine_reports.hpp>
#include <tc/engine/tensor/tensor_reports.hpp>
#include <tc/links/arrival_cycle.hpp>

namespace tc::device {

namespace report = engine::report;

namespace {

constexpr std::uint32_t mask_bits = 16;  // of the mask of CTAs (PTX ISA, tcgen05.commit)

}  // namespace

cluster_network::cluster_network(const sc_core::sc_module_name& module_name, const cta_dispatcher& dispatcher,
                                 sc_core::sc_vector<streaming_multiprocessor>& sms, fabric::clock_domain& clock, links::link_binder& binder)
    : sc_module(module_name), dispatcher_(dispatcher), sms_(sms), clock_(clock), barriers_("barrier", sms.size()) {
  for (std::size_t i = 0; i < sms.size(); ++i) {
    barriers_[i].register_nb_transport_bw(this, &cluster_network::answered);
    binder.bind("barrier", barriers_[i], *sms[i].barriers());
  }
}

cluster_network::~cluster_network() = default;

void cluster_network::arrive(const commit& what, cycle_t cycle) {
  sent_commit& sent = commits_.emplace_back();
  sent.what = what;
  for (std::uint32_t rank = 0; rank < mask_bits; ++rank) {
    if ((what.cta_mask >> rank & 1u) == 0) continue;
    if (const std::optional<arrival> found = find(what, rank); found) sent.arrivals.push_back(*found);
  }
  sent.unanswered = sent.arrivals.size() + 1;  // and this call
  for (arrival& each : sent.arrivals) {
    each.what.owner = &sent;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = clock_.delay_to(cycle);
    if (barriers_[each.sm]->nb_transport_fw(each.what, phase, delay) == tlm::TLM_COMPLETED) answered(each.what, phase, delay);
  }
  count(sent, cycle);
}

/// The arrival at the CTA of a rank; nothing if there is none, which has been reported.
std::optional<cluster_network::arrival> cluster_network::find(const commit& what, std::uint32_t rank) const {
  const warp::warp_context& warp = *what.origin.warp;
  const kernel& kernel = *dispatcher_.running();
  if (const std::uint64_t ctas = kernel.header().cluster.count(); rank >= ctas) {
    refuse(what, rank, fmt::format("which has {} CTAs", ctas));
    return {};
  }
  trace::cta_entry origin;
  origin.x = warp.cta_id[0];
  origin.y = warp.cta_id[1];
  origin.z = warp.cta_id[2];
  const std::uint32_t cta = kernel.number_of_rank(origin, rank);
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    const warp::warp_context* const target = sms_[i].warp_of(cta);
    if (target == nullptr) continue;
    arrival found{i};
    found.what.action = isa::barrier_action::arrive;
    found.what.of_commit = true;
    found.what.address = target->shared_base + what.offset;
    found.what.warp = &warp;
    if (cta == warp.cta || (kernel.has_pairs() && cta == warp.peer_cta)) found.what.commit = what.number;
    return found;
  }
  refuse(what, rank, fmt::format("but CTA {} does not run: it has ended, or the trace does not hold it", cta));
  return {};
}

void cluster_network::refuse(const commit& what, std::uint32_t rank, const std::string& text) const {
  engine::report_tensor_error(report::tensor_barrier, *this, clock_.cycle(), what.origin,
                              fmt::format("the mask {:#x} selects rank {} of the cluster, {}", what.cta_mask, rank, text));
}

tlm::tlm_sync_enum cluster_network::answered(links::barrier_transfer& what, tlm::tlm_phase&, sc_core::sc_time& delay) {
  auto& sent = *static_cast<sent_commit*>(what.owner);
  if (what.response != links::barrier_response::done)
    engine::report_tensor_error(report::tensor_barrier, *this, clock_.cycle(), sent.what.origin,
                                fmt::format("an mbarrier of the cluster {}", engine::text_of(what.response)));
  count(sent, links::arrival_cycle(clock_, delay));
  return tlm::TLM_COMPLETED;
}

/// One of those that a commit waits for has answered.
void cluster_network::count(sent_commit& sent, cycle_t cycle) {
  sent.latest = std::max(sent.latest, cycle);
  if (--sent.unanswered > 0) return;
  const auto place = std::find_if(commits_.begin(), commits_.end(), [&sent](const sent_commit& each) { return &each == &sent; });
  const auto arrived = std::move(place->what.arrived);
  const cycle_t latest = place->latest;
  commits_.erase(place);
  arrived(latest);
}

}  // namespace tc::device
