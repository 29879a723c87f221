# cmake --install: the lock library for other projects, without Qt, simulator and server. What they write:
#   find_package(LockScope REQUIRED)
#   target_link_libraries(theirs PRIVATE LockScope::lock)
# Headers keep their paths, so that #include "core/lock/mutex.h" means the same here and there.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(header_folder ${CMAKE_INSTALL_INCLUDEDIR}/lockscope)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/LockScope)

foreach(name IN ITEMS base trace zk lock)
  set_target_properties(lockscope_${name} PROPERTIES EXPORT_NAME ${name})
  install(TARGETS lockscope_${name} EXPORT LockScopeTargets COMPONENT library
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
          INCLUDES DESTINATION ${header_folder})
endforeach()

# What no public header includes stays at home: the inside of the recipes, the C client, the simulated ensemble.
install(DIRECTORY core/base core/trace core/zk core/lock COMPONENT library
  DESTINATION ${header_folder}/core
  FILES_MATCHING PATTERN "*.h"
  PATTERN "c_client" EXCLUDE
  PATTERN "memory" EXCLUDE
  REGEX "/trace/(json_[a-z]*|event_codec)\\.h$" EXCLUDE
  REGEX "/lock/[a-z_]*(_op|_core)\\.h$" EXCLUDE
  REGEX "/lock/(clean_up|op_control|protected_node|hold_watch|guaranteed_delete|parents|reasons|pending_releases)\\.h$" EXCLUDE
  REGEX "/lock/blocking/(io_thread|io_listeners|held_tokens|session_manager)\\.h$" EXCLUDE)

install(EXPORT LockScopeTargets NAMESPACE LockScope:: DESTINATION ${package_folder} COMPONENT library)
configure_package_config_file(cmake/LockScopeConfig.cmake.in ${PROJECT_BINARY_DIR}/LockScopeConfig.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/LockScopeConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/LockScopeConfig.cmake ${PROJECT_BINARY_DIR}/LockScopeConfigVersion.cmake
              cmake/FindZooKeeperSt.cmake
        DESTINATION ${package_folder} COMPONENT library)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/lockscope COMPONENT library)
