# SPDX-License-Identifier: Apache-2.0
# Settings of a developer's build: warnings, sanitizers, build type. A project that adds tcsim as a subdirectory never sees them.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release)
endif()

option(TC_WERROR "Treat compiler warnings as errors" OFF)
option(TC_PRECOMPILE_HEADERS "Read SystemC, Boost and GoogleTest once for many sources" OFF)
set(TC_SANITIZE "" CACHE STRING "Sanitizers for every target, e.g. address,undefined or thread")

add_library(tc_warnings INTERFACE)
target_compile_options(tc_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual
  $<$<CXX_COMPILER_ID:Clang>:-Wreserved-identifier>
  $<$<CXX_COMPILER_ID:Clang>:-Wno-gnu-zero-variadic-macro-arguments>   # BOOST_DESCRIBE_STRUCT(T, (), (...))
  # Of sources in a group, nothing is meant by a name that several have, or by an unnamed namespace outside of the main source.
  $<$<BOOL:$<TARGET_PROPERTY:TC_GROUPS>>:-Wno-shadow>
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<BOOL:$<TARGET_PROPERTY:TC_GROUPS>>>:-Wno-subobject-linkage>
  $<$<BOOL:${TC_WERROR}>:-Werror>)

# Messages name a source by its place in the checkout, and programs are the same wherever that lies.
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  add_compile_options(-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
endif()

# The test programs hold the whole library, and the default linker takes twice as long for them.
include(CheckLinkerFlag)
check_linker_flag(CXX -fuse-ld=gold TC_HAS_GOLD)
if(TC_HAS_GOLD)
  add_link_options(-fuse-ld=gold)
endif()

if(TC_SANITIZE)
  # What object-size and pointer-overflow look for leads out of an object, which the address sanitizer sees once it is read or written there;
  # they take a seventh of the time to compile.
  add_compile_options(-fsanitize=${TC_SANITIZE} -fno-sanitize=object-size,pointer-overflow -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${TC_SANITIZE})
  # front() of an empty string_view leads into whatever stands behind it, which the address sanitizer may own.
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
  # g++ 12 then sees uninitialised members in std::regex and std::optional that are none.
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  set(TC_TEST_TIMEOUT 600)
  set(TC_RARER_RESETS 10)
else()
  set(TC_TEST_TIMEOUT 120)   # seconds for one test
  set(TC_RARER_RESETS 1)     # so many times fewer moments than a test of resets at random moments would try
endif()

# tc_precompile_headers(<target> <header>... | REUSE_FROM <target>): does nothing unless TC_PRECOMPILE_HEADERS is set. Sources with options of their
# own, such as an instruction set, cannot use what was compiled without them.
function(tc_precompile_headers target)
  if(NOT TC_PRECOMPILE_HEADERS)
    return()
  endif()
  if(ARGV1 STREQUAL "REUSE_FROM")
    target_precompile_headers(${target} ${ARGN})
  else()
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    get_source_file_property(options ${source} TARGET_DIRECTORY ${target} COMPILE_OPTIONS)
    if(options)
      set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
    endif()
  endforeach()
endfunction()
