// SPDX-License-Identifier: Apache-2.0
#include "failure.hpp"

#include <exception>
#include <filesystem>
#include <new>
#include <stdexcept>

#include <systemc>

#include <tc/config/config_error.hpp>
#include <tc/device/run_error.hpp>
#include <tc/kernels/convolution_error.hpp>
#include <tc/kernels/gemm_error.hpp>
#include <tc/study/vector_error.hpp>
#include <tc/trace/spool_file.hpp>
#include <tc/trace/trace_error.hpp>

namespace tcsim {

namespace {

template <class... Mistakes>
bool is_one_of(const std::exception& error) {
  return ((dynamic_cast<const Mistakes*>(&error) != nullptr) || ...);
}

/// Somebody can put these right.
bool is_mistake(const std::exception& error) {
  return is_one_of<usage_error, tc::config::config_error, tc::trace::trace_error, tc::trace::spool_error, tc::study::vector_error,
                   tc::device::run_error, tc::kernels::gemm_error, tc::kernels::convolution_error>(error);
}

}  // namespace

failure current_failure() {
  try {
    throw;
  } catch (const sc_core::sc_report& report) {
    return {exit_status::model_stopped, std::string(report.get_msg_type()) + ": " + report.get_msg()};
  } catch (const std::bad_alloc&) {
    return {exit_status::model_stopped, "out of memory"};
  } catch (const std::filesystem::filesystem_error& error) {  // no permission, a link to itself, too long a name, a full disk
    return {exit_status::bad_input, error.path1().string() + ": " + error.code().message()};
  } catch (const std::exception& error) {
    if (is_mistake(error)) return {exit_status::bad_input, error.what()};
    const bool is_expected = dynamic_cast<const std::runtime_error*>(&error) != nullptr;
    return {exit_status::model_stopped, is_expected ? error.what() : std::string("internal error: ") + error.what()};
  } catch (...) {
    return {exit_status::model_stopped, "internal error"};
  }
}

}  // namespace tcsim
