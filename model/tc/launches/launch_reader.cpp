// SPDX-License-Identifier: Apache-2.0
#include "launch_reader.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <tc/isa/register_use.hpp>
#include <tc/study/compressed_file.hpp>
#include <tc/trace/confined_path.hpp>
#include <tc/trace/line_reader.hpp>
#include <tc/trace/text_cursor.hpp>
#include <tc/trace/trace_error.hpp>

namespace tc::launches {

namespace {

namespace fs = std::filesystem;
using trace::text_cursor;

constexpr std::uint64_t largest_x = 0x7fffffff, largest_yz = 65535;  // of a grid (CUDA C++ Programming Guide, compute capabilities)
constexpr std::uint64_t largest_size = std::uint64_t{1} << 47, largest_shared = std::uint64_t{1} << 20;
constexpr std::uint32_t most_parameter_bytes = 32764;  // of a kernel's parameters (CUDA C++ Programming Guide)
constexpr std::uint64_t constant_bank_bytes = std::uint64_t{1} << 16;

constexpr std::string_view content_forms = "'zero', 'random TYPE seed N', 'file NAME' or 'hex DIGITS'";

/// The file that is there under a name or under that name with .xz or .gz; nothing if there is none.
std::optional<fs::path> stored_file(const fs::path& folder, const std::string& name) {
  for (const char* ending : {"", ".xz", ".gz"})
    if (fs::path file = folder / (name + ending); fs::is_regular_file(file)) return file;
  return std::nullopt;
}

/// Reads a launch.txt line by line.
class launch_reader {
 public:
  explicit launch_reader(const fs::path& folder) : lines_(folder / "launch.txt") {
    read_.file = lines_.name();
    read_.folder = folder;
  }

  launch read() {
    std::string_view text;
    while (lines_.next(text)) {
      text_cursor in({lines_.name(), lines_.line(), text});
      if (!in.at_end() && in.peek() != '#') read_line(in);
    }
    finish();
    return std::move(read_);
  }

 private:
  struct keyword {
    void (launch_reader::*read)(text_cursor& in);
    unsigned version;  ///< the first format that has it
    bool may_repeat;
    bool must_be_there;
  };

  static const std::map<std::string_view, keyword>& keywords() {
    using reader = launch_reader;
    static const std::map<std::string_view, keyword> table{
        {"kernel", {&reader::read_kernel, 1, false, true}},
        {"grid", {&reader::read_grid, 1, false, true}},
        {"block", {&reader::read_block, 1, false, true}},
        {"cluster", {&reader::read_cluster, 1, false, false}},
        {"shared", {&reader::read_shared, 1, false, false}},
        {"registers", {&reader::read_registers, 1, false, false}},
        {"param", {&reader::read_parameter, 1, true, false}},
        {"memory", {&reader::read_memory, 1, true, false}},
        {"tolerance", {&reader::read_tolerance, 1, true, false}},
        {"code", {&reader::read_code, 2, false, false}},
        {"global", {&reader::read_global, 1, true, false}},
        {"constant", {&reader::read_constant, 2, true, false}},
        {"local", {&reader::read_local, 2, false, false}},
        {"carveout", {&reader::read_carveout, 2, false, false}},
        {"cooperative", {&reader::read_cooperative, 2, false, false}},
    };
    return table;
  }

  static std::string keyword_names() {
    std::string names;
    for (const auto& entry : keywords()) names += (names.empty() ? "" : ", ") + std::string(entry.first);
    return names;
  }

  void read_line(text_cursor& in) {
    const std::size_t begin = in.position();
    const std::string_view word = in.word();
    if (is_first_line_ && word == "launch") {
      is_first_line_ = false;
      read_.version = static_cast<unsigned>(in.number("the format's version", 1, 2));
      return in.expect_end("'launch VERSION'");
    }
    is_first_line_ = false;
    const auto found = keywords().find(word);
    if (found == keywords().end()) in.fail_at(begin, fmt::format("unknown keyword '{}'; a launch has lines {}", word, keyword_names()));
    const keyword& entry = found->second;
    if (entry.version > read_.version)
      in.fail_at(begin,
                 fmt::format("'{}' is of format {}; such a file begins with the line 'launch {}'", word, entry.version, entry.version));
    const auto [earlier, is_new] = seen_.emplace(word, in.line().number);
    if (!is_new && !entry.may_repeat)
      in.fail_at(begin, fmt::format("a launch has one line '{}', and line {} is one", word, earlier->second));
    (this->*entry.read)(in);
  }

