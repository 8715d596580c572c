// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <charconv>
#include <cstring>

namespace tc::record {

namespace {

template <typename Number>
Number parse_number(const std::string& option, const char* text) {
  Number number{};
  const char* end = text + std::strlen(text);
  const auto [rest, error] = std::from_chars(text, end, number);
  if (error != std::errc{} || rest != end) throw usage_error(option + ": not a number in range: " + text);
  return number;
}

}  // namespace

const char* const usage =
    "usage: record [-o FOLDER] [--timing FILE] [options]\n"
    "\n"
    "Records what the matrix instructions of this machine's GPU compute and how many cycles they take.\n"
    "\n"
    "  -o, --output FOLDER   write a vector file for each variant, <variant>.bin, to FOLDER\n"
    "  --timing FILE         time streams of each variant and write the cycles as CSV to FILE\n"
    "  --only PATTERN        only the variants that match; * stands for any characters, ? for one\n"
    "  --expanded            write vectors also of floating-point variants that the GPU's tensor cores do not have\n"
    "                        (the compiler makes other instructions of them, which round differently)\n"
    "  --cases N             cases of each vector file (128)\n"
    "  --seed S              seed of the inputs (1); the same seed gives the same inputs\n"
    "  --list                print the variants and whether this GPU has them\n"
    "  -h, --help            print this\n"
    "\n"
    "The GPU is the first of CUDA_VISIBLE_DEVICES. Exit status: 0 done, 1 an error of the GPU or a file, 2 bad usage.\n"
    "Example: record -o vectors --timing streams.csv && tcsim replay vectors/*.bin --config hopper\n";

options parse_options(int argc, const char* const* argv) {
  options result;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    const auto value = [&] {
      if (++i == argc) throw usage_error(option + ": a value is missing");
      return argv[i];
    };
    if (option == "-h" || option == "--help")
      result.help = true;
    else if (option == "--list")
      result.list = true;
    else if (option == "--expanded")
      result.expanded = true;
    else if (option == "-o" || option == "--output")
      result.folder = value();
    else if (option == "--timing")
      result.timing = value();
    else if (option == "--only")
      result.only = value();
    else if (option == "--cases")
      result.cases = parse_number<unsigned>(option, value());
    else if (option == "--seed")
      result.seed = parse_number<std::uint64_t>(option, value());
    else
      throw usage_error("unknown option " + option);
  }
  if (result.cases == 0) throw usage_error("--cases: at least one");
  const bool asks_for_something = result.help || result.list || !result.folder.empty() || !result.timing.empty();
  if (!asks_for_something) throw usage_error("nothing to do: give -o FOLDER, --timing FILE or --list");
  return result;
}

bool matches(const char* pattern, const char* name) {
  if (*pattern == '*') return matches(pattern + 1, name) || (*name && matches(pattern, name + 1));
  if (!*pattern || !*name) return *pattern == *name;
  return (*pattern == '?' || *pattern == *name) && matches(pattern + 1, name + 1);
}

}  // namespace tc::record
