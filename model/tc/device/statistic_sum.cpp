#include <tc/device/statistic_sum.hpp>

namespace tc::device {

statistic_sum::statistic_sum(std::string_view object, std::string_view statistic) : object_(object), statistic_(statistic) {
  fabric::collect_statistics(*this);
}

void statistic_sum::begin_object(std::string_view path) { counts_ = path.substr(path.rfind('.') + 1) == object_; }

void statistic_sum::record(const fabric::statistic& value) {
  if (!counts_ || value.name != statistic_ || value.value == 0) return;
  sum_ += value.value;
  ++objects_;
}

}  // namespace tc::device
