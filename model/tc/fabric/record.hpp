// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <tlm>

#include <tc/fabric/clocked.hpp>

namespace tc::fabric {

/// How the value of an attribute is read.
enum class attribute_kind : std::uint8_t {
  number,   ///< decimal
  address,  ///< hexadecimal
  choice,   ///< one of a list of names; the value is its index
  text,     ///< `record_value::text`
  record,   ///< the id of another record, of any stream; 0: none
};

/// One attribute of the records of a type. Names are literals.
struct record_attribute {
  std::string_view name{};  ///< snake_case, e.g. "pc"; empty: the type has no further attributes
  attribute_kind kind = attribute_kind::number;
  unsigned bits = 32;                         ///< its width in waves; of a text, 8 for each character that waves show
  const std::string_view* choices = nullptr;  ///< of a choice: the names, `choice_count` of them
  std::size_t choice_count = 0;
};

/// What a stream of records tells about.
struct record_type {
  static constexpr std::size_t max_attributes = 8;

  std::string_view name;         ///< snake_case, the same in all writers, e.g. "operand_fetch"
  std::string_view description;  ///< one sentence for people
  std::array<record_attribute, max_attributes> attributes{};
  unsigned open_bits = 1;  ///< width of the number of records of a stream that are open at once: 1 if there is at most one
  bool is_detail = false;  ///< finer than what people look at one by one: in waves, not in timelines

  constexpr std::size_t attribute_count() const {
    std::size_t count = 0;
    while (count < max_attributes && !attributes[count].name.empty()) ++count;
    return count;
  }
};

/// Records of one type at one place of the machine: a module, a port of it, or a warp slot. Made by a recorder; lives as long as it.
class record_stream {
 public:
  record_stream(std::string path, const record_type& type, std::size_t number) : path_(std::move(path)), type_(&type), number_(number) {}

  const std::string& path() const { return path_; }  ///< of the place in the object tree, e.g. "gpu.sm_0.sub_core_1.bank_0"
  const record_type& type() const { return *type_; }
  std::size_t number() const { return number_; }  ///< among the streams of the recorder, from 0 on

 private:
  std::string path_;
  const record_type* type_;
  std::size_t number_;
};

/// The value of an attribute, as its kind says.
struct record_value {
  constexpr record_value(std::uint64_t value) : number(value) {}   // NOLINT(google-explicit-constructor): lists of values read better
  constexpr record_value(std::string_view value) : text(value) {}  // NOLINT(google-explicit-constructor)

  std::uint64_t number = 0;
  std::string_view text{};  ///< lives as long as the machine
};

/// One end of something that takes time: an instruction, a stage of it, a transaction, a wait. A record has two of these, and is open from
/// the cycle of its begin to before that of its end; one whose ends have the same cycle took no time.
///
/// Whoever tells something tells it in its cycle or, as soon as it is known, ahead of it, and never later. Events of different streams come
/// in any order of their cycles; those of a record come with the begin first. At the end of a run records may be open.
struct record_event {
  enum class edge : std::uint8_t { begin, end };

  edge what = edge::begin;
  const record_stream* stream = nullptr;
  std::uint64_t id = 0;  ///< of the record, unique in the run, from 1 on
  cycle_t cycle = 0;

  // With the begin.
  std::uint64_t parent = 0;              ///< id of the record that this one is a part of; 0: none
  const record_value* values = nullptr;  ///< of the attributes of its type, in their order; to be read during the call
};

/// Takes records: writers of files, or a platform's own analysis. A listener sees every event once, in the call.
using record_listener = tlm::tlm_analysis_if<record_event>;

}  // namespace tc::fabric
