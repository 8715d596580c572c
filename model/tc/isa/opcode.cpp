#include <array>
#include <cstddef>
#include <unordered_map>

#include <tc/isa/modifiers.hpp>
#include <tc/isa/opcode.hpp>

namespace tc::isa {
namespace {

using unit = execution_unit;
using width = width_rule;
using group = modifier_group;
constexpr auto fixed = latency_class::fixed, queued = latency_class::queued;

constexpr architecture_range always{}, turing_on{architecture::sm_75, architecture::sm_100},
    ampere_on{architecture::sm_80, architecture::sm_100}, hopper_on{architecture::sm_90, architecture::sm_100},
    blackwell_on{architecture::sm_100, architecture::sm_100}, ada_only{architecture::sm_89, architecture::sm_89};

constexpr destination_shape nothing{}, a_register{0, register_file::vector}, register_and_carries{0, register_file::vector, false, 2},
    predicate_and_register{1, register_file::vector}, one_predicate{1}, two_predicates{2}, ballot{0, register_file::vector, true, 1},
    a_barrier{0, register_file::barrier}, register_or_barrier{0, register_file::vector, false, 0, register_file::barrier},
    a_uniform{0, register_file::uniform}, uniform_and_carries{0, register_file::uniform, false, 2},
    predicate_and_uniform{1, register_file::uniform}, uniform_ballot{0, register_file::uniform, true, 1};

constexpr auto float_arithmetic = modifier_set(group::float_rounding, group::saturate, group::flush);
constexpr auto half_arithmetic = modifier_set(group::float_formats, group::saturate, group::flush, group::matrix_pipe);
constexpr auto float_compare = modifier_set(group::comparison, group::float_comparison, group::boolean, group::flush, group::float_formats);
constexpr auto integer_compare = modifier_set(group::comparison, group::boolean, group::type_32, group::type_64, group::extended);
constexpr auto multiply_add =
    modifier_set(group::multiply_alias, group::type_32, group::small_types, group::carry, group::high, group::wide);
constexpr auto shift = modifier_set(group::shift, group::type_32, group::type_64, group::small_types, group::high);
constexpr auto conversion = modifier_set(group::conversion, group::float_formats, group::type_32, group::type_64, group::small_types,
                                         group::float_rounding, group::saturate, group::flush);
constexpr auto local_access = modifier_set(group::access, group::cache);
constexpr auto global_access = modifier_set(group::access, group::cache, group::address);
constexpr auto atomic_access =
    modifier_set(group::access, group::cache, group::address, group::atomic, group::type_32, group::type_64, group::float_formats);

/// One row for each opcode, in the order of the enumeration. Columns: mnemonic, opcode, unit, latency, architectures, destinations, fewest
/// and most sources, operand widths, slot of the first source, modifiers. Architectures are the whole range unless a limit is documented.
constexpr std::array table{
    opcode_info{"NOP", opcode::nop, unit::none, fixed, always, nothing, 0, 0},

    opcode_info{"HMMA", opcode::hmma, unit::tensor, fixed, always, a_register, 3, 4, width::matrix_multiply},
    opcode_info{"IMMA", opcode::imma, unit::tensor, fixed, turing_on, a_register, 3, 4, width::matrix_multiply},
    opcode_info{"BMMA", opcode::bmma, unit::tensor, fixed, turing_on, a_register, 3, 4, width::matrix_multiply},
    opcode_info{"DMMA", opcode::dmma, unit::tensor, fixed, ampere_on, a_register, 3, 4, width::matrix_multiply},
    opcode_info{"QMMA", opcode::qmma, unit::tensor, fixed, ada_only, a_register, 3, 4, width::matrix_multiply},
    opcode_info{"MOVM", opcode::movm, unit::load_store, queued, turing_on, a_register, 1, 1, width::single, 0,
                modifier_set(group::matrix_transpose)},

    opcode_info{"FADD", opcode::fadd, unit::fp32, fixed, always, a_register, 2, 2, width::single, 0, float_arithmetic},
    opcode_info{"FMUL", opcode::fmul, unit::fp32, fixed, always, a_register, 2, 2, width::single, 0, float_arithmetic},
    opcode_info{"FFMA", opcode::ffma, unit::fp32, fixed, always, a_register, 3, 3, width::single, 0, float_arithmetic},
    opcode_info{"FMNMX", opcode::fmnmx, unit::integer, fixed, always, a_register, 3, 3, width::single, 0, modifier_set(group::flush)},
    opcode_info{"FSET", opcode::fset, unit::integer, fixed, always, a_register, 3, 3, width::single, 0, float_compare},
    opcode_info{"FSETP", opcode::fsetp, unit::integer, fixed, always, two_predicates, 3, 3, width::single, 0, float_compare},
    opcode_info{"FSEL", opcode::fsel, unit::integer, fixed, always, a_register, 3, 3, width::single, 0, modifier_set(group::flush)},
    opcode_info{"FCHK", opcode::fchk, unit::special_function, queued, always, one_predicate, 2, 2},
    opcode_info{"FSWZADD", opcode::fswzadd, unit::fp32, fixed, always, a_register, 3, 3, width::single, 0, float_arithmetic},
    opcode_info{"MUFU", opcode::mufu, unit::special_function, queued, always, a_register, 1, 1, width::single, 1,
                modifier_set(group::mufu_function, group::float_formats)},

    opcode_info{"HADD2", opcode::hadd2, unit::half, fixed, always, a_register, 2, 2, width::single, 0, half_arithmetic},
    opcode_info{"HMUL2", opcode::hmul2, unit::half, fixed, always, a_register, 2, 2, width::single, 0, half_arithmetic},
    opcode_info{"HFMA2", opcode::hfma2, unit::half, fixed, always, a_register, 3, 3, width::single, 0, half_arithmetic},
    opcode_info{"HMNMX2", opcode::hmnmx2, unit::integer, fixed, ampere_on, a_register, 3, 3, width::single, 0, half_arithmetic},
    opcode_info{"HSET2", opcode::hset2, unit::half, fixed, always, a_register, 3, 3, width::single, 0, float_compare},
    opcode_info{"HSETP2", opcode::hsetp2, unit::half, fixed, always, two_predicates, 3, 3, width::single, 0, float_compare},

    opcode_info{"DADD", opcode::dadd, unit::fp64, queued, always, a_register, 2, 2, width::fp64, 0, modifier_set(group::float_rounding)},
    opcode_info{"DMUL", opcode::dmul, unit::fp64, queued, always, a_register, 2, 2, width::fp64, 0, modifier_set(group::float_rounding)},
    opcode_info{"DFMA", opcode::dfma, unit::fp64, queued, always, a_register, 3, 3, width::fp64, 0, modifier_set(group::float_rounding)},
    opcode_info{"DSETP", opcode::dsetp, unit::fp64, queued, always, two_predicates, 3, 3, width::fp64, 0, float_compare},
    opcode_info{"DMNMX", opcode::dmnmx, unit::fp64, queued, always, a_register, 3, 3, width::fp64},

    opcode_info{"IADD3", opcode::iadd3, unit::integer, fixed, always, register_and_carries, 3, 5, width::single, 0,
                modifier_set(group::carry)},
    opcode_info{"IMAD", opcode::imad, unit::fp32, fixed, always, register_and_carries, 3, 4, width::multiply_add, 0, multiply_add},
    opcode_info{"IMNMX", opcode::imnmx, unit::integer, fixed, always, a_register, 3, 3, width::single, 0, modifier_set(group::type_32)},
    opcode_info{"ISETP", opcode::isetp, unit::integer, fixed, always, two_predicates, 3, 4, width::single, 0, integer_compare},
    opcode_info{"IABS", opcode::iabs, unit::integer, fixed, always, a_register, 1, 1, width::single, 1},
    opcode_info{"IDP", opcode::idp, unit::fp32, fixed, always, a_register, 3, 3, width::single, 0,
                modifier_set(group::packing, group::small_types)},
    opcode_info{"LEA", opcode::lea, unit::integer, fixed, always, register_and_carries, 3, 5, width::single, 0,
                modifier_set(group::carry, group::high, group::sign_extend)},
    opcode_info{"LOP3", opcode::lop3, unit::integer, fixed, always, predicate_and_register, 5, 5, width::single, 0,
                modifier_set(group::lookup_table)},
    opcode_info{"PLOP3", opcode::plop3, unit::integer, fixed, always, two_predicates, 5, 5, width::single, 0,
                modifier_set(group::lookup_table)},
    opcode_info{"MOV", opcode::mov, unit::integer, fixed, always, a_register, 1, 2, width::single, 1},
    opcode_info{"SEL", opcode::sel, unit::integer, fixed, always, a_register, 3, 3},
    opcode_info{"PRMT", opcode::prmt, unit::integer, fixed, always, a_register, 3, 3, width::single, 0, modifier_set(group::permute)},
    opcode_info{"SHF", opcode::shf, unit::integer, fixed, always, a_register, 3, 3, width::single, 0, shift},
    opcode_info{"SGXT", opcode::sgxt, unit::integer, fixed, always, a_register, 2, 2, width::single, 0,
                modifier_set(group::type_32, group::shift)},
    opcode_info{"BMSK", opcode::bmsk, unit::integer, fixed, always, a_register, 2, 2, width::single, 0, modifier_set(group::shift)},
    opcode_info{"VIADD", opcode::viadd, unit::integer, fixed, hopper_on, a_register, 2, 2},
    opcode_info{"VIMNMX", opcode::vimnmx, unit::integer, fixed, hopper_on, a_register, 3, 3, width::single, 0,
                modifier_set(group::type_32, group::small_types)},
    opcode_info{"VABSDIFF", opcode::vabsdiff, unit::integer, fixed, always, a_register, 3, 3, width::single, 0,
                modifier_set(group::type_32, group::small_types)},
    opcode_info{"VABSDIFF4", opcode::vabsdiff4, unit::integer, fixed, always, a_register, 3, 3, width::single, 0,
                modifier_set(group::type_32, group::small_types)},
    opcode_info{"R2P", opcode::r2p, unit::integer, fixed, always, one_predicate, 2, 2},
    opcode_info{"P2R", opcode::p2r, unit::integer, fixed, always, a_register, 2, 3},
    opcode_info{"POPC", opcode::popc, unit::special_function, queued, always, a_register, 1, 1, width::single, 1},
    opcode_info{"FLO", opcode::flo, unit::special_function, queued, always, a_register, 1, 1, width::single, 1,
                modifier_set(group::type_32, group::bit_search)},
    opcode_info{"BREV", opcode::brev, unit::special_function, queued, always, a_register, 1, 1, width::single, 1},

    opcode_info{"F2F", opcode::f2f, unit::special_function, queued, always, a_register, 1, 1, width::conversion, 1, conversion},
    opcode_info{"F2FP", opcode::f2fp, unit::half, fixed, turing_on, a_register, 2, 3, width::single, 0, conversion},
    opcode_info{"F2I", opcode::f2i, unit::special_function, queued, always, a_register, 1, 1, width::conversion, 1, conversion},
    opcode_info{"F2IP", opcode::f2ip, unit::special_function, queued, turing_on, a_register, 2, 3, width::single, 0, conversion},
    opcode_info{"I2F", opcode::i2f, unit::special_function, queued, always, a_register, 1, 1, width::conversion, 1, conversion},
    opcode_info{"I2FP", opcode::i2fp, unit::integer, fixed, ampere_on, a_register, 1, 1, width::single, 1, conversion},
    opcode_info{"I2IP", opcode::i2ip, unit::integer, fixed, turing_on, a_register, 2, 3, width::single, 0, conversion},
    opcode_info{"FRND", opcode::frnd, unit::special_function, queued, always, a_register, 1, 1, width::conversion, 1, conversion},

    opcode_info{"LD", opcode::ld, unit::load_store, queued, always, a_register, 1, 2, width::load, 0, global_access},
    opcode_info{"ST", opcode::st, unit::load_store, queued, always, nothing, 2, 2, width::store, 0, global_access},
    opcode_info{"LDG", opcode::ldg, unit::load_store, queued, always, a_register, 1, 2, width::load, 0, global_access},
    opcode_info{"STG", opcode::stg, unit::load_store, queued, always, nothing, 2, 2, width::store, 0, global_access},
    opcode_info{"LDS", opcode::lds, unit::load_store, queued, always, a_register, 1, 1, width::load, 0, local_access},
    opcode_info{"STS", opcode::sts, unit::load_store, queued, always, nothing, 2, 2, width::store, 0, local_access},
    opcode_info{"LDL", opcode::ldl, unit::load_store, queued, always, a_register, 1, 1, width::load, 0, local_access},
    opcode_info{"STL", opcode::stl, unit::load_store, queued, always, nothing, 2, 2, width::store, 0, local_access},
    opcode_info{"LDC", opcode::ldc, unit::constant_load, queued, always, a_register, 1, 1, width::load, 0, local_access},
    opcode_info{"LDCU", opcode::ldcu, unit::constant_load, queued, blackwell_on, a_uniform, 1, 1, width::load, 0, local_access},
    opcode_info{"LDSM", opcode::ldsm, unit::load_store, queued, turing_on, a_register, 1, 1, width::load_matrix, 0,
                modifier_set(group::load_matrix, group::matrix_transpose)},
    opcode_info{"STSM", opcode::stsm, unit::load_store, queued, hopper_on, nothing, 2, 2, width::store_matrix, 0,
                modifier_set(group::load_matrix, group::matrix_transpose)},
    opcode_info{"LDGSTS", opcode::ldgsts, unit::load_store, queued, ampere_on, nothing, 2, 3, width::copy, 0, global_access},
    opcode_info{"LDGDEPBAR", opcode::ldgdepbar, unit::load_store, queued, ampere_on, nothing, 0, 0},
    opcode_info{"ATOM", opcode::atom, unit::load_store, queued, always, predicate_and_register, 2, 3, width::atomic, 0, atomic_access},
    opcode_info{"ATOMG", opcode::atomg, unit::load_store, queued, always, predicate_and_register, 2, 3, width::atomic, 0, atomic_access},
    opcode_info{"ATOMS", opcode::atoms, unit::load_store, queued, always, predicate_and_register, 1, 3, width::atomic, 0, atomic_access},
    opcode_info{"RED", opcode::red, unit::load_store, queued, always, nothing, 2, 2, width::store, 0, atomic_access},
    opcode_info{"DEPBAR", opcode::depbar, unit::system, fixed, always, nothing, 1, 3, width::single, 0, modifier_set(group::less_equal)},
    opcode_info{"MEMBAR", opcode::membar, unit::load_store, queued, always, nothing, 0, 0, width::single, 0, modifier_set(group::membar)},
    opcode_info{"FENCE", opcode::fence, unit::load_store, queued, hopper_on, nothing, 0, 0, width::single, 0, modifier_set(group::membar)},
    opcode_info{"ERRBAR", opcode::errbar, unit::load_store, fixed, always, nothing, 0, 0},
    opcode_info{"CCTL", opcode::cctl, unit::load_store, queued, always, nothing, 0, 1, width::single, 0,
                modifier_set(group::cache, group::address)},

    opcode_info{"ULDC", opcode::uldc, unit::constant_load, queued, turing_on, a_uniform, 1, 1, width::load, 0, local_access},
    opcode_info{"UIADD3", opcode::uiadd3, unit::uniform, fixed, turing_on, uniform_and_carries, 3, 5, width::single, 0,
                modifier_set(group::carry)},
    opcode_info{"UIMAD", opcode::uimad, unit::uniform, fixed, turing_on, uniform_and_carries, 3, 4, width::multiply_add, 0, multiply_add},
    opcode_info{"ULEA", opcode::ulea, unit::uniform, fixed, turing_on, uniform_and_carries, 3, 5, width::single, 0,
                modifier_set(group::carry, group::high, group::sign_extend)},
    opcode_info{"ULOP3", opcode::ulop3, unit::uniform, fixed, turing_on, predicate_and_uniform, 5, 5, width::single, 0,
                modifier_set(group::lookup_table)},
    opcode_info{"UPLOP3", opcode::uplop3, unit::uniform, fixed, turing_on, two_predicates, 5, 5, width::single, 0,
                modifier_set(group::lookup_table)},
    opcode_info{"UMOV", opcode::umov, unit::uniform, fixed, turing_on, a_uniform, 1, 1},
    opcode_info{"USEL", opcode::usel, unit::uniform, fixed, turing_on, a_uniform, 3, 3},
    opcode_info{"USHF", opcode::ushf, unit::uniform, fixed, turing_on, a_uniform, 3, 3, width::single, 0, shift},
    opcode_info{"USGXT", opcode::usgxt, unit::uniform, fixed, turing_on, a_uniform, 2, 2, width::single, 0,
                modifier_set(group::type_32, group::shift)},
    opcode_info{"UISETP", opcode::uisetp, unit::uniform, fixed, turing_on, two_predicates, 3, 4, width::single, 0, integer_compare},
    opcode_info{"UPRMT", opcode::uprmt, unit::uniform, fixed, turing_on, a_uniform, 3, 3, width::single, 0, modifier_set(group::permute)},
    opcode_info{"UBMSK", opcode::ubmsk, unit::uniform, fixed, turing_on, a_uniform, 2, 2, width::single, 0, modifier_set(group::shift)},
    opcode_info{"UFLO", opcode::uflo, unit::uniform, fixed, turing_on, a_uniform, 1, 1, width::single, 0,
                modifier_set(group::type_32, group::bit_search)},
    opcode_info{"UPOPC", opcode::upopc, unit::uniform, fixed, turing_on, a_uniform, 1, 1},
    opcode_info{"UBREV", opcode::ubrev, unit::uniform, fixed, turing_on, a_uniform, 1, 1},
    opcode_info{"UP2UR", opcode::up2ur, unit::uniform, fixed, turing_on, a_uniform, 2, 3},
    opcode_info{"UR2UP", opcode::ur2up, unit::uniform, fixed, turing_on, one_predicate, 2, 2},
    opcode_info{"R2UR", opcode::r2ur, unit::uniform, fixed, turing_on, predicate_and_uniform, 1, 1, width::single, 0,
                modifier_set(group::boolean)},
    opcode_info{"S2UR", opcode::s2ur, unit::system, queued, turing_on, a_uniform, 1, 1},
    opcode_info{"VOTEU", opcode::voteu, unit::uniform, fixed, turing_on, uniform_ballot, 1, 1, width::single, 0, modifier_set(group::vote)},
    opcode_info{"REDUX", opcode::redux, unit::special_function, queued, ampere_on, a_uniform, 1, 1, width::single, 0,
                modifier_set(group::reduction, group::boolean, group::type_32)},
    opcode_info{"UCLEA", opcode::uclea, unit::uniform, fixed, hopper_on, a_uniform, 3, 3},
    opcode_info{"ELECT", opcode::elect, unit::integer, fixed, hopper_on, {1, register_file::uniform, true, 0}, 1, 1},

    opcode_info{"BRA", opcode::bra, unit::branch, fixed, always, nothing, 0, 2, width::single, 0, modifier_set(group::branch)},
    opcode_info{"BRX", opcode::brx, unit::branch, fixed, always, nothing, 1, 2, width::code_address, 0, modifier_set(group::branch)},
    opcode_info{"JMP", opcode::jmp, unit::branch, fixed, always, nothing, 0, 2, width::single, 0, modifier_set(group::branch)},
    opcode_info{"JMX", opcode::jmx, unit::branch, fixed, always, nothing, 1, 2, width::code_address, 0, modifier_set(group::branch)},
    opcode_info{"CALL", opcode::call, unit::branch, fixed, always, nothing, 0, 2, width::code_address, 0, modifier_set(group::branch)},
    opcode_info{"RET", opcode::ret, unit::branch, fixed, always, nothing, 1, 2, width::code_address, 0, modifier_set(group::branch)},
    opcode_info{"EXIT", opcode::exit, unit::branch, fixed, always, nothing, 0, 1, width::single, 0, modifier_set(group::branch)},
    opcode_info{"KILL", opcode::kill, unit::branch, fixed, always, nothing, 0, 1},
    opcode_info{"BSSY", opcode::bssy, unit::branch, fixed, always, a_barrier, 0, 2, width::single, 0, modifier_set(group::convergence)},
    opcode_info{"BSYNC", opcode::bsync, unit::branch, fixed, always, nothing, 1, 2, width::single, 0, modifier_set(group::convergence)},
    opcode_info{"BREAK", opcode::break_, unit::branch, fixed, always, nothing, 1, 2, width::single, 0, modifier_set(group::convergence)},
    opcode_info{"WARPSYNC", opcode::warpsync, unit::branch, fixed, always, nothing, 0, 2, width::single, 0, modifier_set(group::warp)},
    opcode_info{"BMOV", opcode::bmov, unit::branch, fixed, always, register_or_barrier, 1, 1, width::single, 0,
                modifier_set(group::convergence)},
    opcode_info{"YIELD", opcode::yield, unit::branch, fixed, always, nothing, 0, 1},
    opcode_info{"NANOSLEEP", opcode::nanosleep, unit::system, fixed, always, nothing, 1, 2, width::single, 0, modifier_set(group::warp)},
    opcode_info{"BAR", opcode::bar, unit::system, fixed, always, nothing, 0, 3, width::single, 0,
                modifier_set(group::barrier, group::boolean)},
    opcode_info{"B2R", opcode::b2r, unit::system, queued, always, register_and_carries, 0, 1, width::single, 0,
                modifier_set(group::barrier)},
    opcode_info{"S2R", opcode::s2r, unit::system, queued, always, a_register, 1, 1},
    opcode_info{"CS2R", opcode::cs2r, unit::integer, fixed, always, a_register, 1, 1, width::clock, 0, modifier_set(group::clock)},
    opcode_info{"SHFL", opcode::shfl, unit::load_store, queued, always, predicate_and_register, 3, 3, width::single, 0,
                modifier_set(group::shuffle)},
    opcode_info{"VOTE", opcode::vote, unit::integer, fixed, always, ballot, 1, 1, width::single, 0, modifier_set(group::vote)},
    opcode_info{"MATCH", opcode::match, unit::special_function, queued, always, predicate_and_register, 1, 1, width::single, 0,
                modifier_set(group::vote, group::type_32, group::type_64)},
    opcode_info{"PMTRIG", opcode::pmtrig, unit::system, fixed, always, nothing, 0, 1},
    opcode_info{"BPT", opcode::bpt, unit::system, fixed, always, nothing, 0, 1, width::single, 0, modifier_set(group::branch)},
};

constexpr bool rows_follow_the_enumeration() {
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i].op != static_cast<opcode>(i)) return false;
  }
  return table.size() == static_cast<std::size_t>(opcode::bpt) + 1;
}
static_assert(rows_follow_the_enumeration());

}  // namespace

const opcode_info& info(opcode op) { return table[static_cast<std::size_t>(op)]; }

const opcode_info* find_opcode(std::string_view mnemonic) {
  static const auto by_mnemonic = [] {
    std::unordered_map<std::string_view, const opcode_info*> result;
    for (const opcode_info& row : table) result.emplace(row.mnemonic, &row);
    return result;
  }();
  const auto found = by_mnemonic.find(mnemonic);
  return found == by_mnemonic.end() ? nullptr : found->second;
}

}  // namespace tc::isa
