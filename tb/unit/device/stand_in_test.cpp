// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tc/engine/engine_reports.hpp>
#include <tc/engine/tensor/tensor_reports.hpp>
#include <tc/fabric/extensions.hpp>
#include <tc/fabric/reports.hpp>

#include "canonical_matrix.hpp"
#include "memory_stand_ins.hpp"
#include "stand_ins/blocking_memory.hpp"
#include "stand_ins/plain_memory.hpp"
#include "stand_ins/replacing_binder.hpp"
#include "tensor_kernel.hpp"
#include "tensor_traces.hpp"
#include "test_machine.hpp"
#include "unwound_stack.hpp"

// Whole machines in which units of the model are replaced by ones that know nothing but the protocol of their links.

namespace tc::device::test::stand_in_test {
namespace {

using stand_ins::answer_style;
using stand_ins::blocking_memory;
using stand_ins::plain_memory;
using stand_ins::replacing_binder;
using memory_ends = replacing_binder::ends<links::link_binder::memory_protocol>;

trace::trace kernel_of(const std::string& name) {
  return trace::trace::open(std::filesystem::path(TC_SOURCE_DIR) / "traces" / name / "kernel.trace");
}

sc_core::sc_time cycles(double count) { return {count, sc_core::SC_NS}; }

/// The options and the configuration of a machine with units of another make.
struct foreign_units {
  run_options options{};
  std::vector<std::string> assignments{};
};

/// Register banks that are plain memories, with a port for reads and one for writes, and one for accumulators where they are used.
class foreign_banks : public foreign_units {
 public:
  explicit foreign_banks(const plain_memory::params& bank) {
    assignments = {"units.register_bank=plain"};
    options.units.register_bank["plain"] = [this, bank](const char* name, const links::register_bank_site& site) {
      links::made_memory made = made_plain_memory(name, site, bank);
      banks_.push_back(static_cast<const plain_memory*>(made.module.get()));
      return made;
    };
  }

  unsigned reads() const {
    unsigned sum = 0;
    for (const plain_memory* bank : banks_) sum += bank->reads();
    return sum;
  }

 private:
  std::vector<const plain_memory*> banks_;
};

/// The same kernel on the model's own machine and on one with stand-ins, side by side in one simulation.
struct side_by_side {
  side_by_side(const std::string& kernel, const std::string& machine, const foreign_units& units)
      : trace(kernel_of(kernel)),
        own("own", preset(machine), {{kernel, &trace}}, options({})),
        foreign("foreign", preset(machine, units.assignments), {{kernel, &trace}}, options(units.options, true)) {
    own_result = own.run();
    foreign_result = foreign.result();
    EXPECT_EQ(foreign_result.status, accounting::run_status::finished);
    for (const std::string& line : foreign_result.waiting) ADD_FAILURE() << line;
    EXPECT_FALSE(foreign_result.kernels[0].expectations.empty());
    EXPECT_EQ(foreign_result.mismatches(), 0U);
    EXPECT_GT(foreign.recorder()->begun(), foreign_result.instructions);
  }
  /// The machine with stand-ins is recorded, which nobody minds.
  static run_options options(run_options of, bool record = false) {
    of.timing_of_preset = true;
    of.record = record;
    return of;
  }

