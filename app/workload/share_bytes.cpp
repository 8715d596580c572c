// SPDX-License-Identifier: Apache-2.0
#include "share_bytes.hpp"

#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace tcsim {

namespace {

namespace parallel = tc::parallel;
namespace accounting = tc::accounting;

/// Appends values.
class writer {
 public:
  explicit writer(std::string& bytes) : bytes_(bytes) {}

  template <class Value>
  void operator()(const Value& value) {
    static_assert(std::is_trivially_copyable_v<Value>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void operator()(const std::string& text) {
    (*this)(text.size());
    bytes_ += text;
  }
  template <class Value>
  void operator()(const std::vector<Value>& values) {
    (*this)(values.size());
    if constexpr (std::is_trivially_copyable_v<Value>)
      bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value));
    else
      for (const Value& value : values) transfer(value, *this);
  }

 private:
  std::string& bytes_;
};

/// Takes values in the same order.
class reader {
 public:
  explicit reader(std::string_view bytes) : bytes_(bytes) {}

  template <class Value>
  void operator()(Value& value) {
    static_assert(std::is_trivially_copyable_v<Value>);
    std::memcpy(&value, take(sizeof value), sizeof value);
  }
  void operator()(std::string& text) {
    std::size_t size = 0;
    (*this)(size);
    text.assign(take(size), size);
  }
  template <class Value>
  void operator()(std::vector<Value>& values) {
    std::size_t size = 0;
    (*this)(size);
    if constexpr (std::is_trivially_copyable_v<Value>) {
      const char* const content = take(size * sizeof(Value));
      values.resize(size);
      if (size != 0) std::memcpy(values.data(), content, size * sizeof(Value));
    } else {
      values.resize(size);
      for (Value& value : values) transfer(value, *this);
    }
  }

 private:
  const char* take(std::size_t count) {
    if (count > bytes_.size()) throw std::runtime_error("a process that simulated some of the SMs has not told all of its result");
    const char* const begin = bytes_.data();
    bytes_.remove_prefix(count);
    return begin;
  }

  std::string_view bytes_;
};

// The members of what is no plain value, for writer and reader alike.

template <class Text, class Transfer>
std::enable_if_t<std::is_same_v<std::remove_const_t<Text>, std::string>> transfer(Text& text, Transfer& member) {
  member(text);
}

template <class Report, class Transfer>
void transfer_origin(Report& report, Transfer& member) {
  member(report.kernel);
  member(report.cta);
  member(report.warp);
  member(report.subject);
  member(report.cycle);
  member(report.occurrences);
}

template <class Report, class Transfer>
std::enable_if_t<std::is_same_v<std::remove_const_t<Report>, accounting::undefined_value_report>> transfer(Report& report,
                                                                                                           Transfer& member) {
  transfer_origin(report, member);
  member(report.consumer);
  member(report.consumer_pc);
  member(report.consumer_line);
  member(report.producer);
  member(report.producer_line);
}

template <class Report, class Transfer>
std::enable_if_t<std::is_same_v<std::remove_const_t<Report>, accounting::hazard_report>> transfer(Report& report, Transfer& member) {
  transfer_origin(report, member);
  member(report.consumer);
  member(report.consumer_pc);
  member(report.consumer_line);
  member(report.reg);
  member(report.cycles_early);
  member(report.kind);
}

template <class Report, class Transfer>
std::enable_if_t<std::is_same_v<std::remove_const_t<Report>, accounting::ordering_report>> transfer(Report& report, Transfer& member) {
  transfer_origin(report, member);
  member(report.instruction);
  member(report.line);
  member(report.what);
}

template <class Report, class Transfer>
std::enable_if_t<std::is_same_v<std::remove_const_t<Report>, accounting::wrong_address_report>> transfer(Report& report, Transfer& member) {
  transfer_origin(report, member);
  member(report.instruction);
  member(report.pc);
  member(report.line);
  member(report.lane);
  member(report.computed);
  member(report.traced);
}

template <class Change, class Transfer>
std::enable_if_t<std::is_same_v<std::remove_const_t<Change>, parallel::memory_change>> transfer(Change& change, Transfer& member) {
  member(change.address);
  member(change.bytes);
  member(change.undefined);
}

template <class Statistic, class Transfer>
std::enable_if_t<std::is_same_v<std::remove_const_t<Statistic>, tc::fabric::kept_statistic>> transfer(Statistic& value, Transfer& member) {
  member(value.name);
  member(value.kind);
  member(value.unit);
  member(value.description);
  member(value.part);
  member(value.value);
  member(value.denominator);
}

template <class Object, class Transfer>
std::enable_if_t<std::is_same_v<std::remove_const_t<Object>, tc::fabric::kept_object>> transfer(Object& object, Transfer& member) {
  member(object.path);
  member(object.statistics);
}

/// Of a kernel, what its own process does not know.
template <class Result, class Transfer>
std::enable_if_t<std::is_same_v<std::remove_const_t<Result>, accounting::kernel_result>> transfer(Result& kernel, Transfer& member) {
  member(kernel.instructions);
  member(kernel.finished);
  member(kernel.end);
  member(kernel.addresses);
}

template <class Share, class Transfer>
void transfer_share(Share& share, Transfer& member) {
  auto& result = share.result;
  member(result.status);
  member(result.hazard_rule);
  member(result.waiting);
  member(result.cycles);
  member(result.instructions);
  member(result.kernels);
  member(result.clock_reads);
  member(result.warps);
  member(result.stalls);
  member(result.undefined_values);
  member(result.hazards);
  member(result.ordering_hazards);
  member(result.wrong_addresses);
  member(share.statistics);
  member(share.memory);
  member(share.read);
}

}  // namespace

std::string bytes_of(const parallel::share_result& share) {
  std::string bytes;
  writer member(bytes);
  transfer_share(share, member);
  return bytes;
}

parallel::share_result share_from(std::string_view bytes) {
  parallel::share_result share;
  reader member(bytes);
  transfer_share(share, member);
  return share;
}

}  // namespace tcsim
