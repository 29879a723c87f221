// Finds the Java and the ZooKeeper of this machine. Any thread; reads the environment and the file system.
#pragma once

#include "core/base/error.h"

#include <filesystem>
#include <string>

namespace lockscope::server {

// Where to look; an empty field means the usual places.
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
// Error: noServer, and the hint names the Debian package that has what is missing.
Result<JavaInstall> findJavaInstall(const JavaPaths& choice);

} // namespace lockscope::server
