// SPDX-License-Identifier: Apache-2.0
#include "warp_policy.hpp"

#include <map>
#include <stdexcept>
#include <utility>

#include <tc/config/config_error.hpp>
#include <tc/subcore/issue/greedy_policy.hpp>
#include <tc/subcore/issue/round_robin_policy.hpp>

namespace tc::subcore {

namespace {

using warp_policy_table = std::map<std::string, warp_policy_maker>;

template <greedy_policy::preference Preference>
std::unique_ptr<warp_policy> make_greedy(const config::issue_parameters& parameters) {
  return std::make_unique<greedy_policy>(Preference, parameters.patience_cycles);
}

std::unique_ptr<warp_policy> make_round_robin(const config::issue_parameters&) { return std::make_unique<round_robin_policy>(); }

warp_policy_table& warp_policies() {
  static warp_policy_table table{{"greedy_then_youngest", make_greedy<greedy_policy::preference::youngest>},
                                 {"greedy_then_oldest", make_greedy<greedy_policy::preference::oldest>},
                                 {"loose_round_robin", make_round_robin}};
  return table;
}

std::string known_warp_policies() {
  std::string names;
  for (const auto& policy : warp_policies()) names += (names.empty() ? "" : ", ") + policy.first;
  return names;
}

}  // namespace

void add_warp_policy(const std::string& name, warp_policy_maker maker) {
  if (!warp_policies().emplace(name, std::move(maker)).second)
    throw std::invalid_argument("there is a warp policy \"" + name + "\" already");
}

std::unique_ptr<warp_policy> make_warp_policy(const config::issue_parameters& parameters) {
  const auto policy = warp_policies().find(parameters.policy);
  if (policy == warp_policies().end())
    throw config::config_error("sm.sub_core.issue.policy", "\"" + parameters.policy + "\" is not one of " + known_warp_policies());
  return policy->second(parameters);
}

}  // namespace tc::subcore
