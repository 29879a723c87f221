# Functions that create the targets of the project, so that flags are set in one place.

add_library(lockscope_options INTERFACE)
target_compile_features(lockscope_options INTERFACE cxx_std_20)
target_include_directories(lockscope_options INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
target_compile_options(lockscope_options INTERFACE
  -Wall -Wextra -Wpedantic $<$<BOOL:${LOCKSCOPE_WERROR}>:-Werror> -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual)
# Boost.Asio's Boost.Date_Time timers are not used here, and take a seventh of the compile time of its headers.
target_compile_definitions(lockscope_options INTERFACE BOOST_ASIO_DISABLE_BOOST_DATE_TIME)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # gcc 12 reports nonexistent overlaps in "text" + std::string (gcc bug 105651), and a mismatch of new and delete in
  # coroutines on Boost.Asio, which define both.
  target_compile_options(lockscope_options INTERFACE -Wno-restrict -Wno-mismatched-new-delete)
  # In a unity build gcc warns about coroutine frames with members of local types, as if other files could see the frames.
  if(CMAKE_UNITY_BUILD)
    target_compile_options(lockscope_options INTERFACE -Wno-subobject-linkage)
  endif()
  # gcc collects garbage every few MB; with a larger heap it compiles a sixth faster.
  target_compile_options(lockscope_options INTERFACE --param=ggc-min-heapsize=1000000 --param=ggc-min-expand=200)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES Clang AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 15)
  # clang 14 has no coroutines that fit the standard library of gcc. The fuzz targets use none.
  target_compile_definitions(lockscope_options INTERFACE BOOST_ASIO_DISABLE_STD_COROUTINE)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  # stable_sort() of libstdc++ 12 calls what that declares deprecated, and clang says so wherever it is used.
  include(CheckCXXSourceCompiles)
  check_cxx_source_compiles("#include <version>
#if _GLIBCXX_RELEASE > 12
#error
#endif
int main() {}" LOCKSCOPE_HAS_OLD_LIBSTDCXX)
  if(LOCKSCOPE_HAS_OLD_LIBSTDCXX)
    target_compile_options(lockscope_options INTERFACE -Wno-deprecated-declarations)
  endif()
endif()
if(LOCKSCOPE_SANITIZE)
  target_compile_options(lockscope_options INTERFACE
    -fsanitize=${LOCKSCOPE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(lockscope_options INTERFACE -fsanitize=${LOCKSCOPE_SANITIZE})
  # With sanitizers gcc 12 falsely reports uninitialized members in std::function inside std::regex.
  target_compile_options(lockscope_options INTERFACE -Wno-maybe-uninitialized)
  if(LOCKSCOPE_SANITIZE MATCHES "thread")
    # gcc 12 warns about atomic_thread_fence under tsan inside Boost.Asio's headers.
    target_compile_options(lockscope_options INTERFACE -Wno-tsan)
  endif()
endif()

if(LOCKSCOPE_DEV)
  find_program(LOCKSCOPE_CCACHE ccache)
  if(LOCKSCOPE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${LOCKSCOPE_CCACHE})
  endif()
  include(CheckLinkerFlag)
  foreach(linker mold lld)
    find_program(LOCKSCOPE_LINKER_${linker} NAMES ${linker} ld.${linker})
    check_linker_flag(CXX -fuse-ld=${linker} LOCKSCOPE_LINKS_WITH_${linker})
    if(LOCKSCOPE_LINKER_${linker} AND LOCKSCOPE_LINKS_WITH_${linker})
      add_link_options(-fuse-ld=${linker})
      set(LOCKSCOPE_LINKER_CHOSEN TRUE)
      break()
    endif()
  endforeach()
endif()

# The gold linker comes with Debian's g++; it links the window in a third of the time that ld.bfd takes.
if(NOT LOCKSCOPE_LIBRARY_ONLY AND NOT LOCKSCOPE_SANITIZE AND NOT LOCKSCOPE_LINKER_CHOSEN)
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=gold LOCKSCOPE_HAS_GOLD)
  if(LOCKSCOPE_HAS_GOLD)
    add_link_options(-fuse-ld=gold)
  endif()
endif()

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# lockscope_install_headers(PUBLIC|DETAIL HEADER...): headers of this folder of core/ that are installed: those for
# users, and those that these need.
function(lockscope_install_headers kind)
  foreach(header IN LISTS ARGN)
    file(RELATIVE_PATH name "${PROJECT_SOURCE_DIR}/core" "${CMAKE_CURRENT_SOURCE_DIR}/${header}")
    set_property(GLOBAL APPEND PROPERTY lockscope_${kind}_HEADERS "${name}")
  endforeach()
endfunction()

# lockscope_copy_headers(): other projects include the headers for users as <lockscope/...>, and these include the others
# as <lockscope/detail/...>, so copies whose own #include lines use these names are made in the build tree, to be
# installed. Removes headers of earlier configurations.
function(lockscope_copy_headers)
  get_property(public GLOBAL PROPERTY lockscope_PUBLIC_HEADERS)
  get_property(detail GLOBAL PROPERTY lockscope_DETAIL_HEADERS)
  set(folder "${PROJECT_BINARY_DIR}/include/lockscope")
  file(GLOB_RECURSE old "${folder}/*")
  foreach(name IN LISTS public detail)
    set(source "${PROJECT_SOURCE_DIR}/core/${name}")
    set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}")
    file(READ "${source}" text)
    string(REPLACE "#include \"core/" "#include \"lockscope/detail/" text "${text}")
    foreach(one IN LISTS public)
      string(REPLACE "lockscope/detail/${one}\"" "lockscope/${one}\"" text "${text}")
    endforeach()
    set(copy "${folder}/${name}")
    if(NOT name IN_LIST public)
      set(copy "${folder}/detail/${name}")
    endif()
    list(REMOVE_ITEM old "${copy}")
    set(before "")
    if(EXISTS "${copy}")
      file(READ "${copy}" before)
    endif()
    if(NOT before STREQUAL text)
      file(WRITE "${copy}" "${text}")
    endif()
  endforeach()
  if(old)
    file(REMOVE ${old})
  endif()
endfunction()

# lockscope_module(NAME SOURCES ... DEPS ... PRIVATE_DEPS ...): a layer of the source tree as a static library. The
# target is lockscope_<NAME>, its alias LockScope::<NAME>. A module with PUBLIC_HEADERS ... or
# DETAIL_HEADERS ... is installed: its code is position-independent, and BUILD_SHARED_LIBS makes it a shared library.
function(lockscope_module name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPS;PRIVATE_DEPS;PUBLIC_HEADERS;DETAIL_HEADERS" ${ARGN})
  set(kind STATIC)
  set(installed ${arg_PUBLIC_HEADERS} ${arg_DETAIL_HEADERS})
  if(installed AND BUILD_SHARED_LIBS)
    set(kind SHARED)
  endif()
  add_library(lockscope_${name} ${kind} ${arg_SOURCES})
  if(installed)
    lockscope_install_headers(PUBLIC ${arg_PUBLIC_HEADERS})
    lockscope_install_headers(DETAIL ${arg_DETAIL_HEADERS})
    set_target_properties(lockscope_${name} PROPERTIES
      POSITION_INDEPENDENT_CODE ON INTERPROCEDURAL_OPTIMIZATION OFF # a static library for other compilers, too
      EXPORT_NAME ${name} INSTALL_RPATH "$ORIGIN"
      VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  endif()
  add_library(LockScope::${name} ALIAS lockscope_${name})
  target_link_libraries(lockscope_${name} PUBLIC ${arg_DEPS}
                        PRIVATE $<BUILD_INTERFACE:lockscope_options> ${arg_PRIVATE_DEPS})
  target_compile_features(lockscope_${name} PUBLIC cxx_std_20)
  target_include_directories(lockscope_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
  if(installed) # a project that has this one as a part of it includes <lockscope/...>, as if it were installed
    target_include_directories(lockscope_${name} INTERFACE $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>)
  endif()
endfunction()

# lockscope_optimize_less(TARGET [FLAG]): for code that waits for people, servers or files. With -Og it compiles a third
# faster. What is installed is optimized as a whole (LOCKSCOPE_OPTIMIZE_ALL, preset `package`).
function(lockscope_optimize_less target)
  set(flag -Og)
  if(ARGC GREATER 1)
    set(flag ${ARGV1})
  endif()
  if(NOT LOCKSCOPE_OPTIMIZE_ALL)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:${flag}>)
  endif()
endfunction()

# lockscope_moc(TARGET HEADER...): Qt's moc for headers with Q_OBJECT. The source file of each includes
# "moc_<name>.cpp". AUTOMOC passes the include folders to moc, which then reads all of Qt for each header: 0.25 s
# instead of 0.01 s. moc needs them only for user-defined macros.
function(lockscope_moc target)
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME folder_name)
  set(moc ${target}_${folder_name}_moc)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${moc})
  set(made "")
  foreach(header IN LISTS ARGN)
    cmake_path(GET header STEM name)
    qt_generate_moc(${header} ${folder}/moc_${name}.cpp)
    list(APPEND made ${folder}/moc_${name}.cpp)
  endforeach()
  set_source_files_properties(${made} TARGET_DIRECTORY ${target} PROPERTIES HEADER_FILE_ONLY ON)
  target_sources(${target} PRIVATE ${made})
  target_include_directories(${target} PRIVATE ${folder})
  # In CMake a custom command waits for the dependencies of all its targets. This target has none, so moc and the
  # compiler need not wait until the libraries that the other target depends on are built.
  add_custom_target(${moc} DEPENDS ${made})
  add_dependencies(${target} ${moc})
endfunction()

# lockscope_test(NAME SOURCES ... DEPS ... LABELS ... [SUITES SUITE...] [QT] [TIMEOUT seconds] [COST seconds]): one
# GoogleTest program, one ctest entry. Labels: unit (default), zk (starts a real server), ui (a window, offscreen). QT
# gives it a main() with a QApplication. Each of the SUITES, those that take ten seconds or more, is an entry by itself,
# NAME.SUITE, so that they run beside each other. ctest begins with what takes longest: COST is about how many seconds
# the rest of the program takes; by default 30 with a server, else nothing.
function(lockscope_test name)
  cmake_parse_arguments(arg "QT" "TIMEOUT;COST" "SOURCES;DEPS;LABELS;SUITES" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  if(NOT arg_LABELS)
    set(arg_LABELS unit)
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE lockscope_options ${arg_DEPS} GTest::gmock)
  # The tested code is optimized; the tests themselves need not be. They are half of the code that is compiled.
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O0>)
  if(arg_QT)
    target_sources(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/support/qt_main.cpp)
    target_link_libraries(${name} PRIVATE Qt6::Widgets Qt6::Test)
  else()
    target_link_libraries(${name} PRIVATE GTest::gmock_main)
  endif()
  if(arg_QT OR "${arg_DEPS}" MATCHES "Qt6::")
    lockscope_use_precompiled(${name} window_tests)
  else()
    lockscope_use_precompiled(${name} tests)
  endif()
  if(LOCKSCOPE_SANITIZE)
    math(EXPR arg_TIMEOUT "${arg_TIMEOUT} * 6") # a guard against hanging, not a test of speed
  endif()
  set(entries ${name})
  set(others "")
  foreach(suite IN LISTS arg_SUITES)
    string(REGEX REPLACE "^.*/" "" entry ${suite})
    set(entry ${name}.${entry})
    add_test(NAME ${entry} COMMAND ${name} --gtest_filter=${suite}.*)
    set_tests_properties(${entry} PROPERTIES
      COST 60 FAIL_REGULAR_EXPRESSION "Running 0 tests") # a suite that has another name now
    list(APPEND entries ${entry})
    list(APPEND others ${suite}.*)
  endforeach()
  list(JOIN others ":" others)
  add_test(NAME ${name} COMMAND ${name} $<$<BOOL:${others}>:--gtest_filter=-${others}> COMMAND_EXPAND_LISTS)
  set_tests_properties(${entries} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}")
  if(NOT arg_COST AND "zk" IN_LIST arg_LABELS)
    set(arg_COST 30)
  endif()
  if(arg_COST)
    set_tests_properties(${name} PROPERTIES COST ${arg_COST})
  endif()
  if(arg_QT)
    set_tests_properties(${entries} PROPERTIES ENVIRONMENT "QT_QPA_PLATFORM=offscreen;LC_ALL=C.UTF-8")
  endif()
