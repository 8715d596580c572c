// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <scratch_folder.hpp>
#include <string>

#include <gtest/gtest.h>

#include <tc/device/streaming_multiprocessor.hpp>
#include <tc/engine/engine_reports.hpp>
#include <tc/engine/tensor/tensor_reports.hpp>
#include <tc/fabric/extensions.hpp>
#include <tc/fabric/reports.hpp>
#include <tc/subcore/tensor/tensor_reports.hpp>
#include <tc/subcore/tensor_memory/tensor_memory_reports.hpp>
#include <tc/subcore/warpgroup/warpgroup_reports.hpp>

#include "late_dot_products.hpp"
#include "memory_stand_ins.hpp"
#include "submitted_kernels.hpp"
#include "tensor_traces.hpp"
#include "victim_kernels.hpp"

// What a kernel does wrong, or a unit of the user's, ends that kernel alone in a platform.

namespace tc::device::test::kernel_fault_test {
namespace {

struct fault_case {
  const char *name, *preset;
  std::string text;
  const char *type, *part;  ///< of the message
};

class faulting_kernel : public testing::TestWithParam<fault_case> {};

TEST_P(faulting_kernel, ends_alone_and_the_next_is_right) {
  const fault_case& of = GetParam();
  submitting_machine machine(preset(of.preset, {"sms=2"}));
  const std::string preset_name = of.preset;
  const std::string next = preset_name == "turing"   ? victims::register_kernel()
                           : preset_name == "hopper" ? victims::warpgroup_kernel()
                                                     : victims::tensor_kernel();
  machine.submit(next);
  machine.submit(of.text);
  machine.submit(next);
  sc_core::sc_start();
  ASSERT_EQ(machine.ended.size(), 3U);
  EXPECT_EQ(machine.ended[1].outcome, accounting::kernel_outcome::fault);
  EXPECT_EQ(machine.ended[1].fault_type, of.type);
  EXPECT_NE(machine.ended[1].fault_text.find(of.part), std::string::npos) << machine.ended[1].fault_text;
  EXPECT_NE(machine.ended[1].fault_text.find("cycle "), std::string::npos) << machine.ended[1].fault_text;
  EXPECT_FALSE(machine.ended[1].result.kernels[0].finished);
  EXPECT_EQ(machine.ended[2].outcome, accounting::kernel_outcome::finished) << machine.ended[2].fault_text;
  EXPECT_EQ(machine.ended[2].result.mismatches(), 0U);
  EXPECT_TRUE(machine.device.idle());
  for (unsigned sm = 0; sm < machine.device.sms(); ++sm) EXPECT_TRUE(machine.device.sm(sm).idle());
}

std::string one_warp(const std::string& body, const std::string& arch) {
  return kernel_header(1, 1, "shared 4096\n", arch) + cta_line(0) + warp_line(0) + "reg R2 0x0\nreg R3 0x0\n" + body +
         "/*0800*/ LDG.E R4, [R2] @ 0x9000000+4\n/*f000*/ EXIT\n";
}

/// The second warp comes later.
std::string two_warps(const std::string& first, const std::string& second) {
  return kernel_header(1, 2, "", "sm_75") + cta_line(0) + warp_line(0) + "/*0000*/ " + first + "\n/*f000*/ EXIT\n" + warp_line(1) +
         "/*0000*/ NOP\n/*0010*/ NOP\n/*0020*/ NOP\n/*0030*/ " + second + "\n/*f000*/ EXIT\n";
}

/// A warpgroup of which a warp issues something else; the last one waits.
std::string warpgroup(const std::string& others, const std::string& other, unsigned which = 1) {
  std::string text = kernel_header(1, 4, "shared 4096\n", "sm_90") + cta_line(0);
  for (unsigned warp = 0; warp < 4; ++warp)
    text += warp_line(warp) + "wgmma.fence.sync.aligned\n" + (warp == which ? other : others) +
            "wgmma.commit_group.sync.aligned\nwgmma.wait_group.sync.aligned 0\n/*f000*/ EXIT\n";
  return text;
}

const std::string pause = "/*0000*/ NOP\n/*0010*/ NOP\n/*0020*/ NOP\n/*0030*/ NOP\n";
constexpr const char* multiply =
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {R24, R25, R26, R27}, 0x0000001000080040, 0x00000010000800c0, 1, 1, 1, 0, 0\n";
constexpr const char* multiply_registers =
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {R24, R25, R26, R27}, {R8, R9, R10, R11}, 0x00000010000800c0, 1, 1, 1, 0\n";
constexpr const char* initialise = "mbarrier.init.shared::cta.b64 [0x10], 1 mask 00000001\n";
constexpr const char* wait = "mbarrier.try_wait.parity.shared::cta.b64 [0x10], 0\n";

std::string copy(const char* to, const char* from, const char* barrier) {
  return std::string("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [") + to + "], [" + from + "], 256, [" + barrier +
         "] mask 00000001\n";
}

std::string tensor_warp(const std::string& body) { return tensor::one_warp("reg R2 0x0\nreg R3 0x0\n" + body); }

constexpr const char* commit = "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [0x410] mask 00000001\n";

INSTANTIATE_TEST_SUITE_P(
    fault, faulting_kernel,
    testing::Values(
        fault_case{"memory_error", "turing", one_warp("", "sm_75"), fabric::report::load_store_memory, "LDG.E R4"},
        fault_case{"barrier_threads", "turing", two_warps("BAR.SYNC 0x1, 0x40", "BAR.SYNC 0x1, 0x60"), fabric::report::barrier_threads,
                   "warp 1 of CTA 0 arrives at barrier 1 for 96 threads, where warps 0 wait for 64 threads"},
        fault_case{"barrier_of_all", "turing", two_warps("BAR.SYNC 0x1", "BAR.SYNC 0x1, 0x40"), fabric::report::barrier_threads,
                   "arrives at barrier 1 for 64 threads, where warps 0 wait for all threads"},
        fault_case{"no_barrier", "hopper", one_warp("mbarrier.arrive.shared::cta.b64 _, [0x10] mask 00000001\n", "sm_90"),
                   fabric::report::load_store_barrier, "mbarrier.init comes first"},
        fault_case{"copy_memory", "hopper", one_warp(initialise + copy("0x800", "0x9000000", "0x10") + wait, "sm_90"),
                   fabric::report::bulk_copy_memory, "TLM_ADDRESS_ERROR"},
        fault_case{"copy_barrier", "hopper", one_warp(initialise + copy("0x800", "0x40000", "0x18") + wait, "sm_90"),
                   fabric::report::bulk_copy_barrier, "is not initialised"},
        fault_case{"mismatch", "hopper", warpgroup(multiply, multiply_registers), engine::report::warpgroup_mismatch, "warp 1 issues"},
        fault_case{"other_mismatch", "hopper", warpgroup(multiply_registers, multiply), engine::report::warpgroup_mismatch,
                   "warp 1 issues"},
        fault_case{"late_mismatch", "hopper", warpgroup(multiply, pause + multiply_registers, 0), engine::report::warpgroup_mismatch,
                   "warp 0 issues"},
        fault_case{"columns_left", "blackwell", tensor_warp(tensor::allocate(32)), engine::report::allocation_left, "without having"},
        fault_case{"no_columns", "blackwell", tensor_warp(tensor::load("32x32b.x1", 1, 0) + tensor::wait_for_loads),
                   subcore::report::tensor_memory_access, "tcgen05.alloc comes first"},
        fault_case{"deallocation", "blackwell", tensor_warp(tensor::allocate(32) + tensor::deallocate(64, 32)),
                   engine::report::allocation_rule, "line "},
        fault_case{"commit", "blackwell", tensor_warp(commit), engine::report::tensor_barrier, "is not initialised"},
        fault_case{"shift", "blackwell", tensor_warp("tcgen05.shift.cta_group::1.down [0x0] mask 00000001\n"),
                   engine::report::tensor_instruction, "has not allocated"}),
    [](const auto& of) { return std::string(of.param.name); });

TEST(faulting_kernel, whose_image_has_gone_ends_alone) {
  const scratch_folder folder;
  const auto image = folder.path() / "image.bin", file = folder.path() / "kernel.trace";
  std::ofstream(image) << std::string(64, 'x');
  std::ofstream(file) << kernel_header(1, 1, "memory 0x70000 64 file image.bin\n") + cta_line(0) + warp_line(0) +
                             "reg R2 0x0\nreg R3 0x0\n/*0000*/ LDG.E.SYS R4, [R2] mask 00000001 @ {0x70000}\n/*0010*/ EXIT\n";
  const auto kernel = std::make_shared<const trace::trace>(trace::trace::open(file));
  std::filesystem::remove(image);
  submitting_machine machine(preset("turing", {"sms=2"}));
  machine.device.submit(kernel, "vanishing");
  machine.submit(victims::register_kernel());
  sc_core::sc_start();
  ASSERT_EQ(machine.ended.size(), 2U);
  EXPECT_EQ(machine.ended[0].outcome, accounting::kernel_outcome::fault);
  EXPECT_EQ(machine.ended[0].fault_type, fabric::report::trace_content);
  EXPECT_NE(machine.ended[0].fault_text.find("image.bin"), std::string::npos) << machine.ended[0].fault_text;
  EXPECT_EQ(machine.ended[1].outcome, accounting::kernel_outcome::finished) << machine.ended[1].fault_text;
}

TEST(faulting_kernel, whose_image_global_memory_refuses_never_issues) {
  stand_ins::random_memory::params small;
  small.ports = 9;
  small.bytes = 0x2000;
  const random_global_memory memory(small);
  submitting_machine machine(preset("turing", {"sms=2"}), memory.options());
  machine.submit(victims::register_kernel());
  sc_core::sc_start();
  ASSERT_EQ(machine.ended.size(), 1U);
  EXPECT_EQ(machine.ended[0].outcome, accounting::kernel_outcome::fault);
  EXPECT_EQ(machine.ended[0].fault_type, fabric::report::memory_region);
  EXPECT_EQ(machine.ended[0].result.instructions, 0U);
}

/// The 32 lanes store to a page each.
TEST(faulting_kernel, that_uses_more_memory_than_there_may_be_ends_alone) {
  submitting_machine machine(preset("turing", {"sms=2", "global_memory.max_bytes=2097152"}));
  const auto storing = [](const std::string& base) {
    return kernel_header(1, 1, "memory 0 0x10000000000 zero\n") + cta_line(0) + warp_line(0) +
           "reg R2 0\nreg R3 0\nreg R4 7\n/*0000*/ STG.E.SYS [R2], R4 @ " + base + "+65536\n/*0010*/ EXIT\n";
  };
  machine.submit(storing("0x100000"));
  machine.submit(storing("0x200000"));
  machine.submit(storing("0x100000"));
  sc_core::sc_start();
  ASSERT_EQ(machine.ended.size(), 3U);
  EXPECT_EQ(machine.ended[0].outcome, accounting::kernel_outcome::finished) << machine.ended[0].fault_text;
  EXPECT_EQ(machine.ended[1].outcome, accounting::kernel_outcome::fault);
  EXPECT_EQ(machine.ended[1].fault_type, fabric::report::memory_full);
  EXPECT_NE(machine.ended[1].fault_text.find("global_memory.max_bytes = 2097152 has no room for that of 0x300000"), std::string::npos)
      << machine.ended[1].fault_text;
  EXPECT_EQ(machine.ended[2].outcome, accounting::kernel_outcome::finished) << machine.ended[2].fault_text;
}

sc_core::sc_time cycles(double count) { return {count, sc_core::SC_NS}; }

/// Brings units under the name "hostile", which behave as long as `is_hostile` is false.
using bring_units = std::function<void(unit_registry&, const bool& is_hostile)>;

/// A unit that is hostile to one kernel. Without a type of fault it makes the kernel slow alone.
struct hostile_case {
  const char *name, *preset, *key;
  bring_units bring;
  const char *type, *part;
};
void PrintTo(const hostile_case& of, std::ostream* out) { *out << of.name; }

class hostile_unit : public testing::TestWithParam<hostile_case> {};

const std::string storing_kernel =
    tensor::one_warp(tensor::tagged_columns(4) + tensor::allocate(32) + tensor::store("32x32b.x4", 4, 0) + tensor::wait_for_stores +
                         tensor::load("32x32b.x4", 4, 0) + tensor::wait_for_loads + tensor::write_results(4) + tensor::deallocate(0, 32),
                     tensor::expectation(4, [](unsigned lane, unsigned column) {
                       return tensor::tag({lane, column});
                     }));

TEST_P(hostile_unit, ends_a_kernel_alone_and_the_next_is_right) {
  const hostile_case& of = GetParam();
  bool is_hostile = false;
  run_options options;
  options.timing_of_preset = true;
  of.bring(options.units, is_hostile);
  submitting_machine machine(preset(of.preset, {"sms=1", std::string("units.") + of.key + "=hostile"}), options);
  const std::string preset_name = of.preset;
  const std::string kernel = preset_name == "turing"   ? victims::register_kernel()
                             : preset_name == "hopper" ? victims::warpgroup_kernel()
                                                       : storing_kernel;
  const auto run = [&](bool against_a_hostile_unit) {
    is_hostile = against_a_hostile_unit;
    machine.submit(kernel);
    const accounting::ended_kernel ended = machine.run();
    EXPECT_TRUE(machine.device.idle());
    EXPECT_EQ(ended.result.mismatches(), 0U);
    return ended;
  };
  const auto expect_finished = [](const accounting::ended_kernel& ended) {
    EXPECT_EQ(ended.outcome, accounting::kernel_outcome::finished) << ended.fault_type << ": " << ended.fault_text;
    EXPECT_FALSE(ended.result.kernels[0].expectations.empty());
  };
  const accounting::ended_kernel first = run(false), disturbed = run(true);
  expect_finished(first);
  if (of.type != nullptr) {
    EXPECT_EQ(disturbed.outcome, accounting::kernel_outcome::fault);
    EXPECT_EQ(disturbed.fault_type, of.type) << disturbed.fault_text;
    EXPECT_NE(disturbed.fault_text.find(of.part), std::string::npos) << disturbed.fault_text;
  } else {
    expect_finished(disturbed);
    EXPECT_GT(disturbed.result.cycles, first.result.cycles);
  }
  expect_finished(run(false));
  machine.device.reset();
  const accounting::ended_kernel last = run(false);
  expect_finished(last);
  EXPECT_EQ(last.result.cycles, first.result.cycles);
}

using stand_ins::answer_style;
using payload_type = tlm::tlm_generic_payload;
constexpr unsigned read_port = 0, write_port = 1, accumulator_port = 2;

template <class Site>
auto hostile_memory(const stand_ins::plain_memory::params& parameters) {
  return [parameters](const char* name, const Site& site) { return made_plain_memory(name, site, parameters); };
}

/// Banks that refuse presets over a port, or everything else.
bring_units refusing_banks(unsigned refused, bool presets = false) {
  return [refused, presets](unit_registry& units, const bool& is_hostile) {
    stand_ins::plain_memory::params bank;
    bank.refuses = [&is_hostile, refused, presets](unsigned port, const payload_type& payload) {
      const bool is_preset = payload.get_extension<fabric::warp_tag>() == nullptr;
      return is_hostile && port == refused && is_preset == presets;
    };
    units.register_bank["hostile"] = hostile_memory<links::register_bank_site>(bank);
  };
}

/// Banks that answer reads or writes late, in the call or in phases of their own, between two edges of the clock.
bring_units late_banks(tlm::tlm_command late, answer_style style) {
  return [late, style](unit_registry& units, const bool& is_hostile) {
    stand_ins::plain_memory::params bank;
    bank.styles = {late == tlm::TLM_READ_COMMAND ? style : answer_style::completed,
                   late == tlm::TLM_WRITE_COMMAND ? style : answer_style::completed};
    bank.latency = [&is_hostile, late](const payload_type& payload) {
      return is_hostile && payload.get_command() == late ? cycles(7.3) : sc_core::SC_ZERO_TIME;
    };
    units.register_bank["hostile"] = hostile_memory<links::register_bank_site>(bank);
  };
}

bring_units refusing_tensor_memory() {
  return [](unit_registry& units, const bool& is_hostile) {
    stand_ins::plain_memory::params memory;
    memory.refuses = [&is_hostile](unsigned, const payload_type& payload) { return is_hostile && payload.is_read(); };
    units.tensor_memory["hostile"] = hostile_memory<links::tensor_memory_site>(memory);
  };
}

bring_units slow_tensor_memory() {
  return [](unit_registry& units, const bool& is_hostile) {
    stand_ins::plain_memory::params memory;
    memory.style = answer_style::accepted;
    memory.latency = [&is_hostile](const payload_type&) { return cycles(is_hostile ? 500.3 : 0); };
    units.tensor_memory["hostile"] = hostile_memory<links::tensor_memory_site>(memory);
  };
}

bring_units dot_products(const late_dot_products::manners& bad) {
  return [bad](unit_registry& units, const bool& is_hostile) {
    units.dot_products["hostile"] =
        late_dot_products::maker([&is_hostile, bad] { return is_hostile ? bad : late_dot_products::manners{}; });
  };
}

INSTANTIATE_TEST_SUITE_P(
    fault, hostile_unit,
    testing::Values(hostile_case{"bank_refuses_reads", "turing", "register_bank", refusing_banks(read_port),
                                 fabric::report::operand_fetch_response, "TLM_GENERIC_ERROR_RESPONSE"},
                    hostile_case{"bank_reads_late", "turing", "register_bank", late_banks(tlm::TLM_READ_COMMAND, answer_style::completed),
                                 fabric::report::operand_fetch_late, "LDG"},
                    hostile_case{"bank_reads_late_in_phases", "turing", "register_bank",
                                 late_banks(tlm::TLM_READ_COMMAND, answer_style::accepted), fabric::report::operand_fetch_late, "LDG"},
                    hostile_case{"bank_refuses_presets", "turing", "register_bank", refusing_banks(write_port, true),
                                 fabric::report::write_back_preset, "R0 of warp slot"},
                    hostile_case{"bank_refuses_writes", "turing", "register_bank", refusing_banks(write_port),
                                 fabric::report::write_back_response, "LDG"},
                    hostile_case{"bank_writes_late", "turing", "register_bank", late_banks(tlm::TLM_WRITE_COMMAND, answer_style::completed),
                                 fabric::report::write_back_late, "LDG"},
                    hostile_case{"bank_refuses_accumulators", "hopper", "register_bank", refusing_banks(accumulator_port),
                                 subcore::report::warpgroup_accumulator, "wgmma"},
                    hostile_case{"products_late", "turing", "dot_products", dot_products({cycles(1000.3)}), subcore::report::tensor_late,
                                 "were due in cycle"},
                    hostile_case{"products_late_by_their_delay", "turing", "dot_products", dot_products({{}, {tlm::BEGIN_RESP}, 1000}),
                                 subcore::report::tensor_late, "were due in cycle"},
                    hostile_case{"products_twice", "turing", "dot_products", dot_products({{}, {tlm::BEGIN_RESP, tlm::BEGIN_RESP}}),
                                 subcore::report::tensor_answer, "another answer, BEGIN_RESP"},
                    hostile_case{"products_in_a_wrong_phase", "turing", "dot_products", dot_products({{}, {tlm::END_REQ, tlm::BEGIN_RESP}}),
                                 subcore::report::tensor_answer, "its first answer, END_REQ"},
                    hostile_case{"warpgroup_products_late", "hopper", "dot_products", dot_products({cycles(1000.3)}),
                                 subcore::report::warpgroup_late, "wgmma"},
                    hostile_case{"warpgroup_products_late_by_their_delay", "hopper", "dot_products",
                                 dot_products({{}, {tlm::BEGIN_RESP}, 1000}), subcore::report::warpgroup_late, "wgmma"},
                    hostile_case{"warpgroup_products_twice", "hopper", "dot_products",
                                 dot_products({{}, {tlm::BEGIN_RESP, tlm::BEGIN_RESP}}), subcore::report::warpgroup_answer,
                                 "another answer, BEGIN_RESP"},
                    hostile_case{"bank_refuses_stores_to_tensor_memory", "blackwell", "register_bank", refusing_banks(accumulator_port),
                                 subcore::report::tensor_memory_bank, "tcgen05.st"},
                    hostile_case{"tensor_memory_refuses", "blackwell", "tensor_memory", refusing_tensor_memory(),
                                 subcore::report::tensor_memory_response, "tcgen05.ld"},
                    hostile_case{"tensor_memory_slow", "blackwell", "tensor_memory", slow_tensor_memory(), nullptr, ""}),
    [](const auto& of) { return std::string(of.param.name); });

}  // namespace
}  // namespace tc::device::test::kernel_fault_test
