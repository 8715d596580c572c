// SPDX-License-Identifier: Apache-2.0
#include "trace_packer.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tc/packed/packed_contents.hpp>
#include <tc/packed/packed_trace.hpp>
#include <tc/packed/packed_writer.hpp>
#include <tc/trace/header_text.hpp>
#include <tc/trace/trace_contents.hpp>
#include <tc/trace/trace_error.hpp>
#include <tc/trace/trace_parser.hpp>
#include <tc/trace/warp_extent.hpp>
#include <tc/trace/warp_player.hpp>

namespace tc::packed {

namespace {

/// Plays all steps of a trace in the order of its text, one warp after the other.
class step_sequence {
 public:
  /// Stands at the first step. The contents must outlive it. Throws as warp_player does.
  explicit step_sequence(const trace::trace_contents& contents) : contents_(contents) { advance(); }

  /// The step at which it stands; null at the end.
  const trace::step* current() const { return player_ ? &step_ : nullptr; }
  /// The player of the current step's warp.
  const trace::warp_player& player() const { return *player_; }
  /// Position of the current step's warp among all warps.
  std::uint32_t position() const { return next_position_ - 1; }
  void advance() {
    while (!player_ || !player_->next(step_)) {
      player_.reset();
      if (next_position_ + 1 >= contents_.warp_extents.size()) return;
      player_.emplace(contents_, next_position_++);
    }
  }

 private:
  const trace::trace_contents& contents_;
  std::optional<trace::warp_player> player_;
  std::uint32_t next_position_ = 0;
  trace::step step_;
};

bool begins_cta(const trace::source_line& line) {
  trace::text_cursor in(line);
  return in.word() == "cta";
}

/// Shorter ones are better left where they are.
constexpr std::size_t least_image = 64;

/// The bytes of hexadecimal digits, in lower case; none if something else is among them.
std::vector<std::uint8_t> bytes_of(std::string_view digits) {
  const auto value = [](char c) { return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10); };
  if (digits.find_first_not_of("0123456789abcdef") != std::string_view::npos) return {};
  std::vector<std::uint8_t> bytes(digits.size() / 2);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(value(digits[2 * i]) << 4 | value(digits[2 * i + 1]));
  return bytes;
}

/// Packs a trace that has been read once. The second reading finds the style of each line, and the lines that are no steps.
class packer {
 public:
  packer(const trace::trace_contents& contents, std::ostream& out, const std::filesystem::path& spool_folder)
      : contents_(contents), steps_(contents), out_(out, spool_folder) {}

  void run(trace::line_reader& lines, const std::filesystem::path& source, const std::filesystem::path& target) {
    for (std::string_view text; lines.next(text);) {
      const trace::source_line line{lines.name(), lines.line(), text};
      in_header_ = in_header_ && !begins_cta(line);
      if (in_header_)
        take_header(line.number, trace::relocated(line, source, target));
      else
        take(line);
    }
    if (steps_.current() != nullptr) changed({lines.name(), lines.line(), {}});
    kernel_.terminated = lines.terminated();
    finish();
  }

 private:
  void take_header(std::uint64_t number, std::string_view text) {
    const std::string none;
    const auto digits = trace::find_content({none, number, text}, "hex");
    const std::vector<std::uint8_t> bytes = digits ? bytes_of(text.substr(*digits)) : std::vector<std::uint8_t>();
    if (bytes.size() >= least_image) {
      kernel_.images.push_back({number, out_.add_image(bytes), bytes.size()});
      text = text.substr(0, *digits);
    }
    kernel_.header += text;
    kernel_.header += '\n';
  }

  /// A line behind the header.
  void take(const trace::source_line& line) {
    const trace::step* current = steps_.current();
    if (current != nullptr && current->line < line.number) changed(line);
    if (current == nullptr || current->line != line.number) return out_.add_text(line.number, line.text);
    begin_warp();
    const trace::step first = *current;
    steps_.advance();
    const bool is_alone = steps_.current() == nullptr || steps_.current()->line != line.number;
    const auto style = is_alone ? style_of(line, first, contents_.code.text(first.code_index)) : std::nullopt;
    if (!style) out_.add_text(line.number, line.text);
    add(first, style);
    for (current = steps_.current(); current != nullptr && current->line == line.number; current = steps_.current()) {
      add(*current, std::nullopt);
      steps_.advance();
    }
  }

