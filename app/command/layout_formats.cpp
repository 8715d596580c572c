// SPDX-License-Identifier: Apache-2.0
#include "layout_formats.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "layout_grid.hpp"
#include "text_table.hpp"

namespace tcsim {

namespace {

std::string cell_text(const layout_cell& cell) {
  return cell.lanes.empty() ? "-" : fmt::format("{}:{}", cell.lane_text(), cell.register_text());
}

std::string grid_text(const layout_grid& grid) {
  text_table table(std::vector(grid.columns() + 1, text_table::align::right));
  std::vector<std::string> header{""};
  for (unsigned column = 0; column < grid.columns(); ++column) header.push_back(grid.column_text(column));
  table.add(header);
  for (unsigned row = 0; row < grid.rows(); ++row) {
    std::vector<std::string> cells{grid.row_text(row)};
    for (unsigned column = 0; column < grid.columns(); ++column) cells.push_back(cell_text(grid.at(row, column)));
    table.add(cells);
  }
  return table.text(2);
}

}  // namespace

std::string layout_text(const tc::isa::register_mma& operation, std::string_view architecture, std::optional<tc::isa::fragment> only) {
  std::string text = fmt::format(
      "{} on {}: D = A x B + C\n"
      "lane:register.element, element 0 in the lowest bits; without .element the whole register\n",
      operation.name, architecture);
  const unsigned matrices = operation.layout(tc::isa::fragment::a).matrices();
  for (const pictured_operand& operand : pictured_operands(operation, only)) {
    text += fmt::format("\n{}: {}, {}\n", operand.name, size_text(operation, operand.which), packing_text(operation, operand.which));
    for (unsigned matrix = 0; matrix < matrices; ++matrix) {
      if (matrices > 1) text += quad_pair_text(matrix) + '\n';
      text += grid_text(layout_grid(operation.layout(operand.which), operand.which, matrix));
    }
  }
  return text;
}

namespace {

using tc::isa::fragment;
using tc::isa::fragment_layout;

std::string array_of(const std::vector<std::string>& items, std::string_view separator = ",") {
  return fmt::format("[{}]", fmt::join(items, separator));
}

/// A lane's elements in the order of its registers.
std::vector<tc::isa::matrix_position> elements_of(const fragment_layout& layout, unsigned lane) {
  std::vector<tc::isa::matrix_position> elements;
  for (unsigned reg = 0; reg < layout.registers(); reg += layout.registers_per_element())
    for (unsigned element = 0; element < layout.elements_per_register(); ++element) elements.push_back(layout.position(lane, reg, element));
  return elements;
}

std::string lanes_of(const fragment_layout& layout) {
  std::vector<std::string> lanes;
  for (unsigned lane = 0; lane < fragment_layout::lanes; ++lane) {
    std::vector<std::string> elements;
    for (const auto& at : elements_of(layout, lane)) elements.push_back(fmt::format("[{},{}]", at.row, at.column));
    lanes.push_back(array_of(elements));
  }
  return array_of(lanes, ",\n     ");
}

std::string matrix_of_lanes(const fragment_layout& layout) {
  std::vector<std::string> matrices;
  for (unsigned lane = 0; lane < fragment_layout::lanes; ++lane) matrices.push_back(fmt::format("{}", layout.position(lane, 0, 0).matrix));
  return array_of(matrices);
}

std::string holders_of(const fragment_layout& layout, unsigned matrix) {
  std::vector<std::string> rows;
  for (unsigned row = 0; row < layout.rows(); ++row) {
    std::vector<std::string> columns;
    for (unsigned column = 0; column < layout.columns(); ++column) {
      std::vector<std::string> holders;
      for (const auto& holder : layout.holders(row, column, matrix))
        holders.push_back(fmt::format("[{},{},{}]", holder.lane, holder.reg, holder.element));
      columns.push_back(array_of(holders));
    }
    rows.push_back(array_of(columns));
  }
  return array_of(rows, ",\n     ");
}

/// Whether a lane holds a row or a column of A or of B; the text of a key, or nothing for C and D.
std::string order_of(const tc::isa::mma_operation& mma, fragment which) {
  if (which != fragment::a && which != fragment::b) return "";
  const bool by_columns = which == fragment::a ? mma.a_column : mma.b_column;
  return fmt::format(R"( "order": "{}",)", by_columns ? "col" : "row");
}

std::string operand_json(const tc::isa::register_mma& operation, fragment which) {
  const fragment_layout& layout = operation.layout(which);
  std::vector<std::string> matrices;
  for (unsigned matrix = 0; matrix < layout.matrices(); ++matrix) matrices.push_back(holders_of(layout, matrix));
  return fmt::format(
      "  {{\"operand\": \"{}\", \"type\": \"{}\",{} \"rows\": {}, \"columns\": {}, \"matrices\": {},\n"
      "   \"registers\": {}, \"registers_per_element\": {}, \"elements_per_register\": {}, \"elements_per_lane\": {},\n"
      "   \"matrix_of_lane\": {},\n   \"lanes\": {},\n   \"holders\": {}}}",
      name(which), tc::isa::name(type_of(operation.mma, which)), order_of(operation.mma, which), layout.rows(), layout.columns(),
      layout.matrices(), layout.registers(), layout.registers_per_element(), layout.elements_per_register(), layout.elements(),
      matrix_of_lanes(layout), lanes_of(layout), array_of(matrices, ",\n    "));
}

}  // namespace

std::string layout_json(const tc::isa::register_mma& operation, std::string_view architecture, std::optional<fragment> only) {
  std::vector<std::string> operands;
  for (const fragment which : {fragment::a, fragment::b, fragment::c, fragment::d})
    if (!only || *only == which) operands.push_back(operand_json(operation, which));
  return fmt::format("{{\"operation\": \"{}\", \"arch\": \"{}\", \"operands\": [\n{}]}}\n", operation.name, architecture,
                     fmt::join(operands, ",\n"));
}

namespace {

/// Colours of threadgroups 0 to 7, told apart by all kinds of eyes and bright enough for black text: the scheme "light" of P. Tol, "Colour
/// Schemes", SRON/EPS/TN/09-002.
constexpr std::array<std::string_view, 8> threadgroup_colours{"#77aadd", "#ee8866", "#eedd88", "#ffaabb",
                                                              "#99ddff", "#44bb99", "#bbcc33", "#aaaa00"};

// Sizes in pixels. Characters of a monospaced font are 0.6 of the font size wide.
constexpr unsigned lane_font = 12, register_font = 10, note_font = 11, caption_font = 13, title_font = 18;
constexpr unsigned cell_height = 32, margin = 20, gap = 28, caption_height = 38, header_height = 18, header_width = 50;

double text_width(std::string_view text, unsigned font) { return 0.6 * font * static_cast<double>(text.size()); }

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else
      result += c;
  }
  return result;
}

