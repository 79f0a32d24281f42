# Compiler, linker and cache settings that every Ingot target shares, and the one precompiled header.

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE})
endif()

add_library(ingot_options INTERFACE)
target_include_directories(ingot_options INTERFACE ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/lib
                                                   ${CMAKE_BINARY_DIR}/lib)
target_include_directories(ingot_options SYSTEM INTERFACE ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
target_compile_definitions(ingot_options INTERFACE ${LLVM_DEFINITIONS} INGOT_VERSION="${PROJECT_VERSION}")
target_compile_options(ingot_options INTERFACE -Wall -Wextra -Wno-unused-parameter -fno-rtti)
target_link_options(ingot_options INTERFACE -fuse-ld=lld)
if(INGOT_FUZZ)
  # Coverage of the whole compiler guides the fuzzer, not of its entry alone.
  target_compile_options(ingot_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(INGOT_SANITIZE)
  target_compile_options(ingot_options INTERFACE -fsanitize=${INGOT_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(ingot_options INTERFACE -fsanitize=${INGOT_SANITIZE})
endif()

# Including the usual MLIR headers costs some 18 s a file; precompiled, under 2 s.
add_library(ingot_pch OBJECT ${CMAKE_SOURCE_DIR}/cmake/pch.cpp)
target_link_libraries(ingot_pch PRIVATE ingot_options)
target_precompile_headers(ingot_pch PRIVATE ${CMAKE_SOURCE_DIR}/cmake/pch.h)
target_compile_options(ingot_pch PRIVATE -Xclang -fno-pch-timestamp)

# ingot_library(NAME SOURCES... DEPENDS targets LINK libs): one static library of the compiler.
function(ingot_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC ingot_options ${ARG_LINK})
  target_precompile_headers(${name} REUSE_FROM ingot_pch)
  target_compile_options(${name} PRIVATE -Xclang -fno-pch-timestamp)
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# ingot_executable(NAME SOURCES... LINK libs): a program of the compiler.
function(ingot_executable name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  if(INGOT_SANITIZE)
    list(APPEND ARG_SOURCES ${CMAKE_SOURCE_DIR}/cmake/SanitizerOptions.cpp)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ingot_options ${ARG_LINK})
  target_precompile_headers(${name} REUSE_FROM ingot_pch)
  target_compile_options(${name} PRIVATE -Xclang -fno-pch-timestamp)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
endfunction()