endfunction()

# lockscope_fuzz(NAME CORPUS FOLDER LONGEST BYTES SOURCES ... DEPS ...): a fuzz target (tests/support/fuzz.h) as the program
# fuzz_<NAME>, and a ctest entry that replays its corpus. With clang it is linked with libFuzzer, else with a main() that
# only reads the given inputs, so that every build with LOCKSCOPE_FUZZ shows whether it still compiles and links. The list
# for tests/fuzz is <build>/fuzz_targets: name, corpus, longest input.
function(lockscope_fuzz name)
  cmake_parse_arguments(arg "" "CORPUS;LONGEST" "SOURCES;DEPS" ${ARGN})
  if(NOT LOCKSCOPE_FUZZ)
    return()
  endif()
  add_executable(fuzz_${name} ${arg_SOURCES})
  target_compile_definitions(fuzz_${name} PRIVATE LOCKSCOPE_FUZZER)
  target_link_libraries(fuzz_${name} PRIVATE lockscope_options ${arg_DEPS})
  lockscope_optimize_less(fuzz_${name})
  set(replays "")
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    set(replays -runs=0)
  else()
    target_sources(fuzz_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/support/fuzz_replay.cpp)
  endif()
  add_test(NAME fuzz_${name} COMMAND fuzz_${name} ${replays} ${CMAKE_CURRENT_SOURCE_DIR}/${arg_CORPUS})
  set_tests_properties(fuzz_${name} PROPERTIES TIMEOUT 300 LABELS unit)
  set_property(GLOBAL APPEND_STRING PROPERTY lockscope_fuzz_targets
    "${name} ${CMAKE_CURRENT_SOURCE_DIR}/${arg_CORPUS} ${arg_LONGEST}\n")