  trace::trace trace;
  gpu own, foreign;
  accounting::run_result own_result, foreign_result;
};

/// Other targets may change what is ignorable.
void spoil_tag(tlm::tlm_generic_payload& payload) {
  if (payload.get_extension<fabric::warp_tag>() != nullptr) fabric::warp_tag::of(payload).warp = 0xffff;
}

struct bank_case {
  const char *kernel, *preset;
};
class answering_banks : public testing::TestWithParam<bank_case> {};

TEST_P(answering_banks, move_no_cycle) {
  plain_memory::params bank;
  bank.spoil = spoil_tag;
  foreign_banks banks(bank);
  const side_by_side run(GetParam().kernel, GetParam().preset, banks);
  EXPECT_GT(banks.reads(), 0U);
  EXPECT_EQ(run.foreign_result.cycles, run.own_result.cycles);
  ASSERT_EQ(run.foreign_result.clock_reads.size(), run.own_result.clock_reads.size());
  for (std::size_t i = 0; i < run.own_result.clock_reads.size(); ++i)
    EXPECT_EQ(run.foreign_result.clock_reads[i].cycle, run.own_result.clock_reads[i].cycle);
}

INSTANTIATE_TEST_SUITE_P(stand_in, answering_banks,
                         testing::Values(bank_case{"sm_75.micro_s8_s32_m16n16k16", "turing"},
                                         bank_case{"sm_90.gemm_f16_f32_m16n16k16.rough", "hopper"}),
                         [](const auto& test) { return std::string(test.param.preset); });

class late_banks : public testing::TestWithParam<answer_style> {};

TEST_P(late_banks, keep_collectors_waiting) {
  plain_memory::params bank;
  bank.styles = {GetParam(), answer_style::completed};
  bank.latency = [n = 0](const auto& payload) mutable { return cycles(payload.is_read() ? 1 + (n += 7) % 20 : 0); };
  foreign_banks banks(bank);
  const side_by_side run("sm_75.micro_s8_s32_m16n16k16", "collectors", banks);
  EXPECT_GT(run.foreign_result.cycles, run.own_result.cycles);
}

INSTANTIATE_TEST_SUITE_P(stand_in, late_banks,
                         testing::Values(answer_style::completed, answer_style::updated_begin_response, answer_style::accepted,
                                         answer_style::accepted_skips_end_request, answer_style::random),
                         testing::PrintToStringParamName());

/// Banks that answer in time, but in phases of their own.
TEST(stand_in_banks, may_answer_in_phases_of_the_same_cycle) {
  plain_memory::params bank;
  bank.styles = {answer_style::accepted, answer_style::completed};
  foreign_banks banks(bank);
  const side_by_side run("sm_90.gemm_f16_f32_m16n16k16.rough", "hopper", banks);
  EXPECT_EQ(run.foreign_result.cycles, run.own_result.cycles);
}

/// Runs a kernel, and returns type and text of the report that ends it.
std::string report_of(const std::string& text, const config::machine& description, const run_options& options) {
  test_machine machine(description, {text}, options);
  try {
    machine.run();
  } catch (const sc_core::sc_report& report) {
    forget_unwound_stack();
    return fmt::format("{}: {}", report.get_msg_type(), report.get_msg());
  }
  return "none";
}

std::string report_of(const std::string& text, const foreign_units& units, const std::string& machine = "turing") {
  return report_of(text, preset(machine, units.assignments), units.options);
}

/// A preset register travels to memory.
const std::string storing_kernel = kernel_header(1, 1, "memory 0x1000 128 zero\nexpect 0x1000 4 hex 07000000\n") + cta_line(0) +
                                   warp_line(0) + "reg R2 0\nreg R3 0\nreg R4 7\n/*0000*/ STG.E.SYS [R2], R4 @ 0x1000+4\n/*0010*/ EXIT\n";

/// Instructions that wait for each other.
const std::string adding_kernel = kernel_header(1, 1) + cta_line(0) + warp_line(0) +
                                  "/*0000*/ FADD R4, R5, R6\n/*0010*/ FADD R6, R4, R4\n/*0020*/ FADD R4, R6, R6\n/*0030*/ FADD R6, R4, R4\n"
                                  "/*0040*/ EXIT\n";

TEST(stand_in_banks, get_the_preset_registers) {
  foreign_banks banks({});
  test_machine machine(preset("turing", banks.assignments), {storing_kernel}, banks.options);
  EXPECT_EQ(machine.run().mismatches(), 0U);
}

struct failure_case {
  const char* name;
  std::string kernel, type;
  std::vector<answer_style> styles;
  double read_latency, write_latency;
  std::uint64_t bytes;
};
void PrintTo(const failure_case& failure, std::ostream* out) { *out << failure.name; }

class failing_banks : public testing::TestWithParam<failure_case> {};

TEST_P(failing_banks, are_named_with_the_line_of_the_instruction) {
  const failure_case& failure = GetParam();
  plain_memory::params bank;
  bank.styles = failure.styles;
  bank.latency = [&](const auto& payload) { return cycles(payload.is_read() ? failure.read_latency : failure.write_latency); };
  bank.bytes = failure.bytes;
  foreign_banks banks(bank);
  const std::string report = report_of(failure.kernel, banks);
  EXPECT_EQ(report.substr(0, report.find(": ")), failure.type) << report;
  EXPECT_NE(report.find(failure.kernel == storing_kernel ? "R2 of warp slot 0" : "FADD"), std::string::npos) << report;
}

constexpr auto in_call = answer_style::completed;
constexpr std::uint64_t large = 1 << 20;
INSTANTIATE_TEST_SUITE_P(
    stand_in, failing_banks,
    testing::Values(
        failure_case{"read_in_call", adding_kernel, fabric::report::operand_fetch_late, {in_call, in_call}, 1, 0, large},
        failure_case{"read_later", adding_kernel, fabric::report::operand_fetch_late, {answer_style::accepted, in_call}, 3, 0, large},
        failure_case{"write_in_call", adding_kernel, fabric::report::write_back_late, {in_call, in_call}, 0, 1, large},
        failure_case{"write_later", adding_kernel, fabric::report::write_back_late, {in_call, answer_style::accepted}, 0, 5, large},
        failure_case{"read_error", adding_kernel, fabric::report::operand_fetch_response, {in_call, in_call}, 0, 0, 256},
        failure_case{"preset", storing_kernel, fabric::report::write_back_preset, {in_call, in_call}, 0, 0, 128}),
    [](const auto& test) { return std::string(test.param.name); });

/// A global memory with blocking transport alone.
class foreign_global_memory : public foreign_units {
 public:
  explicit foreign_global_memory(blocking_memory::params parameters) {
    assignments = {"units.global_memory=blocking"};
    options.units.global_memory["blocking"] = [parameters](const char* name, const links::global_memory_site& site) mutable {
      parameters.ports = site.sockets();
      auto memory = std::make_unique<blocking_memory>(name, parameters);
      links::made_memory made;
      for (auto& port : memory->port) made.sockets.push_back(&port);
      made.module = std::move(memory);
      return made;
    };
  }
};

/// A shared memory of another make, which a binder puts into a machine.
class foreign_shared_memory {
 public:
  /// `parameters.ports`: links that will come.
  explicit foreign_shared_memory(const blocking_memory::params& parameters) : memory("stand_in", parameters) {
    binder.shared_memory = [this](const std::string&) { return &memory.port[links++]; };
    options.binder = &binder;
  }
  ~foreign_shared_memory() { EXPECT_EQ(links, memory.port.size()); }