struct point {
  unsigned x = 0, y = 0;
};

/// A piece of the drawing and the room it takes.
struct drawing {
  std::string elements;
  unsigned width = 0, height = 0;
};

std::string text_at(point at, std::string_view style, std::string_view text) {
  return fmt::format("<text x=\"{}\" y=\"{}\" class=\"{}\">{}</text>\n", at.x, at.y, style, escaped(text));
}

std::string register_label(const layout_cell& cell) { return "r" + cell.register_text(); }

/// One operand of one matrix.
struct panel {
  fragment which{};
  std::string caption, note;
  layout_grid grid;
  unsigned cell_width = 0;
};

/// Wide enough for every cell and every column number of a grid.
unsigned cell_width_of(const layout_grid& grid) {
  double width = 0;
  for (unsigned column = 0; column < grid.columns(); ++column) {
    width = std::max(width, text_width(grid.column_text(column), register_font));
    for (unsigned row = 0; row < grid.rows(); ++row) {
      const layout_cell& cell = grid.at(row, column);
      width = std::max({width, text_width(cell.lane_text(), lane_font), text_width(register_label(cell), register_font)});
    }
  }
  return static_cast<unsigned>(width) + 10;
}

/// Columns of B stand above those of C and D.
void line_up_columns(std::vector<panel>& panels) {
  unsigned shared = 0;
  for (const panel& each : panels)
    if (each.which != fragment::a) shared = std::max(shared, each.cell_width);
  for (panel& each : panels)
    if (each.which != fragment::a) each.cell_width = shared;
}