  /// Begins the extent of the current step's warp if it is another than the last step's.
  void begin_warp() {
    if (steps_.position() + 1 == extents_.size()) return;
    const trace::warp_player& player = steps_.player();
    extents_.push_back(packed_bytes_);
    codec_ = trace::step_codec(player.line());
    trace::extent_head head;
    head.warp = player.warp();
    head.line = player.line();
    head.presets = player.presets().size();
    packed_bytes_ = out_.add_steps(packed_.data(), head.encode(packed_.data()));
    for (const trace::register_preset& preset : player.presets())
      packed_bytes_ = out_.add_steps(packed_.data(), trace::encode_preset(preset, packed_.data()));
  }

  void add(trace::step s, const std::optional<line_style>& style) {
    const packed_form form{s.code_index, style};
    const auto [known, is_new] = numbers_.emplace(form, static_cast<std::uint32_t>(forms_.size()));
    if (is_new) forms_.push_back(form);
    s.code_index = known->second;
    packed_bytes_ = out_.add_steps(packed_.data(), codec_.encode(s, packed_.data()));
  }

  void finish() {
    extents_.push_back(packed_bytes_);
    kernel_.registers = contents_.header.registers;
    kernel_.instructions = contents_.instructions;
    byte_writer kernel, code, warps;
    write_kernel(kernel_, kernel);
    write_code(contents_.code, forms_, code);
    write_warps(contents_, extents_, warps);
    for (const byte_writer* part : {&kernel, &code, &warps})
      if (part->bytes().size() > max_plain_bytes)
        throw trace::trace_error(
            contents_.name, 1, 1,
            fmt::format("the trace has too many lines of its header, different instructions or warps to be packed: they take "
                        "{} bytes, and {} are possible",
                        part->bytes().size(), max_plain_bytes));
    out_.finish(kernel, code, warps);
  }

  [[noreturn]] static void changed(const trace::source_line& line) {
    throw trace::trace_error(line.file, line.number, 1, "the trace has changed while it was read");
  }

  const trace::trace_contents& contents_;
  step_sequence steps_;
  packed_writer out_;
  packed_kernel kernel_;
  bool in_header_ = true;
  std::map<packed_form, std::uint32_t> numbers_;
  std::vector<packed_form> forms_;
  std::vector<std::uint64_t> extents_;
  trace::step_codec codec_{0};
  std::uint64_t packed_bytes_ = 0;
  std::array<std::uint8_t, trace::step_codec::max_step_bytes> packed_{};
};

}  // namespace

void pack_trace(const std::filesystem::path& text, const std::filesystem::path& target, std::ostream& out,
                const trace::open_options& options) {
  if (is_packed(text)) throw trace::trace_error::at_offset(text.string(), 0, "the trace is packed already");
  trace::open_options found = options;
  found.image_folder = text.parent_path();
  trace::line_reader first(text, options.limits.text_bytes), second(text, options.limits.text_bytes);
  if (const trace::progress_listener& progress = options.progress) {  // the text is read twice
    first.tell_progress([&progress](std::uint64_t done, std::uint64_t total) { progress(done, 2 * total); });
    second.tell_progress([&progress](std::uint64_t done, std::uint64_t total) { progress(total + done, 2 * total); });
  }
  const auto contents = trace::trace_parser(first, found).run();
  packer(*contents, out, options.spool_folder).run(second, found.image_folder, target);
}

namespace {

/// The lines of a packed trace that are kept as text, in their order.
class kept_lines {
 public:
  explicit kept_lines(packed_file& file) : file_(file), next_offset_(file.directory().text) { advance(); }

