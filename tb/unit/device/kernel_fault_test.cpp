#include <memory>
#include <string>

#include <gtest/gtest.h>

#include <tc/device/streaming_multiprocessor.hpp>
#include <tc/engine/engine_reports.hpp>
#include <tc/engine/tensor/tensor_reports.hpp>
#include <tc/fabric/reports.hpp>
#include <tc/subcore/tensor_memory/tensor_memory_reports.hpp>

#include "random_global_memory.hpp"
#include "submitted_kernels.hpp"
#include "tensor_traces.hpp"
#include "victim_kernels.hpp"

// What a kernel does wrong ends that kernel alone in a platform.

namespace tc::device::test {
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
  EXPECT_EQ(machine.ended[1].outcome, kernel_outcome::fault);
  EXPECT_EQ(machine.ended[1].fault_type, of.type);
  EXPECT_NE(machine.ended[1].fault_text.find(of.part), std::string::npos) << machine.ended[1].fault_text;
  EXPECT_NE(machine.ended[1].fault_text.find("cycle "), std::string::npos) << machine.ended[1].fault_text;
  EXPECT_FALSE(machine.ended[1].result.kernels[0].finished);
  EXPECT_EQ(machine.ended[2].outcome, kernel_outcome::finished) << machine.ended[2].fault_text;
  EXPECT_EQ(machine.ended[2].result.mismatches(), 0U);
  EXPECT_TRUE(machine.device.idle());
  for (unsigned sm = 0; sm < machine.device.sms(); ++sm) EXPECT_TRUE(machine.device.sm(sm).idle());
}

std::string one_warp(const std::string& body, const std::string& arch) {
  return kernel_header(1, 1, "shared 4096\n", arch) + cta_line(0) + warp_line(0) + "reg R2 0x0\nreg R3 0x0\n" + body +
         "/*0800*/ LDG.E R4, [R2] @ 0x9000000+4\n/*f000*/ EXIT\n";
}

/// A warpgroup of which a warp issues something else; the last one waits.
std::string warpgroup(const std::string& others, const std::string& second) {
  std::string text = kernel_header(1, 4, "shared 4096\n", "sm_90") + cta_line(0);
  for (unsigned warp = 0; warp < 4; ++warp)
    text += warp_line(warp) + "wgmma.fence.sync.aligned\n" + (warp == 1 ? second : others) +
            "wgmma.commit_group.sync.aligned\nwgmma.wait_group.sync.aligned 0\n/*f000*/ EXIT\n";
  return text;
}

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
        fault_case{"no_barrier", "hopper", one_warp("mbarrier.arrive.shared::cta.b64 _, [0x10] mask 00000001\n", "sm_90"),
                   fabric::report::load_store_barrier, "mbarrier.init comes first"},
        fault_case{"copy_memory", "hopper", one_warp(initialise + copy("0x800", "0x9000000", "0x10") + wait, "sm_90"),
                   fabric::report::bulk_copy_memory, "TLM_ADDRESS_ERROR"},
        fault_case{"copy_barrier", "hopper", one_warp(initialise + copy("0x800", "0x40000", "0x18") + wait, "sm_90"),
                   fabric::report::bulk_copy_barrier, "is not initialised"},
        fault_case{"mismatch", "hopper", warpgroup(multiply, multiply_registers), engine::report::warpgroup_mismatch, "warp 1 issues"},
        fault_case{"other_mismatch", "hopper", warpgroup(multiply_registers, multiply), engine::report::warpgroup_mismatch,
                   "warp 1 issues"},
        fault_case{"columns_left", "blackwell", tensor_warp(tensor::allocate(32)), engine::report::allocation_left, "without having"},
        fault_case{"no_columns", "blackwell", tensor_warp(tensor::load("32x32b.x1", 1, 0) + tensor::wait_for_loads),
                   subcore::report::tensor_memory_access, "tcgen05.alloc comes first"},
        fault_case{"deallocation", "blackwell", tensor_warp(tensor::allocate(32) + tensor::deallocate(64, 32)),
                   engine::report::allocation_rule, "line "},
        fault_case{"commit", "blackwell", tensor_warp(commit), engine::report::tensor_barrier, "is not initialised"},
        fault_case{"shift", "blackwell", tensor_warp("tcgen05.shift.cta_group::1.down [0x0] mask 00000001\n"),
                   engine::report::tensor_instruction, "has not allocated"}),
    [](const auto& of) { return std::string(of.param.name); });

TEST(faulting_kernel, whose_image_global_memory_refuses_never_issues) {
  stand_ins::random_memory::params small;
  small.ports = 9;
  small.bytes = 0x2000;
  const random_global_memory memory(small);
  submitting_machine machine(preset("turing", {"sms=2"}), memory.options());
  machine.submit(victims::register_kernel());
  sc_core::sc_start();
  ASSERT_EQ(machine.ended.size(), 1U);
  EXPECT_EQ(machine.ended[0].outcome, kernel_outcome::fault);
  EXPECT_EQ(machine.ended[0].fault_type, fabric::report::memory_region);
  EXPECT_EQ(machine.ended[0].result.instructions, 0U);
}

}  // namespace
}  // namespace tc::device::test