endfunction()

# lockscope_ui_sources(MODULE SOURCE...): files of this folder, for the library of that module. The headers among them
# are those with Q_OBJECT.
function(lockscope_ui_sources module)
  target_sources(lockscope_${module} PRIVATE ${ARGN})
  set(headers ${ARGN})
  list(FILTER headers INCLUDE REGEX "\\.h$")
  lockscope_moc(lockscope_${module} ${headers})
endfunction()

# lockscope_curator_classes(TARGET FOLDER SOURCE...): programs for Curator, compiled into FOLDER; the first source names the
# class that is waited for. No target without Curator or a compiler of Java (the packages are in cmake/packages.txt).
function(lockscope_curator_classes target folder)
  set(java /usr/share/java)
  find_program(ECJ ecj)
  set(compiler ${ECJ})
  # The program of Debian 13 (ecj 3.35) does not find this jar.
  if(EXISTS ${java}/eclipse-jdt-core-compiler-batch.jar)
    find_program(JAVA java REQUIRED)
    set(compiler ${JAVA} -cp ${java}/eclipse-jdt-core-compiler-batch.jar org.eclipse.jdt.internal.compiler.batch.Main)
  endif()
  if(NOT ECJ OR NOT EXISTS ${java}/curator-recipes.jar)
    return()
  endif()
  list(GET ARGN 0 main)
  get_filename_component(class ${main} NAME_WE)
  add_custom_command(
    OUTPUT ${folder}/${class}.class
    COMMAND ${compiler} -17 -proc:none -d ${folder}
            -cp ${java}/curator-recipes.jar:${java}/curator-framework.jar:${java}/curator-client.jar:${java}/zookeeper.jar
            ${ARGN}
    DEPENDS ${ARGN}
    COMMENT "Compiling ${class}"
    VERBATIM)
  add_custom_target(${target} DEPENDS ${folder}/${class}.class)
endfunction()
