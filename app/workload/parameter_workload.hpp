// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tc/config/parameter_loader.hpp>
#include <tc/config/parameter_path.hpp>
#include <tc/config/parameter_reader.hpp>
#include <tc/config/parameter_writer.hpp>
#include <tc/config/validation.hpp>

#include "failure.hpp"
#include "workload.hpp"

namespace tcsim {

/// A workload of class Workload, whose parameters are a record: reads, writes and changes it, and turns what is thrown into outcomes.
/// Workload has a `kind_name`, says whether it `makes_code` and `takes_time`, and has `check_valid(machine)` and `run_valid(machine)`,
/// which find parameters that are valid. One that reads files overrides content_code().
template <class Workload, class Parameters>
class parameter_workload : public workload {
 public:
  parameter_workload(const tc::config::json_document& document, std::filesystem::path folder)
      : path_(document.path()), folder_(std::move(folder)) {
    tc::config::parameter_reader(document).read(values_);
    origins_.add(document);
    make_files_absolute();
  }

  std::string_view kind() const override { return Workload::kind_name; }
  std::string content_code() const override { return ""; }

  boost::json::object parameters() const override { return tc::config::to_json(values_).get_object(); }

  void set(const tc::config::parameter_override& change) override {
    change.apply(values_);
    changes_.add(change);
    make_files_absolute();
  }

  std::unique_ptr<workload> clone() const override { return std::make_unique<Workload>(static_cast<const Workload&>(*this)); }

  void check(const tc::config::machine& machine) const override {
    require_valid();
    self().check_valid(machine);
  }

  workload_outcome run(const tc::config::machine& machine) const override {
    try {
      require_valid();
      return self().run_valid(machine);
    } catch (...) {
      const failure why = current_failure();
      return {why.status, why.message, {}};
    }
  }

  /// The file that a relative name means: `beside` the sweep file, unless Workload has another function of this name.
  static std::filesystem::path find_file(const std::filesystem::path& beside, const std::filesystem::path&) { return beside; }

 protected:
  const Parameters& values() const { return values_; }

 private:
  template <class T, class = void>
  struct has_files : std::false_type {};
  template <class T>
  struct has_files<T, std::void_t<decltype(std::declval<T&>().files)>> : std::true_type {};

  void make_files_absolute() {
    if constexpr (has_files<Parameters>::value)
      for (std::string& file : values_.files) file = Workload::find_file((folder_ / file).lexically_normal(), file).string();
  }

  const Workload& self() const { return static_cast<const Workload&>(*this); }

  void require_valid() const {
    try {
      tc::config::validate_tree(values_);
    } catch (const tc::config::config_error& error) {
      throw located(error);
    }
  }

  /// The error at the place of the change that set its parameter, or in the document.
  tc::config::config_error located(const tc::config::config_error& error) const {
    const std::string path = tc::config::member_path(path_, error.path());
    const tc::config::config_error changed = changes_.locate(error);
    if (!changed.source().empty()) return {changed.source(), changed.position(), path, error.message()};
    return origins_.locate({path, error.message()});
  }

  Parameters values_{};
  std::string path_;
  std::filesystem::path folder_;
  tc::config::parameter_origins origins_;  ///< of the document, by path in it
  tc::config::parameter_origins changes_;  ///< by path in the parameters
};

/// Words of a command line.
class argument_list {
 public:
  explicit argument_list(std::string command) : words_{std::move(command)} {}

  /// An option and its value, unless the value is `unless`, that of the option if it is not given.
  template <class Value>
  void add(const std::string& option, const Value& value, const Value& unless) {
    if (value == unless) return;
    words_.push_back(option);
    if constexpr (std::is_same_v<Value, std::string>)
      words_.push_back(value);
    else
      words_.push_back(std::to_string(value));
  }
  void add_flag(const std::string& flag, bool is_set) {
    if (is_set) words_.push_back(flag);
  }
  void add_words(const std::vector<std::string>& words) { words_.insert(words_.end(), words.begin(), words.end()); }

  std::vector<std::string> words() && { return std::move(words_); }

 private:
  std::vector<std::string> words_;
};

}  // namespace tcsim
