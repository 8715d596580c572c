// SPDX-License-Identifier: Apache-2.0
#include "trace_text.hpp"

#include <fstream>
#include <sstream>
#include <system_error>
#include <unistd.h>

#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <gtest/gtest.h>

namespace tc::trace::test {

trace read_text(const std::string& text, const open_options& options) {
  std::istringstream in(text);
  return trace::read(in, "example.trace", options);
}

std::vector<step> steps_of(const trace& t, std::size_t cta, std::uint32_t warp) {
  std::vector<step> steps;
  warp_player player = t.play(t.ctas().at(cta), warp);
  for (step s; player.next(s);) steps.push_back(s);
  return steps;
}

scratch_folder::scratch_folder() {
  std::string name = (std::filesystem::path(testing::TempDir()) / "tcsim-test-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::system_error(errno, std::generic_category(), name);
  path_ = name;
}

scratch_folder::~scratch_folder() { std::filesystem::remove_all(path_); }

std::filesystem::path scratch_folder::write(const std::string& name, const std::string& content) const {
  std::ofstream(path_ / name, std::ios::binary) << content;
  return path_ / name;
}

namespace {

template <typename Compressor>
std::string compress(const std::string& text) {
  std::istringstream in(text);
  std::ostringstream packed;
  boost::iostreams::filtering_ostream out;
  out.push(Compressor());
  out.push(packed);
  boost::iostreams::copy(in, out);
  return packed.str();
}

}  // namespace

std::string xz(const std::string& text) { return compress<boost::iostreams::lzma_compressor>(text); }
std::string gzip(const std::string& text) { return compress<boost::iostreams::gzip_compressor>(text); }

}  // namespace tc::trace::test
