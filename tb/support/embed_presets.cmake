# Writes the configurations as C++ literals. Run as: cmake -DOUTPUT=<file.cpp> -DPRESETS=<file.json;...> -P embed_presets.cmake
set(entries "")
foreach(file IN LISTS PRESETS)
  cmake_path(GET file STEM name)
  file(READ "${file}" text)
  string(APPEND entries "    {\"${name}\", R\"preset(${text})preset\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "#include \"preset_texts.hpp\"

namespace tcsim {

const std::vector<preset_text>& preset_texts() {
  static const std::vector<preset_text> texts{
${entries}  };
  return texts;
}

}  // namespace tcsim
")
