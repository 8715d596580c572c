// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace tc::observe {

/// A VCD file as a reader of the standard sees it, written apart from the writer: signals by their full names.
class vcd_reader {
 public:
  struct signal {
    unsigned bits;
    std::map<std::uint64_t, std::string> values;  // as wide as the signal
  };

  explicit vcd_reader(const std::string& path) {
    std::ifstream file(path);
    for (std::string word; file >> word && word != "$enddefinitions";) declare(word, words_to_end(file));
    words_to_end(file);
    read_values(file);
  }

  const std::map<std::string, signal>& signals() const { return signals_; }
  const std::vector<std::string>& comments() const { return comments_; }
  std::uint64_t first() const { return times_.front(); }
  std::uint64_t last() const { return times_.back(); }

  /// In binary digits; of a text, the text.
  std::string at(const std::string& name, std::uint64_t time) const {
    const auto& values = signals_.at(name).values;
    const auto after = values.upper_bound(time);
    if (after == values.begin()) throw std::out_of_range(name + " has no value yet");
    return std::prev(after)->second;
  }
  std::uint64_t number(const std::string& name, std::uint64_t time) const { return std::stoull(at(name, time), nullptr, 2); }
  std::string text(const std::string& name, std::uint64_t time) const {
    const std::string binary = at(name, time);
    std::string characters;
    for (std::size_t i = 0; i < binary.size(); i += 8)
      if (const auto c = static_cast<char>(std::stoi(binary.substr(i, 8), nullptr, 2)); c != '\0') characters += c;
    return characters;
  }

 private:
  static std::vector<std::string> words_to_end(std::istream& file) {
    std::vector<std::string> words;
    for (std::string word; file >> word && word != "$end";) words.push_back(word);
    return words;
  }

  void declare(const std::string& keyword, const std::vector<std::string>& words) {
    if (keyword == "$scope") scope_.push_back(words.at(1) + '.');
    if (keyword == "$upscope") scope_.pop_back();
    if (keyword == "$comment") {
      comments_.emplace_back();
      for (const std::string& word : words) comments_.back() += (comments_.back().empty() ? "" : " ") + word;
    }
    if (keyword != "$var") return;
    std::string name;
    for (const std::string& part : scope_) name += part;
    name += words.at(3);
    if (!names_.emplace(words.at(2), name).second ||
        !signals_.emplace(name, signal{static_cast<unsigned>(std::stoul(words.at(1))), {}}).second)
      throw std::runtime_error("a signal twice: " + name);
  }

  void read_values(std::istream& file) {
    for (std::string word; file >> word;) {
      if (word.front() == '#') {
        times_.push_back(std::stoull(word.substr(1)));
      } else if (word.front() == 'b') {
        std::string identifier;
        file >> identifier;
        set(identifier, word.substr(1));
      } else if (word.front() != '$') {
        set(word.substr(1), word.substr(0, 1));
      }
    }
  }

  void set(const std::string& identifier, const std::string& digits) {
    signal& changed = signals_.at(names_.at(identifier));
    if (digits.size() > changed.bits) throw std::runtime_error("too wide for " + names_.at(identifier) + ": " + digits);
    const char fill = digits.front() == '1' ? '0' : digits.front();
    changed.values[times_.back()] = std::string(changed.bits - digits.size(), fill) + digits;
  }

  std::vector<std::string> scope_, comments_;
  std::map<std::string, std::string> names_;  // by identifier
  std::map<std::string, signal> signals_;
  std::vector<std::uint64_t> times_;
};

}  // namespace tc::observe
