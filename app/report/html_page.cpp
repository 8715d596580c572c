// SPDX-License-Identifier: Apache-2.0
#include "html_page.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <stdexcept>

#include <tc/links/stall_cause.hpp>

#include "page_files.hpp"

namespace tcsim {

boost::json::array cause_list() {
  boost::json::array list;
  for (const auto& cause : tc::links::stall_cause_table) list.push_back({{"key", cause.key}, {"text", cause.text}});
  return list;
}

namespace {

constexpr std::array<std::string_view, 6> shared_scripts{"chart.min.js", "elements.js",    "colours.js",
                                                         "causes.js",    "point_chart.js", "bar_chart.js"};

std::string_view file(std::string_view name) {
  const auto& all = page_files();
  const auto found = std::find_if(all.begin(), all.end(), [&](const embedded_file& each) { return each.name == name; });
  if (found == all.end()) throw std::logic_error("no file of pages is named " + std::string(name));
  return found->text;
}

std::string escaped(std::string_view text) {
  static const std::map<char, std::string_view> entities{{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}};
  std::string safe;
  for (const char c : text) {
    const auto entity = entities.find(c);
    entity == entities.end() ? safe += c : safe += entity->second;
  }
  return safe;
}

/// JSON in which no text can end the element around it.
std::string embeddable(const boost::json::object& data) {
  std::string safe;
  for (const char c : boost::json::serialize(data)) c == '<' ? safe += "\\u003c" : safe += c;
  return safe;
}

std::string script_element(std::string_view name) {
  std::string element = "<script>\n";
  return element.append(file(name)).append("</script>\n");
}

/// The template with each {{name}} replaced; what stands for a name is not looked through again.
std::string filled(std::string_view page, const std::map<std::string_view, std::string>& parts) {
  std::string text;
  for (std::size_t begin = 0; begin < page.size();) {
    const std::size_t open = std::min(page.find("{{", begin), page.size());
    text.append(page.substr(begin, open - begin));
    if (open == page.size()) break;
    const std::size_t close = page.find("}}", open);
    text += parts.at(page.substr(open + 2, close - open - 2));
    begin = close + 2;
  }
  return text;
}

}  // namespace

std::string html_text(const html_page& page) {
  std::string style(file("page.css")), scripts;
  for (const std::string_view name : page.styles) style.append(file(name));
  for (const std::string_view name : shared_scripts) scripts += script_element(name);
  for (const std::string_view name : page.scripts) scripts += script_element(name);
  return filled(file("page.html"), {{"title", escaped(page.title)},
                                    {"style", style},
                                    {"body", std::string(file(page.body))},
                                    {"notices", escaped(file("notices.txt"))},
                                    {"data", embeddable(page.data)},
                                    {"scripts", scripts}});
}

}  // namespace tcsim
