// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

/// Expects a part of a document that is made from the code to be what the code gives now. The part stands between the lines
/// `<!-- begin NAME -->` and `<!-- end NAME -->`. With TCSIM_WRITE_GOLDEN in the environment it is written instead.
inline void expect_generated(const std::filesystem::path& document, const std::string& name, const std::string& generated) {
  std::string text;
  {
    std::ifstream in(document);
    ASSERT_TRUE(in) << document << " cannot be read";
    text.assign(std::istreambuf_iterator<char>(in), {});
  }
  const std::string first = "<!-- begin " + name + " -->\n", last = "<!-- end " + name + " -->\n";
  const std::size_t begin = text.find(first), end = text.find(last);
  ASSERT_TRUE(begin != std::string::npos && end != std::string::npos && begin < end) << document << " has no part " << name;
  const std::size_t from = begin + first.size();
  if (std::getenv("TCSIM_WRITE_GOLDEN") != nullptr) {
    std::ofstream(document) << text.replace(from, end - from, generated);
    return;
  }
  EXPECT_EQ(text.substr(from, end - from), generated) << "after a change that is meant, run this test with TCSIM_WRITE_GOLDEN=1";
}
