// SPDX-License-Identifier: Apache-2.0
#include "compressed_text.hpp"

#include <sstream>

#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filtering_stream.hpp>

namespace tc::trace::test {
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
