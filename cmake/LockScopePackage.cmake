# cpack -G DEB: three packages, one for each component of the installation. app/package makes them.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own, the first line of its description
set(CPACK_PACKAGE_NAME lockscope)
set(CPACK_PACKAGE_VENDOR "The LockScope authors")
set(LOCKSCOPE_CONTACT "The LockScope authors <nobody@lockscope.invalid>" CACHE STRING
    "Maintainer of the Debian packages: name and address of who makes them")
set(CPACK_PACKAGE_CONTACT "${LOCKSCOPE_CONTACT}")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL window cli library)
set(LOCKSCOPE_PACKAGES lockscope lockscope-cli liblockscope-dev)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_WINDOW_PACKAGE_NAME lockscope)
set(CPACK_DEBIAN_WINDOW_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_WINDOW_PACKAGE_DEPENDS
  "lockscope-cli (= ${PROJECT_VERSION}), libzookeeper-java, libslf4j-java, default-jre-headless | java11-runtime-headless")
set(CPACK_DEBIAN_WINDOW_PACKAGE_RECOMMENDS "fonts-inter, fonts-noto-cjk, qt6-wayland, qt6-translations-l10n")
set(CPACK_DEBIAN_WINDOW_DESCRIPTION
"shows how a ZooKeeper lock works, live and on a real ZooKeeper
Simulated clients, each with its own session, contend for one lock. The window
shows the numbered nodes in the queue, which client watches which node, the
single wake-up at each handoff, and what happens to all of them when the
holder's session is killed. Locks of other programs can be watched, live or
from ZooKeeper's transaction log.")

set(CPACK_DEBIAN_CLI_PACKAGE_NAME lockscope-cli)
set(CPACK_DEBIAN_CLI_PACKAGE_SECTION admin)
set(CPACK_DEBIAN_CLI_PACKAGE_RECOMMENDS
  "libzookeeper-java, libslf4j-java, default-jre-headless | java11-runtime-headless, libsasl2-modules, libsasl2-modules-gssapi-mit | libsasl2-modules-gssapi-heimdal")
set(CPACK_DEBIAN_CLI_DESCRIPTION
"inspects and simulates ZooKeeper locks on the command line
Tells who holds a lock, since when, who waits and why it is stuck, live or from
ZooKeeper's transaction log, and runs scenarios of lock contention with a
report. It needs no display.")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME liblockscope-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS "libzookeeper-st-dev, libssl-dev, libboost-dev (>= 1.81) | libboost1.81-dev")
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION
"ZooKeeper lock recipes for C++20, compatible with Apache Curator
Mutex, read/write lock, semaphore and multi-lock between processes, with
coroutines or std::unique_lock, one I/O thread for all sessions, and fencing
tokens.")

# What Debian asks of each package, and nobody else: its licence and its changes in Debian's form, and why lintian's
# warnings do not apply. A plain cmake --install leaves it out.
find_program(LOCKSCOPE_GZIP gzip)
if(LOCKSCOPE_GZIP)
  set(folder ${PROJECT_BINARY_DIR}/debian)
  string(TIMESTAMP LOCKSCOPE_DATE "%a, %d %b %Y %H:%M:%S +0000" UTC) # of SOURCE_DATE_EPOCH, if that is set
  foreach(component package IN ZIP_LISTS CPACK_COMPONENTS_ALL LOCKSCOPE_PACKAGES)
    set(LOCKSCOPE_PACKAGE ${package})
    set(LOCKSCOPE_BINARY_LICENSE Apache-2.0)
    if(component STREQUAL window)
      set(LOCKSCOPE_BINARY_LICENSE GPL-3)
    endif()
    configure_file(${CMAKE_CURRENT_LIST_DIR}/debian/copyright.in ${folder}/${package}/copyright @ONLY)
    configure_file(${CMAKE_CURRENT_LIST_DIR}/debian/changelog.in ${folder}/${package}/changelog @ONLY)
    execute_process(COMMAND ${LOCKSCOPE_GZIP} -9nf ${folder}/${package}/changelog COMMAND_ERROR_IS_FATAL ANY)
    install(FILES ${folder}/${package}/copyright ${folder}/${package}/changelog.gz
            DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component} EXCLUDE_FROM_ALL)
  endforeach()
endif()
include(CPack)
