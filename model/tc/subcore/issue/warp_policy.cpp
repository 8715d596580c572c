// SPDX-License-Identifier: Apache-2.0
#include "warp_policy.hpp"

#include <utility>

#include <tc/links/named_makers.hpp>
#include <tc/subcore/issue/greedy_policy.hpp>
#include <tc/subcore/issue/round_robin_policy.hpp>

namespace tc::subcore {

namespace {

template <greedy_policy::preference Preference>
std::unique_ptr<warp_policy> make_greedy(const config::issue_parameters& parameters) {
  return std::make_unique<greedy_policy>(Preference, parameters.patience_cycles);
}

std::unique_ptr<warp_policy> make_round_robin(const config::issue_parameters&) { return std::make_unique<round_robin_policy>(); }

links::named_makers<warp_policy_maker>& warp_policies() {
  static links::named_makers<warp_policy_maker> table("a warp policy", "sm.sub_core.issue.policy",
                                                      {{"greedy_then_youngest", make_greedy<greedy_policy::preference::youngest>},
                                                       {"greedy_then_oldest", make_greedy<greedy_policy::preference::oldest>},
                                                       {"loose_round_robin", make_round_robin}});
  return table;
}

}  // namespace

void add_warp_policy(const std::string& name, warp_policy_maker maker) { warp_policies().add(name, std::move(maker)); }

void require_warp_policy(const std::string& name) { warp_policies().find(name); }

std::unique_ptr<warp_policy> make_warp_policy(const config::issue_parameters& parameters) {
  return warp_policies().find(parameters.policy)(parameters);
}

}  // namespace tc::subcore
