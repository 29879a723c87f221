# cmake --install: three components, each a Debian package too (app/package).
#   library  the lock library for other projects, without Qt, simulator and server. Such a project contains:
#              find_package(LockScope REQUIRED)
#              target_link_libraries(theirs PRIVATE LockScope::lock)
#              #include <lockscope/lock/mutex.h>
#   cli      lockscope-cli, the supervisor of its private servers, the scenarios, lessons and judged programs as files to begin
#            from
#   window   lockscope, its entry in the menu, the manual as files
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/LockScope)

install(TARGETS lockscope_base lockscope_tls lockscope_zk lockscope_lock EXPORT LockScopeTargets COMPONENT library
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

install(DIRECTORY "${PROJECT_BINARY_DIR}/include/lockscope" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)

install(EXPORT LockScopeTargets NAMESPACE LockScope:: DESTINATION ${package_folder} COMPONENT library)
configure_package_config_file(cmake/LockScopeConfig.cmake.in ${PROJECT_BINARY_DIR}/LockScopeConfig.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/LockScopeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/LockScopeConfig.cmake ${PROJECT_BINARY_DIR}/LockScopeConfigVersion.cmake
              cmake/FindZooKeeperSt.cmake
        DESTINATION ${package_folder} COMPONENT library)
# The file finds the prefix from where it is, so that the installation can be moved.
file(RELATIVE_PATH LOCKSCOPE_PC_PREFIX /p/${CMAKE_INSTALL_LIBDIR}/pkgconfig /p)
string(REGEX REPLACE "/$" "" LOCKSCOPE_PC_PREFIX "${LOCKSCOPE_PC_PREFIX}")
configure_file(cmake/lockscope.pc.in ${PROJECT_BINARY_DIR}/lockscope.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/lockscope.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library)
install(FILES LICENSE NOTICE CHANGELOG.md core/lock/README.md core/lock/THREADS.md core/lock/LIMITS.md
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/liblockscope-dev COMPONENT library)

# lockscope_install_pages(PROGRAM COMPONENT): its man page, compressed where there is a gzip, and its completions for bash,
# zsh and fish. The build makes them (app/CMakeLists.txt).
function(lockscope_install_pages program component)
  set(pages ${PROJECT_BINARY_DIR}/pages/${program})
  set(man_page ${pages}.1)
  if(LOCKSCOPE_GZIP)
    set(man_page ${pages}.1.gz)
  endif()
  install(FILES ${man_page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT ${component})
  install(FILES ${pages}.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME ${program}
          COMPONENT ${component})
  install(FILES ${pages}.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions RENAME _${program}
          COMPONENT ${component})
  install(FILES ${pages}.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT ${component})
endfunction()

# lockscope_install_programs(): called when the programs are there.
function(lockscope_install_programs)
  install(TARGETS lockscope-cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT cli)
  install(TARGETS lockscope-supervisor RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/lockscope COMPONENT cli)
  install(FILES LICENSE NOTICE CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/lockscope-cli COMPONENT cli)
  install(DIRECTORY resources/scenarios resources/lessons resources/judge resources/recipes resources/grafana
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/lockscope-cli COMPONENT cli)
  lockscope_install_pages(lockscope-cli cli)
  if(NOT TARGET lockscope)
    return()
  endif()
  lockscope_install_pages(lockscope window)
  install(TARGETS lockscope RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT window)
  install(FILES resources/desktop/io.github.lockscope.LockScope.desktop
          DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT window)
  install(FILES resources/desktop/io.github.lockscope.LockScope.metainfo.xml
          DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo COMPONENT window)
  install(FILES resources/desktop/io.github.lockscope.LockScope.xml
          DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages COMPONENT window)
  install(FILES resources/icons/lockscope.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps
          RENAME io.github.lockscope.LockScope.svg COMPONENT window)
  install(FILES LICENSE NOTICE CHANGELOG.md README.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/lockscope COMPONENT window)
  install(DIRECTORY resources/manual DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/lockscope COMPONENT window)
endfunction()
