# The single-threaded ZooKeeper C client (Debian: libzookeeper-st-dev) as the target ZooKeeper::st. Used by LockScope's
# own build, and installed with it, because LockScope::zk is by default a static library, whose users link the C client.
find_path(ZOOKEEPER_INCLUDE_DIR zookeeper/zookeeper.h)
find_library(ZOOKEEPER_ST_LIBRARY zookeeper_st)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(ZooKeeperSt
  REQUIRED_VARS ZOOKEEPER_ST_LIBRARY ZOOKEEPER_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "On Debian it is in the package libzookeeper-st-dev.")
mark_as_advanced(ZOOKEEPER_INCLUDE_DIR ZOOKEEPER_ST_LIBRARY)

if(ZooKeeperSt_FOUND AND NOT TARGET ZooKeeper::st)
  add_library(ZooKeeper::st UNKNOWN IMPORTED)
  set_target_properties(ZooKeeper::st PROPERTIES
    IMPORTED_LOCATION "${ZOOKEEPER_ST_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${ZOOKEEPER_INCLUDE_DIR}")
endif()