  /// Number of the line at which it stands; 0 at the end.
  std::uint64_t number() const { return number_; }
  std::string_view text() const { return text_; }
  void advance() {
    while (block_ == nullptr || block_->at_end()) {
      block_.reset();
      if (next_offset_ >= file_.directory().kernel) {
        number_ = 0;
        return;
      }
      block_ = std::make_unique<byte_reader>(file_, next_offset_);
      next_offset_ = block_->next_offset();
    }
    number_ += block_->number();
    text_ = block_->text();
  }

 private:
  packed_file& file_;
  std::uint64_t next_offset_;
  std::unique_ptr<byte_reader> block_;
  std::uint64_t number_ = 0;
  std::string_view text_;
};

/// Writes the lines one after the other: each is kept, or follows from a step.
class unpacker {
 public:
  unpacker(const packed_trace& trace, packed_file& file, std::ostream& out)
      : trace_(trace), file_(file), steps_(*trace.contents), kept_(file), out_(out) {}

  void run(const std::filesystem::path& source, const std::filesystem::path& target, const trace::progress_listener& progress) {
    constexpr std::uint64_t lines_of_a_piece = 1 << 16;
    write_header(source, target);
    while (kept_.number() != 0 || steps_.current() != nullptr) {
      ++line_;
      if (progress && line_ % lines_of_a_piece == 0) progress(line_, trace_.contents->instructions);
      out_.put('\n');
      if (kept_.number() == line_)
        write_kept();
      else
        write_step();
    }
    if (trace_.kernel.terminated) out_.put('\n');
  }

 private:
  void write_header(const std::filesystem::path& source, const std::filesystem::path& target) {
    auto image = trace_.kernel.images.begin();
    std::string_view left = trace_.kernel.header;
    while (!left.empty()) {
      const std::size_t end = std::min(left.find('\n'), left.size());
      if (line_ != 0) out_.put('\n');
      out_ << trace::relocated({file_.name(), ++line_, left.substr(0, end)}, source, target);
      if (image != trace_.kernel.images.end() && image->line == line_) write_digits(*image++);
      left.remove_prefix(std::min(end + 1, left.size()));
    }
  }

  void write_digits(const packed_image& image) {
    static constexpr char digits[] = "0123456789abcdef";
    std::vector<std::uint8_t> bytes(image_block_bytes);
    for (std::uint64_t done = 0; done < image.bytes;) {
      const std::uint64_t left = std::min<std::uint64_t>(bytes.size(), image.bytes - done);
      const std::size_t count = trace_.images->read(image.offset + done, bytes.data(), static_cast<std::size_t>(left));
      for (std::size_t i = 0; i < count; ++i) out_.put(digits[bytes[i] >> 4]).put(digits[bytes[i] & 15]);
      done += count;
    }
  }

  /// A line that is kept, and stands for any number of steps.
  void write_kept() {
    out_ << kept_.text();
    kept_.advance();
    while (steps_.current() != nullptr && steps_.current()->line == line_) steps_.advance();
  }

  void write_step() {
    const trace::step* const current = steps_.current();
    if (current == nullptr || current->line != line_) fail();
    const packed_form& form = trace_.forms[steps_.player().form()];
    if (!form.style) fail();
    text_.clear();
    write_line(*form.style, *current, trace_.contents->code.text(form.code_index), text_);
    out_ << text_;
    steps_.advance();
  }

  [[noreturn]] void fail() const {
    file_.fail(file_.directory().text, fmt::format("the packed trace is damaged: it lacks line {}", line_));
  }

  const packed_trace& trace_;
  packed_file& file_;
  step_sequence steps_;
  kept_lines kept_;
  std::ostream& out_;
  std::uint64_t line_ = 0;
  std::string text_;
};

}  // namespace

void unpack_trace(const std::filesystem::path& packed, const std::filesystem::path& target, std::ostream& out,
                  const trace::open_options& options) {
  if (std::filesystem::is_regular_file(packed) && !is_packed(packed))
    throw trace::trace_error(packed.string(), 1, 1, "not a packed trace; tcsim trace pack makes one");
  const auto file = open_packed(packed);
  const packed_trace trace = read_packed(open_packed(packed), packed.parent_path(), options);
  unpacker(trace, *file, out).run(packed.parent_path(), target, options.progress);
}

}  // namespace tc::packed
