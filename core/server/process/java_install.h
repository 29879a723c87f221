// Finds Java and ZooKeeper on this machine. Any thread; reads the environment and the file system.
#pragma once

#include "core/base/error.h"

#include <filesystem>
#include <string>

namespace lockscope::server {

// Empty: the default places.
struct JavaPaths
{
    std::filesystem::path java; // the program
    std::filesystem::path jar;  // zookeeper.jar
};

struct JavaInstall
{
    std::filesystem::path java;
    std::string classPath; // the jar, and a logger beside it when there is one
};

// Java: $JAVA_HOME/bin, then PATH, then /usr/lib/jvm/*/bin (the newest name first). The jar: /usr/share/java.
// Error: noServer; the hint names the missing Debian package.
Result<JavaInstall> findJavaInstall(const JavaPaths& choice);

} // namespace lockscope::server
