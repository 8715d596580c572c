// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include <tc/config/machine.hpp>
#include <tc/study/compressed_file.hpp>
#include <tc/study/replay.hpp>
#include <tc/study/vector_origin.hpp>

#include "recorded_run.hpp"
#include "studies.hpp"

namespace tc::validation {

namespace {

namespace fs = std::filesystem;

/// The vector files of a folder beside the project in order; none if it is not there.
std::vector<fs::path> vector_files(const std::string& folder) {
  std::vector<fs::path> files;
  const fs::path shared = silicon::shared_folder();
  if (shared.empty() || !fs::is_directory(shared / "vectors" / folder)) return files;
  for (const auto& entry : fs::directory_iterator(shared / "vectors" / folder)) {
    const fs::path kind = ::tc::study::without_compression(entry.path()).extension();
    if (kind == ".bin" || kind == ".dot") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// The configuration of the generation that the vectors are from: "ada" for "ada_lovelace".
config::machine machine_of(const ::tc::study::vector_header& header) {
  const auto arch = ::tc::study::architecture_of_origin(header.origin);
  if (!arch) throw std::runtime_error("vectors from a generation that is not known: " + header.origin);
  const std::string generation(::tc::isa::info(*arch).generation);
  return silicon::machine_of(generation.substr(0, generation.find('_')));
}

/// Outputs that come out as the file has them.
double equal_outputs(const fs::path& file) {
  ::tc::study::vector_reader reader(file);
  const auto machine = machine_of(reader.header());
  const auto unit = ::tc::study::make_unit(reader.header().operation, machine.sm.sub_core.tensor_core.arithmetic);
  const auto result = ::tc::study::replay(reader, {reader.header(), unit}, 0);
  return static_cast<double>(result.outputs - result.mismatches);
}

/// Integers, single bits and f64 follow the operation's definition; what floating point takes away is parameters of the datapath.
basis origin_of(const std::string& name) {
  const bool is_defined = name.find(".s32.") != std::string::npos || name.find(".f64.") != std::string::npos;
  return is_defined ? basis::predicted : basis::fitted;
}

study replays(const char* title, const char* citation, const char* method, const char* folder) {
  study result({"Arithmetic", title, citation, method, "outputs", 0, true});
  for (const fs::path& file : vector_files(folder)) {
    const auto header = ::tc::study::vector_reader(file).header();
    const std::string name = ::tc::study::without_compression(file).stem();
    result.add({name, static_cast<double>(header.cases * header.outputs()), origin_of(name)}, [file] { return equal_outputs(file); });
  }
  return result;
}

}  // namespace

std::vector<study> arithmetic_studies() {
  return {
      replays("recorded products", "recorded on an H200",
              "Outputs of matrix instructions for inputs that tell datapaths apart, bit for bit. Integers, single bits and f64 follow the "
              "definition of the operation. A few parameters of the floating-point datapath, which all files of a format share, were "
              "determined by published studies and by these recordings, so those files count as fitted.",
              "hopper-h200"),
      replays("products of a reference model", "MMA-Sim (arXiv 2511.10909)",
              "Dot products that MMA-Sim computes, whose authors compared it with GPUs of all these generations, bit for bit. The "
              "parameters of the datapaths are from this model and from studies of single GPUs.",
              "mma-sim")};
}

}  // namespace tc::validation
