// SPDX-License-Identifier: Apache-2.0
#include "chunk_storage.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include <tc/fabric/undefined_bytes.hpp>
#include <tc/tmem/cell_address.hpp>

namespace tc::tmem {

namespace {

/// Calls `use(offset, count)` for each run of enabled bytes of the data (IEEE 1666-2011, section 14.12: the enables repeat).
template <class Use>
void for_each_enabled_run(const tlm::tlm_generic_payload& payload, Use use) {
  const unsigned length = payload.get_data_length();
  const unsigned char* const enables = payload.get_byte_enable_ptr();
  if (enables == nullptr) return use(0U, length);
  const unsigned period = payload.get_byte_enable_length();
  unsigned run = 0;
  for (unsigned offset = 0, place = 0; offset < length; ++offset, place = place + 1 == period ? 0 : place + 1) {
    if (enables[place] == TLM_BYTE_ENABLED) {
      ++run;
    } else if (run != 0) {
      use(offset - run, run);
      run = 0;
    }
  }
  if (run != 0) use(length - run, run);
}

}  // namespace

chunk_storage::chunk_storage() : bytes_(chunk_bytes), written_(chunk_bytes) {}

void chunk_storage::transfer(tlm::tlm_generic_payload& payload, unsigned address) {
  unsigned char* const data = payload.get_data_ptr();
  const bool is_write = payload.is_write();
  for_each_enabled_run(payload, [&](unsigned offset, unsigned count) {
    if (is_write) {
      std::memcpy(&bytes_[address + offset], data + offset, count);
      std::fill_n(&written_[address + offset], count, static_cast<unsigned char>(1));
    } else {
      std::memcpy(data + offset, &bytes_[address + offset], count);
    }
  });
  if (!is_write) tell_undefined(payload, address);
}

void chunk_storage::tell_undefined(tlm::tlm_generic_payload& payload, unsigned address) const {
  auto* const undefined = payload.get_extension<fabric::undefined_bytes>();
  if (undefined == nullptr) return;
  bool any = false;
  for_each_enabled_run(
      payload, [&](unsigned offset, unsigned count) { any = any || std::memchr(&written_[address + offset], 0, count) != nullptr; });
  if (!any) return;
  undefined->any = true;
  undefined->flags.assign(payload.get_data_length(), 0);
  for_each_enabled_run(payload, [&](unsigned offset, unsigned count) {
    for (unsigned i = offset; i < offset + count; ++i) undefined->flags[i] = written_[address + i] == 0 ? 1 : 0;
  });
}

void chunk_storage::shift(unsigned first_column, unsigned columns) {
  for (unsigned column = first_column; column < first_column + columns; ++column) {
    for (std::vector<unsigned char>* const what : {&bytes_, &written_}) {
      unsigned char* const first_lane = &(*what)[column * column_bytes];
      std::memmove(first_lane, first_lane + cell_bytes, column_bytes - cell_bytes);
    }
  }
}

void chunk_storage::begin(std::uint64_t address, std::uint64_t bytes) {
  const std::uint64_t first = std::min<std::uint64_t>(address, chunk_bytes);
  const std::uint64_t count = std::min<std::uint64_t>(bytes, chunk_bytes - first);
  std::fill_n(written_.begin() + static_cast<std::ptrdiff_t>(first), count, static_cast<unsigned char>(0));
}

void chunk_storage::reset() {
  std::fill(bytes_.begin(), bytes_.end(), static_cast<unsigned char>(0));
  std::fill(written_.begin(), written_.end(), static_cast<unsigned char>(0));
}

}  // namespace tc::tmem
