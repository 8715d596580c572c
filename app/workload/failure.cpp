// SPDX-License-Identifier: Apache-2.0
#include "failure.hpp"

#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <stdexcept>

#include <systemc>

#include <tc/config/config_error.hpp>
#include <tc/device/run_error.hpp>
#include <tc/kernels/convolution_problem.hpp>
#include <tc/kernels/gemm_problem.hpp>
#include <tc/machine_code/code_error.hpp>
#include <tc/study/compressed_file.hpp>
#include <tc/trace/spool_file.hpp>
#include <tc/trace/trace_error.hpp>

#include "interruption.hpp"

namespace tcsim {

namespace {

template <class... Mistakes>
bool is_one_of(const std::exception& error) {
  return ((dynamic_cast<const Mistakes*>(&error) != nullptr) || ...);
}

/// Somebody can put these right.
bool is_mistake(const std::exception& error) {
  return is_one_of<usage_error, tc::config::config_error, tc::trace::trace_error, tc::trace::spool_error, tc::study::vector_error,
                   tc::machine_code::code_error, tc::device::run_error, tc::kernels::gemm_error, tc::kernels::convolution_error>(error);
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
  } catch (const interrupted& error) {
    return {status_of_interruption(), std::string(error.what()) + "; nothing was written"};
  } catch (const std::exception& error) {
    if (is_mistake(error)) return {exit_status::bad_input, error.what()};
    const bool is_expected = dynamic_cast<const std::runtime_error*>(&error) != nullptr;
    return {exit_status::model_stopped, is_expected ? error.what() : std::string("internal error: ") + error.what()};
  } catch (...) {
    return {exit_status::model_stopped, "internal error"};
  }
}

namespace {

void on_report(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
  if ((actions & sc_core::SC_DISPLAY) != 0) std::cerr << sc_core::sc_report_compose_message(report) << '\n';
  sc_core::sc_report_handler::default_handler(report, actions & ~static_cast<sc_core::sc_actions>(sc_core::SC_DISPLAY));
}

}  // namespace

void set_up_reports() {
  sc_core::sc_report_handler::set_handler(on_report);
  sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_LOG | sc_core::SC_THROW);
  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);  // "Simulation stopped by user", at the end of a run
}

}  // namespace tcsim
