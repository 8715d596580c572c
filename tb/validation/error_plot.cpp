// SPDX-License-Identifier: Apache-2.0
#include "error_plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace tc::validation {

namespace {

// Sizes in pixels.
constexpr double label_width = 330, plot_width = 560, note_width = 150, lane_height = 34, top = 92, bottom = 64;
constexpr double width = label_width + plot_width + note_width;

/// The axis is linear up to about this error and logarithmic beyond, to this one on either side. Percent.
constexpr double linear_to = 0.1, largest = 100;

/// From -1 to 1.
double position(double percent) {
  const double size = std::log10(1 + std::min(std::abs(percent), largest) / linear_to) / std::log10(1 + largest / linear_to);
  return percent < 0 ? -size : size;
}

double x_of(double position) { return label_width + plot_width / 2 * (1 + position); }

double radius_of(std::size_t values) { return std::min(2.0 + 1.1 * std::sqrt(static_cast<double>(values)), lane_height / 2 - 1); }

std::string text_at(double x, double y, const char* style, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\">{}</text>\n", x, y, style, text);
}

std::string circle_at(double x, double y, std::size_t values, bool is_fitted) {
  return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" class=\"{}\"/>\n", x, y, radius_of(values),
                     is_fitted ? "fitted" : "predicted");
}

/// Values whose errors fall into the same of 61 sections of the axis; those without error have one of their own.
std::map<int, std::size_t> sections_of(const source& of, basis origin) {
  constexpr double sections = 30;  // on either side
  std::map<int, std::size_t> result;
  for (const comparison& value : of.values) {
    if (value.origin != origin || !value.model) continue;
    const bool is_exact = value_text(*value.model, of) == value_text(value.measured, of);
    const double at = is_exact ? 0 : position(*error_percent(value)) * sections;
    ++result[static_cast<int>(at < 0 ? std::floor(at) : std::ceil(at))];
  }
  return result;
}

std::string draw_lane(const source& of, double y) {
  score result;
  result.add(of);
  std::string text = text_at(label_width - 12, y + 4, "label", full_title(of));
  text += fmt::format("<line x1=\"{0:.1f}\" y1=\"{2:.1f}\" x2=\"{1:.1f}\" y2=\"{2:.1f}\" class=\"lane\"/>\n", x_of(-1), x_of(1), y);
  for (const basis origin : {basis::fitted, basis::predicted})
    for (const auto& [section, values] : sections_of(of, origin))
      text += circle_at(x_of(section / 30.0), y, values, origin == basis::fitted);
  return text + text_at(x_of(1) + 12, y + 4, "note", fmt::format("{} of {} within 2 %", result.within_2, result.values));
}

std::string draw_axis(double height) {
  std::string text;
  for (const double percent : {-100.0, -30.0, -10.0, -3.0, -1.0, -0.3, 0.0, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0}) {
    const double x = x_of(position(percent));
    text += fmt::format("<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\" class=\"{3}\"/>\n", x, top - 8, height - bottom,
                        percent == 0 ? "zero" : "grid");
    text += text_at(x, height - bottom + 18, "tick", percent == 0 ? "0" : fmt::format("{:+g}", percent));
  }
  return text + text_at(x_of(0), height - bottom + 42, "axis", "error of the model, percent of the measured value");
}

std::string draw_legend() {
  std::string text = circle_at(label_width + 6, 64, 9, false) + text_at(label_width + 18, 68, "legend", "predicted");
  text += circle_at(label_width + 106, 64, 9, true) + text_at(label_width + 118, 68, "legend", "fitted");
  double x = label_width + 220;
  for (const std::size_t values : {1U, 10U, 100U}) {
    text += circle_at(x, 64, values, false) + text_at(x + radius_of(values) + 5, 68, "legend", fmt::format("{}", values));
    x += 60;
  }
  return text + text_at(x, 68, "legend", "values");
}

// Two colours that all kinds of eyes tell apart: P. Tol, "Colour Schemes", SRON/EPS/TN/09-002, scheme "bright".
constexpr const char* style = R"(<style>
text { font-family: sans-serif; font-size: 12px; fill: #222222; }
.title { font-size: 17px; font-weight: bold; } .label { text-anchor: end; } .tick, .axis { text-anchor: middle; }
.note { fill: #555555; } .lane { stroke: #e4e4e4; } .grid { stroke: #eeeeee; } .zero { stroke: #888888; }
.predicted { fill: #4477aa; fill-opacity: 0.75; stroke: #ffffff; stroke-width: 0.5; }
.fitted { fill: #ee6677; fill-opacity: 0.75; stroke: #ffffff; stroke-width: 0.5; }
</style>
)";

}  // namespace

std::string error_plot(const std::vector<source>& sources) {
  std::vector<source> timed;
  std::copy_if(sources.begin(), sources.end(), std::back_inserter(timed), [](const source& of) {
    return !of.counts && std::any_of(of.values.begin(), of.values.end(), [](const comparison& value) { return value.model.has_value(); });
  });
  const double height = top + lane_height * static_cast<double>(timed.size()) + bottom;
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" role=\"img\">\n"
      "<title>Errors of the model by source</title>\n",
      width, height);
  text += style;
  text += fmt::format("<rect width=\"{:.0f}\" height=\"{:.0f}\" rx=\"6\" fill=\"#ffffff\"/>\n", width, height);
  text += text_at(20, 32, "title", "The model against published and recorded timings") + draw_legend() + draw_axis(height);
  double y = top + lane_height / 2;
  for (const source& of : timed) {
    text += draw_lane(of, y);
    y += lane_height;
  }
  return text + "</svg>\n";
}

}  // namespace tc::validation
