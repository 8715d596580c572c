# SPDX-License-Identifier: Apache-2.0
# tc_embed_files(<name> NAMESPACE <namespace> TYPE <struct of name and text> HEADER <header> [BASE <folder>] FILES <file>...): makes
# <name>.cpp in the build folder, with the function <name>() that the header, in its brackets or quotes, declares and that returns these text
# files, named within BASE or without a folder.
function(tc_embed_files name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "NAMESPACE;TYPE;HEADER;BASE" "FILES")
  set(script ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/embed_files.cmake)
  add_custom_command(
    OUTPUT ${name}.cpp
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${name}.cpp -DFUNCTION=${name} -DNAMESPACE=${arg_NAMESPACE} -DTYPE=${arg_TYPE} -DHEADER=${arg_HEADER}
            -DBASE=${arg_BASE}
            "-DFILES=${arg_FILES}" -P ${script}
    DEPENDS ${arg_FILES} ${script}
    COMMENT "Embedding files: ${name}"
    VERBATIM)
endfunction()
