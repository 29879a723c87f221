# cmake --install: the lock library for other projects, without Qt, simulator and server. Such a project contains:
#   find_package(LockScope REQUIRED)
#   target_link_libraries(theirs PRIVATE LockScope::lock)
#   #include <lockscope/lock/mutex.h>
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/LockScope)

install(TARGETS lockscope_base lockscope_zk lockscope_lock EXPORT LockScopeTargets COMPONENT library
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# Removes headers of earlier configurations that are no longer public.
get_property(public_headers GLOBAL PROPERTY lockscope_public_headers)
file(GLOB_RECURSE old_headers "${PROJECT_BINARY_DIR}/include/lockscope/*")
list(REMOVE_ITEM old_headers ${public_headers})
if(old_headers)
  file(REMOVE ${old_headers})
endif()
install(DIRECTORY "${PROJECT_BINARY_DIR}/include/lockscope" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)

install(EXPORT LockScopeTargets NAMESPACE LockScope:: DESTINATION ${package_folder} COMPONENT library)
configure_package_config_file(cmake/LockScopeConfig.cmake.in ${PROJECT_BINARY_DIR}/LockScopeConfig.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/LockScopeConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/LockScopeConfig.cmake ${PROJECT_BINARY_DIR}/LockScopeConfigVersion.cmake
              cmake/FindZooKeeperSt.cmake
        DESTINATION ${package_folder} COMPONENT library)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/lockscope COMPONENT library)
