// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <systemc>

#include <tc/fabric/clocked.hpp>

namespace tc::fabric {

/// Message types of the reports this library makes, `/tc/<unit>/<topic>`: what a user filters on with sc_report_handler::set_actions.
namespace report {

/// The period of a clock is not positive, or not a whole multiple of the time resolution.
/// Cure: Choose a frequency (`clock_mhz`) whose period is a multiple, or call `sc_core::sc_set_time_resolution` with a finer one before
/// anything else.
inline constexpr const char* clock_period = "/tc/clock/period";

/// A target sent a phase that is illegal at that point of the transaction.
/// Cure: Correct the target: END_REQ, BEGIN_RESP and END_RESP come once each and in this order (IEEE 1666-2011, 15.2.6). A protocol
/// monitor on the link shows the call.
inline constexpr const char* initiator_phase = "/tc/initiator/phase";

/// A target returned from `nb_transport_fw` what the phase does not allow.
/// Cure: Correct the target: TLM_UPDATED carries a later phase, TLM_COMPLETED a response status (IEEE 1666-2011, 15.2.6).
inline constexpr const char* initiator_result = "/tc/initiator/result";

/// An initiator sent a phase that is illegal at that point of the transaction.
/// Cure: Correct the initiator: BEGIN_REQ begins a transaction, END_RESP ends it, and nothing else is sent on the forward path.
inline constexpr const char* target_phase = "/tc/target/phase";

/// A memory finishes an access before its request arrives: the delay it gives is shorter than the one it was called with.
/// Cure: Let the memory add its latency to the delay that it is given instead of replacing it.
inline constexpr const char* target_delay = "/tc/target/delay";

/// A payload of a non-blocking call has no memory manager.
/// Cure: Take payloads of non-blocking calls from a pool (`fabric::payload_pool`, or any `tlm::tlm_mm_interface`): a target may keep
/// them beyond the call.
inline constexpr const char* target_payload = "/tc/target/payload";

/// A register bank answered a read of operands with an error.
/// Cure: Correct the unit that stands for the register bank; its window is the rows of the bank's registers, 128 bytes each.
inline constexpr const char* operand_fetch_response = "/tc/operand_fetch/response";

/// A register bank answered a read of operands after the cycle in which the execution unit takes them.
/// Cure: Let the bank answer in time: without collector units, the cycle in which operands are there is settled when an instruction
/// issues. Banks that take as long as they like need `sm.sub_core.operand_fetch.collector_units` of 1 or more.
inline constexpr const char* operand_fetch_late = "/tc/operand_fetch/late";

/// A register bank answered a write of results with an error.
/// Cure: Correct the unit that stands for the register bank: it must take writes with byte enables to all of its rows.
inline constexpr const char* write_back_response = "/tc/write_back/response";

/// A register bank has written a result later than it was asked to.
/// Cure: Let the bank write in the cycle of its request: an instruction that waits for the result may have issued already.
inline constexpr const char* write_back_late = "/tc/write_back/late";

/// A register bank does not take the register values that a trace presets.
/// Cure: Implement `transport_dbg` with writes in the unit that stands for the register bank.
inline constexpr const char* write_back_preset = "/tc/write_back/preset";

/// A trace cannot be read any further while it runs: it is damaged, or its file or an image has changed or gone.
/// Cure: Leave traces and images in place until the run ends; make a damaged one anew. `tcsim trace check` reads all of it.
inline constexpr const char* trace_content = "/tc/trace/content";

/// A kernel that is executed did what no GPU does for it: an access outside of its memory, a jump into nothing, an instruction that is not
/// executed.
/// Cure: `tcsim execute` finds most of this without time. If the code is right, an opcode may be missing: docs/opcodes.md has them.
inline constexpr const char* execution = "/tc/kernel/execution";

/// A memory does not take the bytes that a trace gives it, or does not show those that it expects.
/// Cure: Give the global memory of the platform the regions of the trace (`memory` and `expect` lines), and implement `transport_dbg`.
inline constexpr const char* memory_region = "/tc/memory/region";

/// Kernels use more pages of global memory than may take memory of the host.
/// Cure: If the addresses are right, allow more: `--set global_memory.max_bytes=N`. Each page of 65536 bytes counts in which a byte was
/// accessed.
inline constexpr const char* memory_full = "/tc/memory/full";

/// A load or store accesses shared memory outside of its CTA's window.
/// Cure: Correct the address, or give the kernel more shared memory: `shared BYTES` in the head of the trace.
inline constexpr const char* load_store_window = "/tc/load_store/window";

/// A memory answered a load or store with an error.
/// Cure: If the message says TLM_ADDRESS_ERROR, no `memory` line gives these bytes, or the platform maps nothing there: add the region
/// or correct the address.
inline constexpr const char* load_store_memory = "/tc/load_store/memory";

/// An instruction names an mbarrier that is none, or that cannot count as far.
/// Cure: Initialise it with `mbarrier.init` before all others use it, at a multiple of 8 in shared memory; expect fewer than 2^20 bytes
/// a phase.
inline constexpr const char* load_store_barrier = "/tc/load_store/barrier";

/// Warps arrive at the same barrier of a CTA (BAR) for different numbers of threads.
/// Cure: Give all of them the same number; a barrier for all threads of the block has none, also where the number would be as large.
inline constexpr const char* barrier_threads = "/tc/barrier/threads";

/// A bulk copy accesses shared memory outside of its CTA's window.
/// Cure: Correct the address or the size of the copy, or give the kernel more shared memory: `shared BYTES` in the head of the trace.
inline constexpr const char* bulk_copy_window = "/tc/bulk_copy/window";

/// A memory answered a bulk copy with an error.
/// Cure: Add a `memory` line for the bytes of the copy or tensor map, or correct its base address; in a platform, map that memory.
inline constexpr const char* bulk_copy_memory = "/tc/bulk_copy/memory";

/// The mbarrier of a bulk copy does not take its bytes.
/// Cure: Initialise it with `mbarrier.init` before the copy, and expect as many bytes as come (`mbarrier.arrive.expect_tx`).
inline constexpr const char* bulk_copy_barrier = "/tc/bulk_copy/barrier";

/// A maker of a user's unit throws, or makes a unit with too few sockets.
/// Cure: Correct the maker: docs/units.md says which sockets the unit that it replaces has.
inline constexpr const char* unit_maker = "/tc/unit/maker";

/// All warps of a kernel have exited, but a unit has not answered all that it was asked.
/// Cure: Correct the unit of your own that is in the machine: it must complete each transaction before the last warp exits.
inline constexpr const char* kernel_end = "/tc/gpu/kernel_end";

/// Parameters of a bus interface that fit no bus.
/// Cure: Choose 1 or more sockets, outstanding transactions and bytes of a burst, and an interleaving that is a multiple of a burst.
inline constexpr const char* bus_parameters = "/tc/bus/parameters";

/// The parameter `outstanding` of a bus interface makes the machine wait (warning, once for each bus interface).
/// Cure: Leave `outstanding` out, and the machine has as many transactions on their way as its units can; most_outstanding of the
/// statistics says how many that were. If the platform's bus takes no more, switch the warning off for this type.
inline constexpr const char* bus_outstanding = "/tc/bus/outstanding";

/// A request has an attribute value that is illegal (IEEE 1666-2011, 14.7).
/// Cure: Correct the initiator: data pointer, length, byte enables, streaming width and response status are set anew for each
/// transaction.
inline constexpr const char* monitor_attributes = "/tc/monitor/attributes";

/// A phase or a returned value comes out of order.
/// Cure: Correct the side that the message names: BEGIN_REQ, END_REQ, BEGIN_RESP, END_RESP; BEGIN_RESP stands for END_REQ where that is
/// left out.
inline constexpr const char* monitor_phase_order = "/tc/monitor/phase_order";

/// A second request begins before the first one has ended, or a second response.
/// Cure: Let the initiator wait for END_REQ before its next BEGIN_REQ, and the target for END_RESP before its next BEGIN_RESP.
inline constexpr const char* monitor_exclusion = "/tc/monitor/exclusion";

/// A transaction is answered without a response status.
/// Cure: Set the response status in the target before BEGIN_RESP, or before it returns TLM_COMPLETED.
inline constexpr const char* monitor_response = "/tc/monitor/response";

/// An attribute was changed by the side that must not.
/// Cure: Leave command, address, data pointer, length, byte enables and streaming width as they are in the target, and the data of
/// writes; interconnects may change the address.
inline constexpr const char* monitor_modified = "/tc/monitor/modified";

/// The payload of a non-blocking call has no memory manager, or nobody holds a reference to it.
/// Cure: Take payloads from a pool, and call `acquire` before the first call and `release` after the last.
inline constexpr const char* monitor_memory_manager = "/tc/monitor/memory_manager";

/// A payload was not released when its transaction ended.
/// Cure: Call `release` once for each `acquire`, in the initiator and in each component on the way.
inline constexpr const char* monitor_reference_count = "/tc/monitor/reference_count";

/// A transaction is not complete at the end of simulation.
/// Cure: Let the target answer each request, or simulate longer; the message says which phase is missing.
inline constexpr const char* monitor_incomplete = "/tc/monitor/incomplete";

/// Annotated time goes backwards: an answer is earlier than what it answers.
/// Cure: Add to the delay that was given; never make it shorter.
inline constexpr const char* monitor_delay = "/tc/monitor/delay";

/// A component is called back from inside its own call, or with a payload that is still under way.
/// Cure: Send answers on the backward path from a process of the target, or return them; use each payload for one transaction at a
/// time.
inline constexpr const char* monitor_reentry = "/tc/monitor/reentry";

/// A call waited that must not, or a blocking call comes from a process that cannot wait.
/// Cure: Do not call `wait` in `nb_transport`, `transport_dbg` and `get_direct_mem_ptr`; call `b_transport` from a thread process.
inline constexpr const char* monitor_wait = "/tc/monitor/wait";

/// An answer that a dataflow link inside a tensor core does not allow.
/// Cure: Complete each transfer in its call: dataflow links have one phase (docs/protocol.md).
inline constexpr const char* monitor_dataflow = "/tc/monitor/dataflow";

/// An illegal debug request, or an illegal answer to one.
/// Cure: Return at most the number of bytes that was asked for, and 0 without changing anything where debug access is not possible.
inline constexpr const char* monitor_debug = "/tc/monitor/debug";

/// An illegal region for direct access, or an illegal request of one.
/// Cure: Return a region that contains the address asked for, with start before end and access that was granted (IEEE 1666-2011, 11.3).
inline constexpr const char* monitor_direct_memory = "/tc/monitor/direct_memory";

/// An extension was removed or replaced on the way of a transaction.
/// Cure: Leave ignorable extensions that are not yours in the payload; add your own and take them away before the answer.
inline constexpr const char* monitor_extension = "/tc/monitor/extension";

}  // namespace report

/// Reports an error a user can cause, with the object and the cycle it happened in. Throws sc_report unless the user changed SystemC's
/// action for `type` (one of the constants above); callers must stay well defined if it returns.
void error(const char* type, std::string_view object_path, cycle_t cycle, std::string_view text, const char* file = __builtin_FILE(),
           int line = __builtin_LINE());

/// The same for an object without a clock domain: names the simulation time instead of a cycle.
void error(const char* type, std::string_view object_path, std::string_view text, const char* file = __builtin_FILE(),
           int line = __builtin_LINE());

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
