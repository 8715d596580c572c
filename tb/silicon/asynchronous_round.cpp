// SPDX-License-Identifier: Apache-2.0
#include "asynchronous_round.hpp"

#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "recorded_run.hpp"
#include "stream_recording.hpp"

namespace tc::silicon {

namespace {

constexpr unsigned warm_rounds = 2, rounds = 8, shared_data = 0x800;
constexpr const char* clock_read = "/*0000*/ CS2R R2, SR_CLOCKLO\n";

std::string arrive(unsigned barrier) { return fmt::format("mbarrier.arrive.shared::cta.b64 _, [{:#x}] mask 00000001\n", barrier); }
std::string wait(unsigned barrier, unsigned phase) {
  return fmt::format("mbarrier.try_wait.parity.shared::cta.b64 [{:#x}], {} mask 00000001\n", barrier, phase % 2);
}

constexpr unsigned first_barrier = 0x400, second_barrier = 0x408;

std::string load(const asynchronous_round& round, unsigned number) {
  std::string text =
      fmt::format("mbarrier.arrive.expect_tx.shared::cta.b64 _, [{:#x}], {} mask 00000001\n", first_barrier, round.bytes * round.count);
  for (unsigned i = 0; i < round.count; ++i)
    text += fmt::format("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [{:#x}], [{:#x}], {}, [{:#x}] mask 00000001\n",
                        shared_data + i * round.bytes, 0x100000 + i * round.bytes, round.bytes, first_barrier);
  return text + wait(first_barrier, number);
}

std::string store(const asynchronous_round& round) {
  std::string text;
  for (unsigned i = 0; i < round.count; ++i)
    text += fmt::format("cp.async.bulk.global.shared::cta.bulk_group [{:#x}], [{:#x}], {} mask 00000001\n", 0x400000 + i * round.bytes,
                        shared_data + i * round.bytes, round.bytes);
  return text + fmt::format("cp.async.bulk.commit_group mask 00000001\ncp.async.bulk.wait_group{} 0 mask 00000001\n",
                            round.what == "store_read" ? ".read" : "");
}

/// What warp 0 does in a round.
std::string instructions(const asynchronous_round& round, unsigned number) {
  if (round.what == "load") return load(round, number);
  if (round.what == "arrive_wait") return arrive(first_barrier) + wait(first_barrier, number);
  if (round.what == "ping_pong") return arrive(first_barrier) + wait(second_barrier, number);
  return store(round);
}

std::string trace_text(const asynchronous_round& round) {
  const bool two_warps = round.what == "ping_pong";
  std::ostringstream text;
  text << fmt::format(
      "tcsim-trace 1\narch sm_90\nkernel round\ngrid 1 1 1\nblock {} 1 1\nshared 233472\nmemory 0x100000 1048576 zero\n"
      "memory 0x400000 1048576 zero\ncta 0 0 0\nwarp 0\n",
      two_warps ? 64 : 32);
  for (const unsigned barrier : {first_barrier, second_barrier})
    text << fmt::format("mbarrier.init.shared::cta.b64 [{:#x}], 1 mask 00000001\n", barrier);
  text << "fence.mbarrier_init.release.cluster mask 00000001\n/*0000*/ BAR.SYNC 0x0\n";
  for (unsigned i = 0; i < warm_rounds + rounds; ++i) text << (i == warm_rounds ? clock_read : "") << instructions(round, i);
  text << clock_read << "/*0000*/ EXIT\n";
  if (!two_warps) return text.str();
  text << "warp 1\n/*0000*/ BAR.SYNC 0x0\n";
  for (unsigned i = 0; i < warm_rounds + rounds; ++i) text << wait(first_barrier, i) << arrive(second_barrier);
  text << "/*0000*/ EXIT\n";
  return text.str();
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const asynchronous_round& round) {
  return out << fmt::format("{}, {} bytes, {} times", round.what, round.bytes, round.count);
}

std::vector<asynchronous_round> asynchronous_rounds(const std::filesystem::path& folder) {
  std::vector<asynchronous_round> found;
  for (const auto& fields : csv_rows(folder / "h200_asynchronous.csv"))
    found.push_back({fields.at(0), static_cast<unsigned>(std::stoul(fields.at(1))), static_cast<unsigned>(std::stoul(fields.at(2))),
                     std::stod(fields.at(3))});
  return found;
}

double cycles_of(const asynchronous_round& round) {
  std::istringstream stream(trace_text(round));
  const auto trace = trace::trace::read(stream, "round");
  auto options = preset_options();
  options.data = false;
  const auto result = run(trace, machine_of("hopper"), options);
  if (result.status != accounting::run_status::finished) throw std::runtime_error("the rounds do not finish");
  const auto clocks = clocks_of_warps(result, 1).at(0);
  return static_cast<double>(clocks.at(1) - clocks.at(0)) / rounds;
}

}  // namespace tc::silicon
