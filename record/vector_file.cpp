// SPDX-License-Identifier: Apache-2.0
#include "vector_file.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace tc::record {

void write_file(const std::filesystem::path& file, const std::string& content) {
  std::filesystem::path unfinished = file;
  unfinished += ".part";
  std::ofstream out(unfinished, std::ios::binary);
  out.write(content.data(), static_cast<std::streamsize>(content.size()));
  out.close();
  if (!out) throw std::runtime_error("cannot write " + unfinished.string());
  std::filesystem::rename(unfinished, file);
}

void write_vectors(const std::filesystem::path& folder, const variant& v, const std::string& device,
                   const std::vector<std::uint32_t>& words) {
  std::string device_word = device;
  std::replace(device_word.begin(), device_word.end(), ' ', '_');
  std::ostringstream header;
  header << v.name << ' ' << v.a_words << ' ' << v.b_words << ' ' << v.c_words << ' ' << v.d_words() << ' ' << words.size() / v.case_words()
         << ' ' << device_word << '\n';
  std::string content = header.str();
  content.reserve(content.size() + 4 * words.size());
  for (const std::uint32_t word : words)
    for (unsigned byte = 0; byte < 4; ++byte) content.push_back(static_cast<char>(word >> 8 * byte & 0xff));
  write_file(folder / (std::string(v.name) + ".bin"), content);
}

}  // namespace tc::record
