// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <vector>

#include <systemc>

#include <tc/fabric/completing_target.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/links/bank_protocol.hpp>
#include <tc/links/unit_makers.hpp>

/// A register bank that survives upsets: each word is kept twice, with the parity of the first copy. Every so many words one is hit, and
/// loses a bit of its first copy; a read finds that by the parity, takes the second copy, and repairs the first.
class mirrored_bank final : public sc_core::sc_module, public tc::fabric::statistics_source {
 public:
  static constexpr unsigned words_per_hit = 1000;

  tc::fabric::completing_target read, write, accumulator;

  mirrored_bank(const sc_core::sc_module_name& module_name, const tc::links::register_bank_site& site)
      : sc_module(module_name),
        read(
            "read", rules(site), [this](auto& payload, const auto& delay) { return access(payload, delay); }, debug_callback()),
        write(
            "write", rules(site), [this](auto& payload, const auto& delay) { return access(payload, delay); }, debug_callback()),
        accumulator(
            "accumulator", rules(site), [this](auto& payload, const auto& delay) { return access(payload, delay); }, debug_callback()),
        words_(std::size_t{site.rows} * tc::links::bank_protocol::lanes) {}

  void collect(tc::fabric::statistics_sink& sink) const override {
    sink.count("words_read", words_read_, "words", "Words read");
    sink.count("words_written", words_written_, "words", "Words written");
    sink.count("words_hit", words_hit_, "words", "Words that lost a bit");
    sink.count("words_repaired", words_repaired_, "words", "Words whose second copy was needed");
  }

 private:
  static constexpr unsigned word_bytes = sizeof(std::uint32_t);

  struct mirrored_word {
    std::uint32_t first = 0, second = 0;
    bool parity = false;
  };
  /// A word that is written at a time to come.
  struct future_word {
    std::size_t place;
    std::uint32_t value;
  };

  static tc::fabric::access_rules rules(const tc::links::register_bank_site& site) {
    tc::fabric::access_rules rules;
    rules.size_bytes = std::uint64_t{site.rows} * tc::links::bank_protocol::row_bytes;
    rules.alignment_bytes = tc::links::bank_protocol::row_bytes;
    rules.byte_enables = true;
    return rules;
  }

  static bool parity_of(std::uint32_t word) {
    bool odd = false;
    for (; word != 0; word &= word - 1) odd = !odd;
    return odd;
  }

  tc::fabric::completing_target::debug_callback debug_callback() {
    return [this](tlm::tlm_generic_payload& payload) {
      settle(sc_core::sc_time_stamp());
      transfer(payload, [this](std::size_t place, std::uint32_t value) { store(place, value); });
      return payload.get_data_length();
    };
  }

  /// A write is sent cycles before it arrives: until then reads see what was there before.
  sc_core::sc_time access(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
    const sc_core::sc_time arrival = sc_core::sc_time_stamp() + delay;
    if (payload.is_read()) settle(arrival);
    transfer(payload, [&](std::size_t place, std::uint32_t value) { future_.insert({arrival, {place, value}}); });
    (payload.is_read() ? words_read_ : words_written_) += payload.get_data_length() / word_bytes;
    return delay;  // answered when it arrives
  }

  /// Moves the words of a read, or gives those of a write that are enabled to `put`.
  template <class Put>
  void transfer(tlm::tlm_generic_payload& payload, Put put) {
    const unsigned char* const enables = payload.get_byte_enable_ptr();
    for (unsigned byte = 0; byte < payload.get_data_length(); byte += word_bytes) {
      if (enables != nullptr && enables[byte % payload.get_byte_enable_length()] != TLM_BYTE_ENABLED) continue;
      const auto place = static_cast<std::size_t>((payload.get_address() + byte) / word_bytes);
      std::uint32_t value = payload.is_read() ? load(place) : 0;
      if (payload.is_read()) {
        std::memcpy(payload.get_data_ptr() + byte, &value, word_bytes);
      } else {
        std::memcpy(&value, payload.get_data_ptr() + byte, word_bytes);
        put(place, value);
      }
    }
  }

  void settle(const sc_core::sc_time& time) {
    const auto end = future_.upper_bound(time);
    for (auto next = future_.begin(); next != end; ++next) store(next->second.place, next->second.value);
    future_.erase(future_.begin(), end);
  }

  void store(std::size_t place, std::uint32_t value) {
    words_[place] = {value, value, parity_of(value)};
    if (++stored_ % words_per_hit != 0) return;
    words_[place].first ^= 1u << stored_ / words_per_hit % 32;
    ++words_hit_;
  }

  std::uint32_t load(std::size_t place) {
    mirrored_word& word = words_[place];
    if (parity_of(word.first) != word.parity) {
      word.first = word.second;
      ++words_repaired_;
    }
    return word.first;
  }

  std::vector<mirrored_word> words_;
  std::multimap<sc_core::sc_time, future_word> future_;  // those of one time in the order of the calls
  std::uint64_t stored_ = 0, words_read_ = 0, words_written_ = 0, words_hit_ = 0, words_repaired_ = 0;
};