unsigned panel_width(const panel& each) {
  const double text = std::max(text_width(each.caption, caption_font), text_width(each.note, note_font));
  return header_width + std::max(each.grid.columns() * each.cell_width, static_cast<unsigned>(text));
}

unsigned panel_height(const panel& each) { return caption_height + header_height + each.grid.rows() * cell_height; }

/// The colours of the threadgroups that hold the cell, side by side, and who they are.
std::string draw_cell(const layout_cell& cell, point at, unsigned width) {
  std::string result;
  std::vector<unsigned> threadgroups;
  for (const unsigned lane : cell.lanes)
    if (threadgroups.empty() || threadgroups.back() != lane / 4) threadgroups.push_back(lane / 4);
  const auto count = static_cast<unsigned>(threadgroups.size());
  for (unsigned i = 0; i < count; ++i) {
    const unsigned left = width * i / count, right = width * (i + 1) / count;
    result += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n", at.x + left, at.y, right - left,
                          cell_height, threadgroup_colours.at(threadgroups[i]));
  }
  result += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" class=\"frame\"/>\n", at.x, at.y, width, cell_height);
  if (count == 0) return result;
  const unsigned middle = at.x + width / 2;
  return result + text_at({middle, at.y + 14}, "lane", cell.lane_text()) + text_at({middle, at.y + 26}, "register", register_label(cell));
}

std::string draw_panel(const panel& each, point at) {
  const point corner{at.x + header_width, at.y + caption_height + header_height};
  std::string result = text_at({corner.x, at.y + 14}, "caption", each.caption) + text_at({corner.x, at.y + 31}, "note", each.note);
  for (unsigned column = 0; column < each.grid.columns(); ++column)
    result += text_at({corner.x + column * each.cell_width + each.cell_width / 2, corner.y - 5}, "column", each.grid.column_text(column));
  for (unsigned row = 0; row < each.grid.rows(); ++row) {
    const unsigned y = corner.y + row * cell_height;
    result += text_at({corner.x - 6, y + 20}, "row", each.grid.row_text(row));
    for (unsigned column = 0; column < each.grid.columns(); ++column)
      result += draw_cell(each.grid.at(row, column), {corner.x + column * each.cell_width, y}, each.cell_width);
  }
  return result;
}

/// The panels of one matrix multiplication where textbooks put them: A on the left, B above, C and D in the corner they enclose.
drawing draw_matrices(const std::vector<panel>& panels, point at) {
  unsigned left = 0, above = 0;
  if (panels.size() > 1) {
    left = panel_width(panels[0]) + gap;
    above = panel_height(panels[1]) + gap;
  }
  drawing result;
  point accumulators{at.x + left, at.y + above};
  for (const panel& each : panels) {
    point where = accumulators;
    if (panels.size() > 1 && each.which == fragment::a) where.x = at.x;
    if (panels.size() > 1 && each.which == fragment::b) where.y = at.y;
    result.elements += draw_panel(each, where);
    const unsigned width = panel_width(each);
    result.width = std::max(result.width, where.x + width - at.x);
    result.height = std::max(result.height, where.y + panel_height(each) - at.y);
    if (each.which == fragment::c) accumulators.x += width + gap;
  }
  return result;
}

