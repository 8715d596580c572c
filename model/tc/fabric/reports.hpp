#pragma once

#include <string_view>

#include <systemc>

#include <tc/fabric/clocked.hpp>

namespace tc::fabric {

/// Message types of the reports this library makes, `/tc/<unit>/<topic>`: what a user filters on with sc_report_handler::set_actions.
namespace report {

inline constexpr const char* clock_period = "/tc/clock/period";  ///< not positive, or not a whole multiple of the time resolution

inline constexpr const char* initiator_phase = "/tc/initiator/phase";    ///< a target sent a phase that is illegal at that point
inline constexpr const char* initiator_result = "/tc/initiator/result";  ///< a target returned what the phase does not allow
inline constexpr const char* target_phase = "/tc/target/phase";          ///< an initiator sent a phase that is illegal at that point
inline constexpr const char* target_delay = "/tc/target/delay";          ///< a memory answers before the request arrives
inline constexpr const char* target_payload = "/tc/target/payload";      ///< a payload of a non-blocking call has no memory manager

inline constexpr const char* operand_fetch_response = "/tc/operand_fetch/response";  ///< a register bank answered a read with an error
inline constexpr const char* operand_fetch_late = "/tc/operand_fetch/late";          ///< a register bank answered after the dispatch
inline constexpr const char* write_back_response = "/tc/write_back/response";        ///< a register bank answered a write with an error
inline constexpr const char* write_back_late = "/tc/write_back/late";                ///< a register bank has written later than asked to
inline constexpr const char* write_back_preset = "/tc/write_back/preset";            ///< a register bank takes no debug write

inline constexpr const char* trace_content = "/tc/trace/content";  ///< a trace cannot be read while it runs: damaged, or its file is gone

inline constexpr const char* memory_region = "/tc/memory/region";  ///< a memory lacks bytes that the trace gives it or expects in it
inline constexpr const char* load_store_window = "/tc/load_store/window";    ///< an address outside the CTA's shared memory
inline constexpr const char* load_store_memory = "/tc/load_store/memory";    ///< a memory answered with an error
inline constexpr const char* load_store_barrier = "/tc/load_store/barrier";  ///< an mbarrier that is none, or that counts no more

inline constexpr const char* bulk_copy_window = "/tc/bulk_copy/window";    ///< a copy outside the CTA's shared memory
inline constexpr const char* bulk_copy_memory = "/tc/bulk_copy/memory";    ///< a memory answered with an error
inline constexpr const char* bulk_copy_barrier = "/tc/bulk_copy/barrier";  ///< an mbarrier does not take the bytes of a copy

inline constexpr const char* unit_maker = "/tc/unit/maker";  ///< of a unit of the user's: it throws, or gives too few sockets

inline constexpr const char* kernel_end = "/tc/gpu/kernel_end";  ///< a unit has open transactions when all warps have exited

inline constexpr const char* bus_parameters = "/tc/bus/parameters";  ///< parameters of a bus interface that fit no bus

inline constexpr const char* monitor_attributes = "/tc/monitor/attributes";            ///< illegal attribute value in a request
inline constexpr const char* monitor_phase_order = "/tc/monitor/phase_order";          ///< phase or result out of order
inline constexpr const char* monitor_exclusion = "/tc/monitor/exclusion";              ///< two requests or two responses at once
inline constexpr const char* monitor_response = "/tc/monitor/response";                ///< answered without a response status
inline constexpr const char* monitor_modified = "/tc/monitor/modified";                ///< attribute changed by the wrong side
inline constexpr const char* monitor_memory_manager = "/tc/monitor/memory_manager";    ///< payload unmanaged or unreferenced
inline constexpr const char* monitor_reference_count = "/tc/monitor/reference_count";  ///< payload not released at the end
inline constexpr const char* monitor_incomplete = "/tc/monitor/incomplete";            ///< transaction not complete at the end
inline constexpr const char* monitor_delay = "/tc/monitor/delay";                      ///< annotated time went backwards
inline constexpr const char* monitor_reentry = "/tc/monitor/reentry";                  ///< called back from inside a call
inline constexpr const char* monitor_wait = "/tc/monitor/wait";                        ///< a call waited that must not, or had no thread to
inline constexpr const char* monitor_dataflow = "/tc/monitor/dataflow";                ///< an answer that a dataflow link does not allow
inline constexpr const char* monitor_debug = "/tc/monitor/debug";                      ///< illegal debug request, or answer to one
inline constexpr const char* monitor_direct_memory = "/tc/monitor/direct_memory";  ///< illegal region for direct access, or request of one
inline constexpr const char* monitor_extension = "/tc/monitor/extension";          ///< an extension was removed or replaced on the way

}  // namespace report

/// Reports an error a user can cause, with the object and the cycle it happened in. Throws sc_report unless the user changed SystemC's
/// action for `type` (one of the constants above); callers must stay well defined if it returns.
void error(const char* type, std::string_view object_path, cycle_t cycle, std::string_view text, const char* file = __builtin_FILE(),
           int line = __builtin_LINE());

/// The same for an object without a clock domain: names the simulation time instead of a cycle.
void error(const char* type, std::string_view object_path, std::string_view text, const char* file = __builtin_FILE(),
           int line = __builtin_LINE());

}  // namespace tc::fabric