  static launch_place place_of(const text_cursor& in) { return {in.line().number, in.position() + 1}; }

  void read_kernel(text_cursor& in) {
    in.peek();
    read_.kernel_place = place_of(in);
    read_.kernel = in.word();
    if (read_.kernel.empty()) in.fail("the kernel's name is missing");
    in.expect_end("'kernel NAME'");
  }

  static trace::dim3 read_extents(text_cursor& in, std::string_view what) {
    trace::dim3 extents;
    extents.x = static_cast<std::uint32_t>(in.number(what, 1, largest_x));
    for (std::uint32_t* extent : {&extents.y, &extents.z}) *extent = static_cast<std::uint32_t>(in.number(what, 1, largest_yz));
    in.expect_end("three numbers");
    return extents;
  }

  void read_grid(text_cursor& in) { read_.grid = read_extents(in, "an extent of the grid"); }

  void read_block(text_cursor& in) {
    constexpr std::uint64_t most_threads = 1024;
    in.peek();
    const std::size_t begin = in.position();
    read_.block = read_extents(in, "an extent of the block");
    if (read_.block.count() > most_threads)
      in.fail_at(begin, fmt::format("a block of {} threads; it has at most {}", read_.block.count(), most_threads));
  }

  void read_cluster(text_cursor& in) {
    in.peek();
    cluster_place_ = place_of(in);
    read_.cluster = read_extents(in, "an extent of the cluster");
  }

  void read_shared(text_cursor& in) {
    constexpr std::string_view form = "'shared dynamic BYTES static BYTES'";
    read_.shared_place = place_of(in);
    in.expect("dynamic", form);
    read_.dynamic_shared_bytes = in.number("the bytes of dynamic shared memory", 0, largest_shared);
    in.expect("static", form);
    read_.static_shared_bytes = in.number("the bytes of static shared memory", 0, largest_shared);
    in.expect_end(form);
  }

  void read_registers(text_cursor& in) {
    in.peek();
    read_.registers_place = place_of(in);
    read_.registers = static_cast<unsigned>(in.number("the registers of a thread", 1, isa::thread_registers));
    in.expect_end("'registers N'");
  }

  static std::vector<std::uint8_t> read_hex(text_cursor& in, std::uint64_t bytes) {
    in.peek();
    const std::size_t begin = in.position();
    const std::string_view digits = in.word();
    if (digits.size() != 2 * bytes)
      in.fail_at(begin, fmt::format("{} hexadecimal digits; {} bytes need {}", digits.size(), bytes, 2 * bytes));
    std::vector<std::uint8_t> values(bytes);
    for (std::size_t i = 0; i < digits.size(); ++i) {
      constexpr std::string_view known = "0123456789abcdef0123456789ABCDEF";
      const std::size_t digit = known.find(digits[i]);
      if (digit == std::string_view::npos) in.fail_at(begin + i, "not a hexadecimal digit");
      values[i / 2] = static_cast<std::uint8_t>(unsigned{values[i / 2]} << 4U | digit % 16U);
    }
    return values;
  }

  void read_parameter(text_cursor& in) {
    launch_parameter parameter;
    in.peek();
    parameter.place = place_of(in);
    parameter.offset = static_cast<std::uint32_t>(in.number("the parameter's offset", 0, most_parameter_bytes - 1));
    const std::uint64_t bytes = in.number("the parameter's bytes", 1, most_parameter_bytes - parameter.offset);
    parameter.bytes = read_hex(in, bytes);
    in.expect_end("'param OFFSET BYTES HEX'");
    read_.parameters.push_back(std::move(parameter));
  }

  void read_range(text_cursor& in, launch_allocation& allocation) {
    in.peek();
    allocation.place = place_of(in);
    allocation.base = in.number("the address", 1, largest_size * 4);
    allocation.bytes = in.number("the bytes", 1, largest_size);
  }

  void read_memory(text_cursor& in) {
    launch_allocation allocation;
    read_range(in, allocation);
    read_content(in, allocation);
    read_.allocations.push_back(std::move(allocation));
  }

