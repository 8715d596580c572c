// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <boost/json.hpp>

namespace tcsim {

/// What pages call the causes of stalls: [{"key", "text"}], in the order of the enumeration, `issued` first.
boost::json::array cause_list();

/// What a page shows, besides what all pages have: the template page.html with the chart library, its licence, and the views and styles of
/// page/. Files are names of those of page_files().
struct html_page {
  std::string title;                      ///< plain text
  std::string_view body;                  ///< file of the page's sections
  std::vector<std::string_view> styles;   ///< files
  std::vector<std::string_view> scripts;  ///< files, in the order in which they run, behind those that all pages have
  boost::json::object data;               ///< what the scripts show: they find it in the element `data`
};

/// The page as one file, which loads nothing. Text in `title` and `data` is shown, never interpreted.
std::string html_text(const html_page& page);

}  // namespace tcsim
