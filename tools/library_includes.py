#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each source and header includes the library headers of the names it uses, itself or through headers of the project. Compilers do not tell:
one header of a library brings others, and a precompiled one brings them all.

Usage: library_includes.py FOLDER...
"""

import functools
import pathlib
import re
import sys

# Standard header -> the names of std that it is included for. A name in several headers is found through any of them.
STANDARD = {
    "algorithm": """adjacent_find all_of any_of binary_search clamp copy copy_if copy_n count count_if equal fill fill_n find find_if for_each_n
        is_sorted lower_bound max max_element min min_element mismatch none_of partition remove remove_if replace replace_if rotate search shuffle
        sort stable_partition stable_sort transform unique upper_bound equal_range swap_ranges reverse nth_element lexicographical_compare generate minmax
        pop_heap push_heap""",
    "array": "array begin end get", "atomic": "atomic memory_order_relaxed atomic_flag", "bitset": "bitset",
    "cctype": "isalnum isalpha isdigit isspace isxdigit tolower toupper",
    "charconv": "from_chars to_chars chars_format", "chrono": "chrono",
    "cfenv": "fegetround fesetround",
    "cmath": """abs ceil copysign cos erfc exp exp2 fabs floor fma fpclassify frexp ilogb isfinite isinf isnan ldexp log log2 lround nan nearbyint nextafter pow remainder
        round signbit sin sqrt tanh trunc""",
    "csignal": "signal", "cstddef": "max_align_t nullptr_t ptrdiff_t size_t byte",
    "cstdint": "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t uintmax_t uintptr_t",
    "cstdio": "fclose ferror fflush fread remove rename rewind snprintf tmpfile fwrite fputs FILE",
    "cstdlib": "abs calloc free getenv strtod strtoul exit abort size_t",
    "cstring": "memchr memcmp memcpy memmove memset strerror strlen strcmp size_t",
    "deque": "deque", "exception": "exception current_exception rethrow_exception exception_ptr terminate",
    "filesystem": "filesystem", "fstream": "ifstream ofstream fstream", "functional": "function greater less ref cref hash plus",
    "initializer_list": "initializer_list", "iosfwd": "istream ostream streambuf", "ios": "ios ios_base streamsize streamoff",
    "iostream": "cout cerr cin istream ostream flush endl ios ios_base streamsize streambuf",
    "istream": "istream ios ios_base streamsize streamoff", "iterator": "back_inserter next prev distance begin end ostream_iterator istreambuf_iterator size",
    "limits": "numeric_limits", "list": "list", "map": "map multimap",
    "memory": "align make_shared make_unique shared_ptr unique_ptr weak_ptr addressof",
    "mutex": "mutex lock_guard unique_lock scoped_lock", "new": "bad_alloc get_new_handler new_handler set_new_handler",
    "numeric": "accumulate iota gcd lcm reduce", "optional": "optional nullopt make_optional",
    "ostream": "ostream flush endl ios ios_base streamsize streamoff", "queue": "priority_queue queue", "random": "mt19937_64 mt19937 uniform_int_distribution",
    "regex": "regex regex_search regex_match smatch", "set": "set multiset", "sstream": "istringstream ostringstream stringstream ios ios_base",
    "stdexcept": "invalid_argument logic_error out_of_range runtime_error length_error overflow_error",
    "streambuf": "streambuf", "string": "string getline to_string stoul stoull stoi string_view begin end size", "string_view": "string_view",
    "system_error": "errc error_code generic_category system_error system_category make_error_code", "thread": "thread this_thread", "tuple": "get make_tuple tie tuple",
    "type_traits": """conditional_t decay_t enable_if_t false_type is_base_of_v is_enum_v is_integral_v is_same_v is_trivially_copyable_v make_unsigned_t
        remove_const_t remove_cv_t remove_reference_t true_type underlying_type_t void_t is_unsigned_v is_signed_v is_floating_point_v is_convertible_v
        is_invocable_v invoke_result_t is_constructible_v is_default_constructible_v is_arithmetic_v""",
    "unordered_map": "unordered_map", "unordered_set": "unordered_set", "utility": "as_const declval exchange forward move pair swap get make_pair index_sequence make_index_sequence",
    "variant": "get get_if holds_alternative variant visit monostate", "vector": "vector begin end size",
}
# Other libraries: how a name begins -> how one of the headers that declare it begins.
OTHERS = {
    "sc_core::": "systemc|tlm", "sc_dt::": "systemc|tlm", "tlm::": "tlm", "tlm_utils::": "tlm_utils/",
    "fmt::": "fmt/", "boost::json::": r"boost/json\.hpp", "boost::container::": "boost/container/",
    "boost::describe::": "boost/describe/", "boost::endian::": "boost/endian/", "boost::iostreams::": "boost/iostreams/", "boost::mp11::": "boost/mp11/",
    "boost::uuids::": "boost/uuid/", "boost::crc_": r"boost/crc\.hpp", "boost::circular_buffer": "boost/circular_buffer", "boost::intrusive_": "boost/smart_ptr/",
    "boost::unordered_": "boost/unordered/",
}
PROVIDERS = {}
for header, names in STANDARD.items():
    for name in names.split():
        PROVIDERS.setdefault(name, set()).add(header)

NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|R"([^\s()\\]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"', re.DOTALL)
INCLUDE = re.compile(r'^\s*#\s*include\s+(?:<(.+?)>|"(.+?)")', re.MULTILINE)


@functools.cache
def included(path):
    """The library headers that a file includes, itself or through headers of the project."""
    found = set()
    for library, own in INCLUDE.findall(path.read_text()):
        candidates = [path.parent / own, pathlib.Path("app") / own] if own else [pathlib.Path("model") / library]
        header = next((each for each in candidates if each.exists()), None)
        if header:
            found |= included(header.resolve().relative_to(pathlib.Path.cwd()))
        elif library:
            found.add(library)
    return frozenset(found)


def missing(path):
    """(line, name, what would declare it) of each name whose header is not included, once a name."""
    text = INCLUDE.sub("", path.read_text())
    code = NOT_CODE.sub(lambda match: "\n" * match.group().count("\n"), text)
    headers, told = included(path), set()
    for match in re.finditer(r"(?<![\w:])(?:::)?std::([a-z_][a-z_0-9]*)", code):
        name = match.group(1)
        providers = PROVIDERS.get(name)
        if name not in told and (providers is None or not providers & headers):
            told.add(name)
            wanted = "<" + "> or <".join(sorted(providers)) + ">" if providers else f"a line for it in {sys.argv[0]}"
            yield code.count("\n", 0, match.start()) + 1, "std::" + name, wanted
    for begin, header in OTHERS.items():
        use = re.search(rf"(?<![\w:]){re.escape(begin)}", code)
        if use and not any(re.match(header, each) for each in headers):
            yield code.count("\n", 0, use.start()) + 1, begin, f"<{header}...>"


def main():
    files = sorted(path for folder in sys.argv[1:] for path in pathlib.Path(folder).rglob("*.[ch]pp"))
    broken = [f"{path}:{line}: uses {name} and does not include {wanted}" for path in files for line, name, wanted in missing(path)]
    print("\n".join(broken), end="\n" if broken else "")
    sys.exit(1 if broken or not files else 0)


main()