/// Two rows of four threadgroups.
drawing draw_legend(point at) {
  constexpr unsigned width = 250, height = 26;
  drawing result{"", 4 * width, 2 * height};
  for (unsigned group = 0; group < threadgroup_colours.size(); ++group) {
    const point corner{at.x + group % 4 * width, at.y + group / 4 * height};
    result.elements += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"18\" height=\"18\" fill=\"{}\" stroke=\"#333333\"/>\n", corner.x,
                                   corner.y, threadgroup_colours.at(group));
    result.elements +=
        text_at({corner.x + 26, corner.y + 14}, "legend", fmt::format("threadgroup {}: lanes {}-{}", group, 4 * group, 4 * group + 3));
  }
  return result;
}

std::string document(const drawing& content, std::string_view title) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\">\n"
      "<title>{2}</title>\n"
      "<style>\n"
      "text {{ font-family: monospace; fill: #000000; }}\n"
      ".title {{ font-size: {3}px; font-weight: bold; }} .legend {{ font-size: {4}px; }} .note {{ font-size: {8}px; }}\n"
      ".caption {{ font-size: {4}px; font-weight: bold; }} .row, .column {{ font-size: {5}px; fill: #555555; }}\n"
      ".row {{ text-anchor: end; }} .column, .lane, .register {{ text-anchor: middle; }}\n"
      ".lane {{ font-size: {6}px; font-weight: bold; }} .register {{ font-size: {5}px; }}\n"
      ".frame {{ fill: none; stroke: #333333; stroke-width: 0.5; }}\n"
      "</style>\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n{7}</svg>\n",
      content.width, content.height, escaped(title), title_font, caption_font, register_font, lane_font, content.elements, note_font);
}

std::vector<panel> panels_of(const tc::isa::register_mma& operation, std::optional<fragment> only, unsigned matrix) {
  std::vector<panel> panels;
  for (const pictured_operand& operand : pictured_operands(operation, only)) {
    const tc::isa::fragment_layout& layout = operation.layout(operand.which);
    const std::string owner = layout.matrices() > 1 ? fmt::format(" of quad pair {}", matrix) : "";
    const layout_grid grid(layout, operand.which, matrix);
    panels.push_back({operand.which, fmt::format("{}{}: {}", operand.name, owner, size_text(operation, operand.which)),
                      packing_text(operation, operand.which), grid, cell_width_of(grid)});
  }
  line_up_columns(panels);
  return panels;
}

/// All matrices of the operation, two beside each other.
drawing draw_operation(const tc::isa::register_mma& operation, std::optional<fragment> only, point at) {
  drawing result;
  point next = at;
  for (unsigned matrix = 0; matrix < operation.layout(fragment::a).matrices(); ++matrix) {
    const std::vector<panel> panels = panels_of(operation, only, matrix);
    const drawing part = draw_matrices(panels, next);
    result.elements += part.elements;
    result.width = std::max(result.width, next.x + part.width - at.x);
    result.height = std::max(result.height, next.y + part.height - at.y);
    const bool is_left = matrix % 2 == 0;
    next = is_left ? point{next.x + part.width + gap, next.y} : point{at.x, next.y + part.height + gap};
  }
  return result;
}

}  // namespace

std::string layout_svg(const tc::isa::register_mma& operation, std::string_view architecture, std::optional<fragment> only) {
  const std::string title = fmt::format("{} on {}", operation.name, architecture);
  const std::string note =
      "D = A x B + C. In a cell: the lane that holds the element, below it register.element, element 0 in the lowest bits.";
  const drawing matrices = draw_operation(operation, only, {margin, margin + 60});
  const unsigned below = margin + 60 + matrices.height + gap;
  const drawing legend = draw_legend({margin, below});
  const auto text = static_cast<unsigned>(std::max(text_width(title, title_font), text_width(note, caption_font)));
  drawing page{"", std::max({text, matrices.width, legend.width}) + 2 * margin, below + legend.height + margin};
  page.elements =
      text_at({margin, margin + 16}, "title", title) + text_at({margin, margin + 40}, "legend", note) + matrices.elements + legend.elements;
  return document(page, title);
}

}  // namespace tcsim