  void read_global(text_cursor& in) {
    launch_allocation variable;
    variable.name = in.word();
    if (variable.name.empty()) in.fail("the variable's name is missing: 'global NAME ADDRESS BYTES [CONTENT]'");
    read_range(in, variable);
    read_content(in, variable);
    read_.allocations.push_back(std::move(variable));
  }

  /// What the line says, or the file that is named after the address.
  void read_content(text_cursor& in, launch_allocation& allocation) {
    const std::string name = fmt::format("{:x}", allocation.base);
    const auto before = stored_file(read_.folder, name + ".pre");
    allocation.after = stored_file(read_.folder, name + ".post");
    if (before) allocation.before = *before;
    if (in.at_end()) return;
    const std::size_t begin = in.position();
    if (read_.version < 2) in.fail("unexpected text; format 1 has 'memory BASE BYTES' and files for contents");
    if (before) in.fail(fmt::format("{} says what is here before the launch, so that the line must not", before->filename().string()));
    const std::string_view kind = in.word();
    if (kind == "random") {
      allocation.before = read_random(in);
    } else if (kind == "file") {
      allocation.before = read_file_name(in);
    } else if (kind == "hex") {
      allocation.before = read_hex(in, allocation.bytes);
    } else if (kind != "zero") {
      in.fail_at(begin, fmt::format("unknown content '{}'; it is {}", kind, content_forms));
    }
    in.expect_end(content_forms);
  }

  static isa::element_type read_type(text_cursor& in) {
    in.peek();
    const std::size_t begin = in.position();
    const std::string_view name = in.word();
    const auto type = isa::find_element_type(name);
    if (!type || !has_random_numbers(*type))
      in.fail_at(begin, fmt::format("unknown type '{}'; it is f64, f32, f16, bf16, e4m3, e5m2, s32, s8 or u8", name));
    return *type;
  }

  static random_content read_random(text_cursor& in) {
    random_content content;
    content.type = read_type(in);
    in.expect("seed", "'random TYPE seed N'");
    content.seed = in.number("the seed", 0, ~std::uint64_t{0});
    return content;
  }

  fs::path read_file_name(text_cursor& in) const {
    in.peek();
    const std::size_t begin = in.position();
    const fs::path name(in.word());
    if (name.empty()) in.fail("the file's name is missing");
    if (trace::leaves_folder(name)) in.fail_at(begin, fmt::format("{} lies outside of the launch's folder", name.string()));
    if (!fs::is_regular_file(read_.folder / name)) in.fail_at(begin, fmt::format("{} cannot be read", (read_.folder / name).string()));
    return read_.folder / name;
  }

  void read_tolerance(text_cursor& in) {
    in.peek();
    const std::size_t begin = in.position();
    const std::uint64_t base = in.number("the address", 1, ~std::uint64_t{0});
    const auto found = std::find_if(read_.allocations.begin(), read_.allocations.end(),
                                    [base](const launch_allocation& each) { return each.base == base; });
    if (found == read_.allocations.end()) in.fail_at(begin, "no line 'memory' in front of this one has that address");
    launch_tolerance tolerance;
    const std::size_t type_begin = in.position() + 1;
    tolerance.type = read_type(in);
    if (!isa::format_of(tolerance.type).is_floating_point()) in.fail_at(type_begin, "a tolerance is one of floating-point numbers");
    tolerance.units = static_cast<double>(in.number("the roundings", 1, 1U << 20U));
    in.expect_end("'tolerance ADDRESS TYPE ROUNDINGS'");
    found->tolerance = tolerance;
  }

  void read_code(text_cursor& in) {
    read_.code = read_file_name(in);
    if (in.accept("at")) read_.code_address = in.number("the address of the kernel's first instruction", 16, largest_size * 4);
    in.expect_end("'code FILE [at ADDRESS]'");
  }

  void read_constant(text_cursor& in) {
    launch_constant constant;
    constant.bank = static_cast<unsigned>(in.number("the constant bank", 0, 17));
    constant.offset = static_cast<std::uint32_t>(in.number("the offset", 0, constant_bank_bytes - 1));
    const std::uint64_t bytes = in.number("the bytes", 1, constant_bank_bytes - constant.offset);
    if (in.accept("file")) {
      constant.bytes = read_content_file(read_file_name(in), bytes);
    } else {
      in.expect("hex", "'constant BANK OFFSET BYTES hex DIGITS' or '... file NAME'");
      constant.bytes = read_hex(in, bytes);
    }
    in.expect_end("'constant BANK OFFSET BYTES hex DIGITS' or '... file NAME'");
    read_.constants.push_back(std::move(constant));
  }

