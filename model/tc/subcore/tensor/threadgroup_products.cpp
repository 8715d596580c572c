// SPDX-License-Identifier: Apache-2.0
#include "threadgroup_products.hpp"

#include <algorithm>
#include <utility>

#include <tc/subcore/tensor/tensor_reports.hpp>

namespace tc::subcore {

namespace {

/// Whether a threadgroup's units are of another make.
bool is_made(const links::made_dot_products& units) { return !units.sockets.empty(); }

/// Words of an element of C and D.
unsigned words_of_sum(const isa::mma_operation& mma) { return isa::bits(mma.d) == 64 ? 2 : 1; }

/// Calls `visit(place in the whole, place in the part)` for the words of C or D of some rows.
template <class Rows, class Visit>
void for_each_word(const links::dot_product_transfer& whole, const Rows& which, const Visit& visit) {
  const unsigned words = words_of_sum(*whole.mma);
  unsigned own = 0;
  for (unsigned column = 0; column < whole.shape.columns; ++column)
    for (unsigned i = 0; i < which.count; ++i)
      for (unsigned word = 0; word < words; ++word) visit((column * whole.shape.rows + which.first + i * which.step) * words + word, own++);
}

}  // namespace

threadgroup_products::threadgroup_products(const sc_core::sc_module_name& module_name, const links::dot_product_site& site,
                                           made_units units)
    : sc_module(module_name),
      threadgroups_(static_cast<unsigned>(units.size())),
      model_("model", site.tensor_core.arithmetic, site.operands),
      units_(std::move(units)),
      ask_("ask") {
  products.serve<&threadgroup_products::multiply>(*this);
  const auto answered = [this](links::dot_product_transfer& sums) { came_late(static_cast<part&>(sums)); };
  ask_model_.answer_to(site.clock, report::tensor_answer, answered);
  ask_model_.bind(model_.products);
  links_.assign(threadgroups_, &ask_model_);
  ask_.init(static_cast<std::size_t>(std::count_if(units_.begin(), units_.end(), is_made)));
  auto link = ask_.begin();
  for (unsigned i = 0; i < threadgroups_; ++i) {
    if (!is_made(units_[i])) continue;
    link->answer_to(site.clock, report::tensor_answer, answered);
    link->bind(*units_[i].sockets[0]);
    links_[i] = &*link++;
  }
}

threadgroup_products::~threadgroup_products() = default;

/// Of one product of the warp, the rows of the threadgroups stand side by side; of products of octets, each has its lower threadgroup's
/// rows and then the upper one's.
threadgroup_products::rows threadgroup_products::rows_of(const links::dot_product_transfer& whole, unsigned threadgroup) const {
  const bool is_of_octets = whole.mma->instances != 1;
  if (!is_of_octets) return {0, threadgroup, threadgroups_, whole.shape.rows / threadgroups_};
  const unsigned octets = threadgroups_ / 2, half = whole.shape.rows / 2;
  return {threadgroup % octets, threadgroup < octets ? 0 : half, 1, half};
}

tlm::tlm_sync_enum threadgroup_products::multiply(links::dot_product_transfer& whole, [[maybe_unused]] tlm::tlm_phase& phase,
                                                  sc_core::sc_time&) {
  sc_assert(phase == tlm::BEGIN_REQ);
  job& started = jobs_.get();
  started.asked = &whole;
  started.parts.resize(threadgroups_);
  started.outstanding = threadgroups_ + 1;
  for (unsigned i = 0; i < threadgroups_; ++i) ask(started, i);
  if (--started.outstanding != 0) return tlm::TLM_ACCEPTED;
  jobs_.put_back(started);
  return tlm::TLM_COMPLETED;
}

void threadgroup_products::ask(job& owner, unsigned threadgroup) {
  const links::dot_product_transfer& whole = *owner.asked;
  const rows which = rows_of(whole, threadgroup);
  part& asked = owner.parts[threadgroup];
  static_cast<links::dot_product_transfer&>(asked) = whole;
  asked.owner = &owner;
  asked.shape.products = 1;
  asked.shape.rows = which.count;
  if (whole.d != nullptr) {
    const std::uint32_t* const a = whole.a + std::size_t{which.product} * whole.a_words();
    const std::uint32_t* const c = whole.c + std::size_t{which.product} * whole.d_words();
    asked.own_a.clear();
    for (unsigned word = 0; word < whole.a_words(); word += whole.shape.rows)
      for (unsigned i = 0; i < which.count; ++i) asked.own_a.push_back(a[word + which.first + i * which.step]);
    asked.own_c.resize(asked.d_words());
    asked.own_d.resize(asked.d_words());
    for_each_word(whole, which, [&](unsigned in_whole, unsigned own) { asked.own_c[own] = c[in_whole]; });
    asked.a = asked.own_a.data();
    asked.b = whole.b + std::size_t{which.product} * whole.b_words();
    asked.c = asked.own_c.data();
    asked.d = asked.own_d.data();
  }
  if (links_[threadgroup]->ask(asked)) take(asked);
}

void threadgroup_products::take(part& sums) {
  job& owner = *sums.owner;
  links::dot_product_transfer& whole = *owner.asked;
  if (whole.d != nullptr) scatter(sums, rows_of(whole, static_cast<unsigned>(&sums - owner.parts.data())));
  whole.complete = std::max(whole.complete, sums.complete);
  --owner.outstanding;
}

/// Units that take time of their own have done a part.
void threadgroup_products::came_late(part& sums) {
  take(sums);
  job& owner = *sums.owner;
  if (owner.outstanding != 0) return;
  jobs_.put_back(owner);
  tlm::tlm_phase answer = tlm::BEGIN_RESP;
  sc_core::sc_time delay;
  products->nb_transport_bw(*owner.asked, answer, delay);
}

void threadgroup_products::scatter(const part& sums, const rows& which) const {
  const links::dot_product_transfer& whole = *sums.owner->asked;
  std::uint32_t* const d = whole.d + std::size_t{which.product} * whole.d_words();
  for_each_word(whole, which, [&](unsigned in_whole, unsigned own) { d[in_whole] = sums.own_d[own]; });
}

}  // namespace tc::subcore
