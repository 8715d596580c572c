// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tc::config {

/// A file of configs/, as the library holds it, so that programs find it by name wherever they run.
struct built_in_file {
  std::string_view name;  ///< within configs/: "hopper.json", "energy/energy_45nm.json", "sweeps/register_banks.json"
  std::string_view text;
};

/// All of them.
const std::vector<built_in_file>& built_in_files();

/// One of them by its name, with or without the folder and ".json": "hopper", "energy_45nm.json". Null if there is none.
const built_in_file* find_built_in(std::string_view name);

/// Whether a file of the user's is there, which goes before a built-in one of the same name: anything but a folder.
bool is_file(const std::filesystem::path& path);

/// Whether a folder is there, which to open succeeds. What does not let itself be looked at is none: opening it tells better.
bool is_folder(const std::filesystem::path& path);

/// Whether something is there, or may be, as nothing allows to look. Reading it then says what is wrong.
bool may_be_there(const std::filesystem::path& path);

/// How messages name it: "built-in hopper.json".
std::string source_of(const built_in_file& file);

/// What a file is, by its folder within configs/.
enum class built_in_kind {
  machine,  ///< in no folder: complete by itself, or with what it includes
  product,  ///< products/: the part that one can buy, made of a machine; the machine keeps its name
  variant,  ///< variants/: a machine made of another one, with energies of events, say
  energy,   ///< energy/: what events cost, to be included
  sweep,    ///< sweeps/
};
built_in_kind kind_of(const built_in_file& file);

/// The shortest names that find_built_in() takes for the files of a kind, in alphabetical order.
std::vector<std::string> built_in_names(built_in_kind kind);

}  // namespace tc::config