  blocking_memory memory;
  replacing_binder binder;
  run_options options;
  unsigned links = 0;
};

blocking_memory::params memory_params(double latency, unsigned ports = 1) {
  blocking_memory::params p;
  p.ports = ports;
  p.latency = cycles(latency);
  return p;
}

TEST(stand_in_global_memory, holds_images_and_results) {
  foreign_global_memory global(memory_params(77));
  const auto copying_kernel = [](const std::string& header_lines, unsigned from, unsigned to) {
    return kernel_header(1, 1, header_lines) + cta_line(0) + warp_line(0) +
           fmt::format("reg R2 0\nreg R3 0\n/*0000*/ LDG.E.SYS R4, [R2] @ {:#x}+4\n/*0010*/ STG.E.SYS [R2], R4 @ {:#x}+4\n/*0020*/ EXIT\n",
                       from, to);
  };
  test_machine machine(preset("turing", global.assignments),
                       {copying_kernel("memory 0x1000 128 fill 7\nmemory 0x2000 70000 fill 1\nexpect 0x2000 128 fill 7\n", 0x1000, 0x2000),
                        copying_kernel("memory 0x1000 128 fill 9\nexpect 0x2000 128 fill 9\n", 0x1000, 0x2000)},
                       global.options);
  EXPECT_EQ(machine.run().mismatches(), 0U);
  std::array<std::uint8_t, 2> bytes{};
  ASSERT_TRUE(machine.device().peek_global(0x207f, bytes.data(), bytes.size()));
  EXPECT_EQ(bytes, (std::array<std::uint8_t, 2>{9, 1}));
}

TEST(stand_in_global_memory, that_lacks_an_address_is_named) {
  blocking_memory::params small = memory_params(77);
  small.bytes = 0x1040;
  foreign_global_memory global(small);
  const std::string access = kernel_header(1, 1) + cta_line(0) + warp_line(0) +
                             "reg R2 0\nreg R3 0\nreg R4 7\n/*0000*/ STG.E.SYS [R2], R4 @ 0x1000+4\n/*0010*/ EXIT\n";
  const std::string report = report_of(access, global);
  EXPECT_EQ(report.substr(0, report.find(": ")), fabric::report::load_store_memory) << report;
  EXPECT_NE(report.find("line 11: STG"), std::string::npos) << report;
}

TEST(stand_in_global_memory, that_does_not_take_an_image_is_named) {
  blocking_memory::params small = memory_params(77);
  small.bytes = 0x1040;
  foreign_global_memory global(small);
  const std::string report = report_of(storing_kernel, global);
  EXPECT_EQ(report.substr(0, report.find(": ")), fabric::report::memory_region) << report;
}

TEST(stand_in_shared_memory, holds_images_and_what_warps_exchange) {
  foreign_shared_memory shared(memory_params(30, 5));
  const trace::trace trace = kernel_of("sm_75.tiled_f16_f32");
  gpu machine("gpu", preset("turing", {"sms=1"}), {{"kernel", &trace}}, shared.options);
  const accounting::run_result result = machine.run();
  EXPECT_EQ(result.status, accounting::run_status::finished);
  ASSERT_FALSE(result.kernels[0].expectations.empty());
  EXPECT_EQ(result.mismatches(), 0U);
}

TEST(stand_in_shared_memory, gets_the_image_of_each_cta) {
  foreign_shared_memory shared(memory_params(30, 5));
  test_machine machine(preset("turing", {"sms=1", "sm.max_ctas=2"}), {shared_image_kernel(4)}, shared.options);
  EXPECT_EQ(machine.run().mismatches(), 0U);
}

/// A warpgroup multiplies a matrix at 0x400 of shared memory with one at 0xc00.
std::string warpgroup_kernel() {
  std::string text = kernel_header(1, 4, "shared 4096\n", "sm_90") + cta_line(0);
  for (unsigned warp = 0; warp < 4; ++warp)
    text += warp_line(warp) +
            "wgmma.fence.sync.aligned\nwgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {R24, R25, R26, R27}, "
            "0x0000001000080040, 0x00000010000800c0, 1, 1, 1, 0, 0\n"
            "wgmma.commit_group.sync.aligned\nwgmma.wait_group.sync.aligned 0\n/*f000*/ EXIT\n";
  return text;
}

/// A warp allocates tensor memory, which writes to tensor::addresses, gives the tensor engine something to do, and waits for it.
std::string tensor_kernel_of(const std::string& work) {
  return tensor::one_warp("mbarrier.init.shared::cta.b64 [0x10], 1 mask 00000001\n" + tensor::allocate(32) + work + tensor::commit(0x10) +
                          "mbarrier.try_wait.parity.shared::cta.b64 [0x10], 0\n" + tensor::deallocate(0, 32));
}

struct small_memory_case {
  const char *name, *preset;
  unsigned links;
  sc_dt::uint64 bytes;  ///< of shared memory
  std::string kernel;
  const char *type, *part;
};
void PrintTo(const small_memory_case& of, std::ostream* out) { *out << of.name; }

class small_shared_memory : public testing::TestWithParam<small_memory_case> {};

TEST_P(small_shared_memory, is_named_with_the_line_of_the_instruction) {
  const small_memory_case& of = GetParam();
  blocking_memory::params small = memory_params(30, of.links);
  small.bytes = of.bytes;
  const foreign_shared_memory shared(small);
  const std::string report = report_of(of.kernel, preset(of.preset, {"sms=1"}), shared.options);
  EXPECT_EQ(report.substr(0, report.find(": ")), of.type) << report;
  EXPECT_NE(report.find(of.part), std::string::npos) << report;
  EXPECT_NE(report.find("TLM_ADDRESS_ERROR_RESPONSE"), std::string::npos) << report;
}

constexpr tensor::canonical_matrix copied{0x600, 128, 256};

INSTANTIATE_TEST_SUITE_P(stand_in, small_shared_memory,
                         testing::Values(small_memory_case{"warpgroup_operand", "hopper", 8, 0x400, warpgroup_kernel(),
                                                           engine::report::warpgroup_memory, "wgmma.mma_async"},
                                         small_memory_case{"allocated_address", "blackwell", 10, 0x400, tensor_kernel_of(""),
                                                           engine::report::allocation_memory, "the write of the address at 0x400"},
                                         small_memory_case{"copied_matrix", "blackwell", 10, 0x600,
                                                           tensor_kernel_of(tensor::copy("4x256b", 0, copied.descriptor())),
                                                           engine::report::tensor_memory, "tcgen05.cp"}),
                         [](const auto& test) { return std::string(test.param.name); });

/// A tensor memory that is a plain memory.
struct foreign_tensor_memory : foreign_units {
  explicit foreign_tensor_memory(const plain_memory::params& memory) {
    assignments = {"sms=1", "units.tensor_memory=plain"};
    options.units.tensor_memory["plain"] = [memory](const char* name, const links::tensor_memory_site& site) {
      return made_plain_memory(name, site, memory);
    };
  }
};

TEST(stand_in_tensor_memory, that_does_not_shift_is_named) {
  const std::string report = report_of(tensor_kernel_of(tensor::shift(0)), foreign_tensor_memory({}), "blackwell");
  EXPECT_EQ(report.substr(0, report.find(": ")), engine::report::tensor_memory) << report;
  EXPECT_NE(report.find("does not shift these columns"), std::string::npos) << report;
}

TEST(stand_in_tensor_memory, that_has_not_answered_when_its_kernel_ends_is_reported) {
  plain_memory::params slow;
  slow.style = answer_style::accepted;
  slow.latency = [](const auto& payload) { return cycles(payload.is_read() || payload.is_write() ? 0 : 1e6); };
  const std::string report = report_of(tensor_kernel_of(""), foreign_tensor_memory(slow), "blackwell");
  EXPECT_EQ(report.substr(0, report.find(": ")), fabric::report::kernel_end) << report;
  EXPECT_NE(report.find("kernel 0 has ended, but something that gpu.sm_0.tensor_allocation "), std::string::npos) << report;
}

}  // namespace
}  // namespace tc::device::test::stand_in_test
