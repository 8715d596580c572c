// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <systemc>

#include <tc/fabric/clocked.hpp>

namespace tc::fabric {

/// A module that wants to know what is wrong with what it runs, instead of an error that ends simulation. Units tell fault(), which finds
/// the listener among the modules around them, if it is a public base of one.
class fault_listener {
 public:
  /// Takes note of a report, its message type and text. False: it is an error, as it would be without the listener. May be called from
  /// anywhere inside a unit, and acts in a later edge only.
  virtual bool take_fault(const char* type, const std::string& text) = 0;

 protected:
  ~fault_listener() = default;
};

/// Reports what a program does wrong, or a memory that it uses, in an object and a cycle: to the innermost fault_listener around the
/// object, or else as error() does. Callers must stay well defined when it returns.
void fault(const char* type, const sc_core::sc_object& where, cycle_t cycle, std::string_view text, const char* file = __builtin_FILE(),
           int line = __builtin_LINE());

/// The same for an object without a clock domain: names the simulation time instead of a cycle.
void fault(const char* type, const sc_core::sc_object& where, std::string_view text, const char* file = __builtin_FILE(),
           int line = __builtin_LINE());

}  // namespace tc::fabric
