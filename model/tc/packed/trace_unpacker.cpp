// SPDX-License-Identifier: Apache-2.0
#include "trace_unpacker.hpp"

#include <algorithm>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <tc/packed/packed_trace.hpp>
#include <tc/packed/step_sequence.hpp>
#include <tc/trace/header_text.hpp>
#include <tc/trace/trace_error.hpp>

namespace tc::packed {
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

  void run(const std::filesystem::path& source, const std::filesystem::path& target) {
    write_header(source, target);
    while (kept_.number() != 0 || steps_.current() != nullptr) {
      ++line_;
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

void unpack_trace(const std::filesystem::path& packed, const std::filesystem::path& target, std::ostream& out) {
  if (std::filesystem::is_regular_file(packed) && !is_packed(packed))
    throw trace::trace_error(packed.string(), 1, 1, "not a packed trace; tcsim trace pack makes one");
  const auto file = open_packed(packed);
  const packed_trace trace = read_packed(open_packed(packed), packed.parent_path());
  unpacker(trace, *file, out).run(packed.parent_path(), target);
}

}  // namespace tc::packed
