# Writes text files as C++ literals: a function that returns them as std::vector<tcsim::embedded_file>. Run as
# cmake -DOUTPUT=<file.cpp> -DFUNCTION=<name> "-DHEADER=<header that declares it>" "-DFILES=<file;...>" -P embed_files.cmake
set(entries "")
foreach(file IN LISTS FILES)
  cmake_path(GET file FILENAME name)
  file(READ "${file}" text)
  string(APPEND entries "    {\"${name}\", R\"embedded(${text})embedded\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "#include \"${HEADER}\"

#pragma GCC diagnostic ignored \"-Woverlength-strings\"

namespace tcsim {

const std::vector<embedded_file>& ${FUNCTION}() {
  static const std::vector<embedded_file> files{
${entries}  };
  return files;
}

}  // namespace tcsim
")
