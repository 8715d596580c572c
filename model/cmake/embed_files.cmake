# SPDX-License-Identifier: Apache-2.0
# Writes text files as C++ literals: a function that returns them. Run by tc_embed_files().
set(entries "")
foreach(file IN LISTS FILES)
  if(BASE)
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${BASE} OUTPUT_VARIABLE name)
  else()
    cmake_path(GET file FILENAME name)
  endif()
  file(READ "${file}" text)
  string(APPEND entries "    {\"${name}\", R\"embedded(${text})embedded\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "#include ${HEADER}

#pragma GCC diagnostic ignored \"-Woverlength-strings\"

namespace ${NAMESPACE} {

const std::vector<${TYPE}>& ${FUNCTION}() {
  static const std::vector<${TYPE}> files{
${entries}  };
  return files;
}

}  // namespace ${NAMESPACE}
")
