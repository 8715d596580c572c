#include "trace.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include <tc/trace/line_reader.hpp>
#include <tc/trace/trace_parser.hpp>

namespace tc::trace {
namespace {

std::unique_ptr<const trace_contents> parse(line_reader& lines, const std::filesystem::path& image_folder, const open_options& options) {
  auto contents = std::make_unique<trace_contents>(options.spool_folder);
  trace_parser(lines, image_folder, options.expander, *contents).run();
  return contents;
}

}  // namespace

trace trace::open(const std::filesystem::path& path, const open_options& options) {
  line_reader lines(path);
  return trace(parse(lines, path.parent_path(), options));
}

trace trace::read(std::istream& text, const std::string& name, const open_options& options) {
  line_reader lines(text, name);
  return trace(parse(lines, options.image_folder, options));
}

warp_player trace::play(const cta_entry& cta, std::uint32_t index) const {
  if (index >= cta.warp_count) throw std::out_of_range(fmt::format("warp {} of a CTA that has {}", index, cta.warp_count));
  return {*contents_, cta.first_warp + index};
}

trace_summary trace::summary() const {
  trace_summary numbers;
  numbers.kernel = contents_->header.kernel;
  numbers.ctas = contents_->ctas.size();
  numbers.warps = contents_->warp_extents.size() - 1;
  numbers.instructions = contents_->instructions;
  numbers.distinct_instructions = contents_->code.size();
  for (std::uint32_t i = 0; i < contents_->code.size(); ++i) {
    const code_entry& entry = contents_->code[i];
    const std::string& text = entry.instruction.text;
    numbers.opcodes[text.substr(0, text.find(' '))] += entry.executions;
  }
  return numbers;
}

}  // namespace tc::trace
