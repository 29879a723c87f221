#include "core/server/process/java_install.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <vector>

namespace lockscope::server {

namespace fs = std::filesystem;

namespace {

bool isProgram(const fs::path& path)
{
    std::error_code ignored;
    return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

std::vector<fs::path> defaultJavaPrograms()
{
    std::vector<fs::path> places;
    if (const char* home = std::getenv("JAVA_HOME"); home != nullptr && *home != '\0')
        places.push_back(fs::path(home) / "bin/java");

    if (const char* list = std::getenv("PATH")) {
        std::string_view rest(list);
        while (!rest.empty()) {
            const auto entry = rest.substr(0, rest.find(':'));
            rest.remove_prefix(std::min(rest.size(), entry.size() + 1));
            // Only absolute entries: a "." in PATH must not decide what we run.
            if (entry.starts_with('/'))
                places.push_back(fs::path(entry) / "java");
        }
    }

    std::vector<fs::path> machines;
    std::error_code none;
    for (fs::directory_iterator it("/usr/lib/jvm", none), end; !none && it != end; it.increment(none))
        machines.push_back(it->path() / "bin/java");
    std::sort(machines.rbegin(), machines.rend());
    places.insert(places.end(), machines.begin(), machines.end());
    return places;
}

std::optional<fs::path> findJava(const fs::path& asked)
{
    if (!asked.empty())
        return isProgram(asked) ? std::optional(asked) : std::nullopt;
    const auto places = defaultJavaPrograms();
    const auto found = std::find_if(places.begin(), places.end(), isProgram);
    return found == places.end() ? std::nullopt : std::optional(*found);
}

} // namespace

Result<JavaInstall> findJavaInstall(const JavaPaths& choice)
{
    const auto java = findJava(choice.java);
    if (!java)
        return Error{ErrorCode::noServer,
                     choice.java.empty() ? message("Java is not installed.")
                                         : message("There is no Java at %1.", choice.java.string()),
                     message("Install it with: %1.",
                             "sudo apt-get install default-jre-headless")};

    const fs::path jar = choice.jar.empty() ? fs::path("/usr/share/java/zookeeper.jar") : choice.jar;
    std::error_code ignored;
    if (!fs::is_regular_file(jar, ignored))
        return Error{ErrorCode::noServer,
                     message("ZooKeeper is not installed: there is no %1.", jar.string()),
                     message("Install it with: %1.", "sudo apt-get install libzookeeper-java")};

    // The jar's manifest names all other jars except the logger, without which the server would not log why
    // it does not start.
    JavaInstall install{*java, jar.string()};
    const auto logger = jar.parent_path() / "slf4j-simple.jar";
    if (fs::is_regular_file(logger, ignored))
        install.classPath.append(":").append(logger.string());
    return install;
}

} // namespace lockscope::server