  void read_local(text_cursor& in) {
    read_.local_bytes = in.number("the local bytes of a thread", 0, std::uint64_t{1} << 19);
    in.expect_end("'local BYTES'");
  }

  void read_carveout(text_cursor& in) {
    read_.carveout_percent = static_cast<unsigned>(in.number("the percentage", 0, 100));
    in.expect_end("'carveout PERCENT'");
  }

  void read_cooperative(text_cursor& in) {
    in.expect_end("'cooperative' alone");
    read_.cooperative_place = {in.line().number, 1};
    read_.is_cooperative = true;
  }

  void finish() {
    for (const auto& [name, entry] : keywords())
      if (entry.must_be_there && seen_.count(name) == 0) fail({lines_.line() + 1, 1}, fmt::format("the line '{}' is missing", name));
    if (read_.code.empty()) {
      auto code = stored_file(read_.folder, "code.sass");
      if (!code) code = stored_file(read_.folder, "code.cubin");
      if (!code) fail({1, 1}, "there is neither code.sass nor code.cubin beside this file, as they are or as .xz or .gz");
      read_.code = *code;
    }
    check_cluster();
    order_parameters();
    order_allocations();
  }

  void check_cluster() const {
    const trace::dim3 &grid = read_.grid, &cluster = read_.cluster;
    if (grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0)
      fail(cluster_place_, "the grid is not made of whole clusters");
  }

  void order_parameters() {
    auto& parameters = read_.parameters;
    std::sort(parameters.begin(), parameters.end(), [](const auto& x, const auto& y) { return x.offset < y.offset; });
    for (std::size_t i = 1; i < parameters.size(); ++i) {
      const launch_parameter& before = parameters[i - 1];
      if (before.offset + before.bytes.size() > parameters[i].offset)
        fail(parameters[i].place, fmt::format("this parameter overlaps the one of line {}", before.place.line));
    }
  }

  void order_allocations() {
    auto& allocations = read_.allocations;
    std::sort(allocations.begin(), allocations.end(), [](const auto& x, const auto& y) { return x.base < y.base; });
    for (std::size_t i = 1; i < allocations.size(); ++i)
      if (allocations[i - 1].end() > allocations[i].base)
        fail(allocations[i].place, fmt::format("this memory overlaps that of line {}", allocations[i - 1].place.line));
  }

  [[noreturn]] void fail(const launch_place& place, const std::string& message) const {
    throw trace::trace_error(lines_.name(), place.line, place.column, message);
  }

  trace::line_reader lines_;
  launch read_;
  std::map<std::string, std::uint64_t, std::less<>> seen_;  ///< keywords and their first lines
  launch_place cluster_place_;
  bool is_first_line_ = true;
};

}  // namespace

namespace {

launch read_packed(const fs::path& path) {
  const auto unpacked = std::make_shared<const unpacked_launch>(path);
  launch read = unpacked->reading([&unpacked] { return launch_reader(unpacked->folder()).read(); });
  read.file = unpacked->of_archive(read.file);
  read.unpacked = unpacked;
  return read;
}

}  // namespace

launch read_launch(const fs::path& path) {
  if (fs::is_regular_file(path) && path.filename() != "launch.txt") return read_packed(path);
  const bool is_text = path.filename() == "launch.txt" && !fs::is_directory(path);
  const fs::path folder = is_text ? path.parent_path() : path;
  if (!fs::exists(folder / "launch.txt"))
    throw trace::trace_error(path.string(), 1, 1, "not a launch: that is a folder with a file launch.txt in it, or a tape archive of one");
  return launch_reader(folder.empty() ? fs::path(".") : folder).read();
}

bool names_launch(const fs::path& path) {
  if (path.filename() == "launch.txt" || fs::exists(path / "launch.txt")) return true;
  const fs::path uncompressed = path.extension() == ".xz" || path.extension() == ".gz" ? path.stem() : path;
  return uncompressed.extension() == ".tar";
}

}  // namespace tc::launches
