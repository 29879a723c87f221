// Finds Java and ZooKeeper on this machine. Any thread; reads the environment and the file system.
#pragma once

#include "core/base/error.h"

#include <filesystem>
#include <string>

namespace lockscope::server {

// Empty: the default places.
struct JavaPaths
{
    std::filesystem::path java;      // the program
    std::filesystem::path zookeeper; // a directory or a jar
    std::filesystem::path root{"/"}; // where usr, opt and etc are
};

struct JavaInstall
{
    std::filesystem::path java;
    std::string classPath; // of the server, with a logger when there is one
    Message repair;        // what to do when its classes are not found
};

// Java: $JAVA_HOME/bin, then PATH, then where distributions install it (the newest name first).
// ZooKeeper: `choice`, then $LOCKSCOPE_ZOOKEEPER, then where distributions install it. A directory is one
// that Apache's archive was unpacked to (class path: lib/*), or has ZooKeeper's jar itself; a jar is used
// with those beside it. Error: noServer; it names the places that were looked at, and the hint fits this
// distribution.
Result<JavaInstall> findJavaInstall(const JavaPaths& choice);

} // namespace lockscope::server
