#include "register_rows.hpp"

#include <tc/isa/register_use.hpp>

namespace tc::subcore {

void register_rows::arrange(const register_mapping& mapping, unsigned warp_slot, const std::vector<std::uint8_t>& registers) {
  if (warp_slot == warp_slot_ && registers == registers_) return;
  warp_slot_ = warp_slot;
  registers_ = registers;
  order_.clear();
  for (unsigned bank = 0; bank < mapping.banks(); ++bank)
    for (unsigned i = 0; i < registers.size(); ++i)
      if (registers[i] != isa::zero_register && mapping.bank(warp_slot, registers[i]) == bank)
        order_.push_back(static_cast<std::uint8_t>(i));
  rows_.resize(order_.size());

  runs_.clear();
  for (std::size_t row = 0; row < order_.size(); ++row) {
    const register_location at = mapping.locate(warp_slot, registers[order_[row]]);
    const bool follows = !runs_.empty() && runs_.back().bank == at.bank &&
                         at.address() == runs_.back().address + runs_.back().rows * std::uint64_t{bank_protocol::row_bytes};
    if (follows)
      ++runs_.back().rows;
    else
      runs_.push_back({at.bank, at.address(), row, 1});
  }
}

}  // namespace tc::subcore
