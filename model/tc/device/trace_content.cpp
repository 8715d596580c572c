#include "trace_content.hpp"

#include <algorithm>
#include <stdexcept>

#include <tc/fabric/fault_listener.hpp>
#include <tc/fabric/reports.hpp>

namespace tc::device {

bool play(const sc_core::sc_object& where, trace::warp_player& player, trace::step& step) {
  try {
    return player.next(step);
  } catch (const std::runtime_error& error) {
    fabric::fault(fabric::report::trace_content, where, error.what());
  }
  return false;
}

bool copy(const sc_core::sc_object& where, const trace::memory_content& content, std::uint64_t offset, std::uint8_t* destination,
          std::size_t count) {
  try {
    content.copy(offset, destination, count);
    return true;
  } catch (const std::runtime_error& error) {
    fabric::fault(fabric::report::trace_content, where, error.what());
  }
  std::fill_n(destination, count, std::uint8_t{0});
  return false;
}

}  // namespace tc::device
