// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <tc/config/sub_core_parameters.hpp>
#include <tc/links/instruction_protocol.hpp>
#include <tc/subcore/operands/operand_fetch.hpp>

namespace tc::subcore {

/// What there is to make an operand fetch from. A maker hands its policy what that uses.
struct operand_fetch_site {
  const config::sub_core_parameters& machine;
  operand_fetch::surroundings around;
  links::issue_wakeup& scheduler;  ///< to be told when something is free that it was told to wait for without a known time
};

/// Makes the operand fetch of one sub-core; the module gets the name given.
using operand_fetch_maker = std::function<std::unique_ptr<operand_fetch>(const char* name, const operand_fetch_site& site)>;

/// Makes a policy known by a name, which sm.sub_core.operand_fetch.policy gives. Before a machine that uses it is built, and not while
/// others are. Throws std::invalid_argument if the name is taken.
void add_operand_fetch_policy(const std::string& name, operand_fetch_maker maker);

/// Throws config::config_error, which lists the known policies, for a name that is none of them.
void require_operand_fetch_policy(const std::string& name);

/// The operand fetch of the policy that the machine names. "automatic" is collectors where there are collector units, else
/// port_reservation. Throws config::config_error, which lists the known policies, for any other.
std::unique_ptr<operand_fetch> make_operand_fetch(const char* name, const operand_fetch_site& site);

}  // namespace tc::subcore
