# The packages that LockScope is built with. All are looked for before anything is said, so that one run of CMake names
# all that are missing, with the Debian packages that have them; cmake/packages.txt is what app/run and tests/run install.
set(lockscope_missing "")

if(POLICY CMP0167)
  cmake_policy(SET CMP0167 NEW) # Boost's own configuration file, as CMake 3.30 and later prefer
endif()

# lockscope_find(DEBIAN_PACKAGES PACKAGE [ARGUMENT...]): find_package, whose failure is reported by
# lockscope_report_missing.
macro(lockscope_find hint)
  find_package(${ARGN} QUIET)
  if(NOT ${ARGV1}_FOUND)
    set(lockscope_wanted ${ARGN})
    list(JOIN lockscope_wanted " " lockscope_wanted)
    string(REPLACE " COMPONENTS " ", the components " lockscope_wanted "${lockscope_wanted}")
    list(APPEND lockscope_missing "${lockscope_wanted} (Debian: ${hint})")
  endif()
endmacro()

# Ends the configuration when a package is missing.
function(lockscope_report_missing)
  if(lockscope_missing)
    list(JOIN lockscope_missing "\n  " names)
    message(FATAL_ERROR "These packages are missing, or too old:\n  ${names}\n")
  endif()
endfunction()

lockscope_find("libc6-dev" Threads)
lockscope_find("libzookeeper-st-dev" ZooKeeperSt)
lockscope_find("libssl-dev" OpenSSL)
if(LOCKSCOPE_LIBRARY_ONLY)
  lockscope_find("libboost-dev, or libboost1.81-dev on Debian 12" Boost 1.81)
else()
  lockscope_find("libboost-json-dev, or libboost-json1.81-dev on Debian 12" Boost 1.81 COMPONENTS json)
  lockscope_find("libfmt-dev" fmt)
  lockscope_find("libcli11-dev" CLI11)
  lockscope_find("libsasl2-dev" CyrusSasl)
  lockscope_find("libsimdjson-dev" simdjson)
  lockscope_find("libtomlplusplus-dev" tomlplusplus)
  lockscope_find("zlib1g-dev" ZLIB)
  set(CURSES_NEED_WIDE TRUE)
  lockscope_find("libncurses-dev" Curses)
  if(LOCKSCOPE_UI)
    lockscope_find("qt6-base-dev, qt6-charts-dev, qt6-svg-dev, qt6-tools-dev, libgl1-mesa-dev"
                   Qt6 6.4 COMPONENTS Core Gui Widgets PrintSupport Charts Svg LinguistTools)
    lockscope_find("libgif-dev" GIF)
  endif()
  if(LOCKSCOPE_TESTS)
    lockscope_find("libgtest-dev, libgmock-dev" GTest)
    lockscope_find("librapidcheck-dev" rapidcheck)
    if(LOCKSCOPE_UI)
      lockscope_find("qt6-base-dev" Qt6 6.4 COMPONENTS Test)
    endif()
  endif()
endif()
lockscope_report_missing()

# clang gives one of fmt 9's functions another name than the gcc that built Debian's library did: it takes the headers.
if(TARGET fmt::fmt AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  set_property(TARGET fmt::fmt PROPERTY INTERFACE_COMPILE_DEFINITIONS FMT_HEADER_ONLY=1)
endif()
