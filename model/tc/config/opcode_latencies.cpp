// SPDX-License-Identifier: Apache-2.0
#include "opcode_latencies.hpp"

namespace tc::config {

namespace {

opcode_form opcode_form_of(const isa::modifiers& mods) {
  if (mods.wide) return opcode_form::wide;
  if (mods.clock_32) return opcode_form::clock_32;
  return mods.matrix_pipe ? opcode_form::matrix_pipe : opcode_form::plain;
}

}  // namespace

std::optional<opcode_with_form> opcode_with_form::find(std::string_view name) {
  static const std::map<std::string_view, opcode_form> forms{
      {"", opcode_form::plain}, {".WIDE", opcode_form::wide}, {".32", opcode_form::clock_32}, {".MMA", opcode_form::matrix_pipe}};
  const std::string_view mnemonic = name.substr(0, name.find('.'));
  const isa::opcode_info* const row = isa::find_opcode(mnemonic);
  const auto form = forms.find(name.substr(mnemonic.size()));
  if (row == nullptr || form == forms.end()) return std::nullopt;
  return opcode_with_form{row->op, form->second};
}

opcode_latencies::opcode_latencies(const pipe_parameters& parameters) : other_(parameters.latency_cycles) {
  for (const auto& [name, cycles] : parameters.opcode_latency_cycles)
    if (const auto named = opcode_with_form::find(name)) own_[{named->op, named->form}] = cycles;
}

unsigned opcode_latencies::cycles(const isa::instruction& code) const {
  if (own_.empty()) return other_;
  for (const opcode_form form : {opcode_form_of(code.mods), opcode_form::plain})
    if (const auto own = own_.find({code.op, form}); own != own_.end()) return own->second;
  return other_;
}

}  // namespace tc::config
