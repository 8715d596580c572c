// SPDX-License-Identifier: Apache-2.0
#include "vector_recording.hpp"

#include <functional>
#include <ostream>
#include <stdexcept>

#include <fmt/format.h>

#include <tc/study/case_arithmetic.hpp>
#include <tc/study/compressed_file.hpp>
#include <tc/study/random_inputs.hpp>
#include <tc/study/vector_origin.hpp>

#include "atomic_file.hpp"
#include "exit_status.hpp"
#include "progress_bar.hpp"
#include "vector_unit.hpp"

namespace tcsim {

namespace {

namespace study = tc::study;

/// Fills in the inputs of the next case; false if there is none.
using case_source = std::function<bool(study::vector_case&)>;

void record(const study::vector_header& header, const replay_configuration& configuration, const std::filesystem::path& file,
            const case_source& next) {
  const study::case_arithmetic arithmetic(header, make_vector_unit(header, configuration.machine, configuration.name));
  progress_bar progress("recording " + file.string(), header.cases);
  write_atomically(file, [&](std::ostream& out) {
    study::write_compressed(out, study::compression_of(file), [&](std::ostream& packed) {
      study::vector_writer writer(packed, header);
      study::vector_case values;
      for (std::uint64_t done = 1; next(values); ++done) {
        values.d = arithmetic(values);
        writer.write(values);
        progress.advance_to(done);
      }
    });
  });
}

}  // namespace

study::vector_kind vector_kind_of(const std::filesystem::path& file) {
  const auto ending = study::without_compression(file).extension();
  if (ending == ".bin") return study::vector_kind::fragments;
  if (ending == ".dot") return study::vector_kind::dots;
  throw usage_error(
      fmt::format("{}: the name must say which kind of vectors to write: .bin for fragments or .dot for dot products, and "
                  ".xz or .gz after it to compress them",
                  file.string()));
}

std::string origin_of(study::vector_kind kind, const tc::config::machine& machine) {
  const auto arch = machine.architectures.empty() ? std::nullopt : tc::isa::find_architecture(machine.architectures.front());
  if (!arch) return "tcsim";
  return kind == study::vector_kind::dots ? std::string(tc::isa::info(*arch).generation) : fmt::format("tcsim_{}", tc::isa::name(*arch));
}

void record_again(study::vector_reader& input, const replay_configuration& configuration, const std::filesystem::path& file) {
  study::vector_header header = input.header();
  if (vector_kind_of(file) != header.kind) {
    throw usage_error(fmt::format("{}: the vectors of {} go into a file named {}", file.string(), input.name(),
                                  header.kind == study::vector_kind::dots ? ".dot" : ".bin"));
  }
  header.origin = origin_of(header.kind, configuration.machine);
  record(header, configuration, file, [&](study::vector_case& values) { return input.next(values); });
}

study::vector_header record_random(const random_vectors& what, const replay_configuration& configuration,
                                   const std::filesystem::path& file) {
  const study::vector_kind kind = vector_kind_of(file);
  auto header = [&] {
    try {
      return study::make_header(kind, what.operation, origin_of(kind, configuration.machine), what.cases);
    } catch (const std::invalid_argument& error) {
      throw usage_error(fmt::format("--operation: {}", error.what()));
    }
  }();
  study::random_inputs inputs(header, what.seed);
  std::uint64_t made = 0;
  record(header, configuration, file, [&](study::vector_case& values) {
    if (made++ == what.cases) return false;
    values = inputs.next();
    return true;
  });
  return header;
}

}  // namespace tcsim
