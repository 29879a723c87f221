#include "core/server/process/java_install.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace lockscope::server {

namespace fs = std::filesystem;

namespace {

bool isProgram(const fs::path& path)
{
    std::error_code ignored;
    return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

bool isFile(const fs::path& path)
{
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
}

bool isDirectory(const fs::path& path)
{
    std::error_code ignored;
    return fs::is_directory(path, ignored);
}

std::string_view variable(const char* name)
{
    const char* value = std::getenv(name);
    return value == nullptr ? std::string_view() : value;
}

std::vector<fs::path> entriesOf(const fs::path& directory)
{
    std::vector<fs::path> entries;
    std::error_code none;
    for (fs::directory_iterator it(directory, none), end; !none && it != end; it.increment(none))
        entries.push_back(it->path());
    std::sort(entries.rbegin(), entries.rend()); // the newest first
    return entries;
}

std::string listOf(const std::vector<std::string>& names)
{
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

// ---- what a distribution calls its packages ----

struct Distribution
{
    std::string_view id;              // in ID or ID_LIKE of /etc/os-release
    std::string_view java, zookeeper; // the commands that install them; empty: it has no such package
};

constexpr std::array<Distribution, 6> kDistributions{{
    {"debian", // and Ubuntu
     "sudo apt-get install default-jre-headless", "sudo apt-get install libzookeeper-java libslf4j-java"},
    {"fedora", "sudo dnf install java-latest-openjdk-headless", ""},
    {"rhel", "sudo dnf install java-21-openjdk-headless", ""},
    {"arch", "sudo pacman -S jre-openjdk-headless", ""},
    {"suse", "sudo zypper install java-21-openjdk-headless", ""},
    {"alpine", "sudo apk add openjdk21-jre-headless", ""},
}};

// The words of ID and ID_LIKE, the distribution's own first.
std::vector<std::string> distributionIds(const fs::path& root)
{
    std::vector<std::string> ids;
    std::ifstream release(root / "etc/os-release");
    for (std::string line; std::getline(release, line);) {
        const bool own = line.starts_with("ID="), like = line.starts_with("ID_LIKE=");
        if (!own && !like)
            continue;
        std::vector<std::string> words;
        std::string word;
        for (const char character : line.substr(line.find('=') + 1) + " ")
            if (std::isalnum(static_cast<unsigned char>(character)) != 0 || character == '-' ||
                character == '.')
                word += character;
            else if (!word.empty())
                words.push_back(std::exchange(word, {}));
        ids.insert(own ? ids.begin() : ids.end(), words.begin(), words.end());
    }
    return ids;
}

const Distribution* distribution(const fs::path& root)
{
    for (const std::string& id : distributionIds(root))
        for (const Distribution& one : kDistributions)
            if (id == one.id || (one.id == "suse" && id.starts_with("opensuse")))
                return &one;
    return nullptr;
}

Message javaHint(const fs::path& root)
{
    const Distribution* here = distribution(root);
    return here ? message("Install it with: %1.", here->java)
                : message("Install Java 11 or later, or set JAVA_HOME.");
}

Message archiveHint()
{
    return message("Unpack the archive from zookeeper.apache.org, and name the directory by --zookeeper or "
                   "LOCKSCOPE_ZOOKEEPER.");
}

Message zooKeeperHint(const fs::path& root)
{
    const Distribution* here = distribution(root);
    return here && !here->zookeeper.empty() ? message("Install it with: %1.", here->zookeeper)
                                            : archiveHint();
}

Message repairHint(const fs::path& root)
{
    const Distribution* here = distribution(root);
    return here && !here->zookeeper.empty()
               ? message("Install it again with: %1.", "sudo apt-get install --reinstall libzookeeper-java")
               : archiveHint();
}

// ---- Java ----

struct Looked
{
    std::vector<fs::path> programs;  // in this order
    std::vector<std::string> places; // for people
};

Looked javaPrograms(const fs::path& root)
{
    Looked looked;
    if (const std::string_view home = variable("JAVA_HOME"); !home.empty()) {
        looked.programs.push_back(fs::path(home) / "bin/java");
        looked.places.push_back("JAVA_HOME (" + std::string(home) + ")");
    }
    std::string_view rest = variable("PATH");
    looked.places.push_back("PATH");
    while (!rest.empty()) {
        const auto entry = rest.substr(0, rest.find(':'));
        rest.remove_prefix(std::min(rest.size(), entry.size() + 1));
        // Only absolute entries: a "." in PATH must not decide what we run.
        if (entry.starts_with('/'))
            looked.programs.push_back(fs::path(entry) / "java");
    }
    // Debian, Ubuntu, Fedora, Arch and openSUSE; Oracle's packages; images of containers.
    for (const char* folder : {"usr/lib/jvm", "usr/lib64/jvm", "usr/java", "opt/java"}) {
        looked.places.push_back((root / folder).string());
        for (const fs::path& machine : entriesOf(root / folder))
            looked.programs.push_back(machine / "bin/java");
    }
    return looked;
}

Result<fs::path> findJava(const JavaPaths& choice)
{
    if (!choice.java.empty()) {
        if (isProgram(choice.java))
            return choice.java;
        return Error{ErrorCode::noServer, message("There is no Java at %1.", choice.java.string()),
                     javaHint(choice.root)};
    }
    const Looked looked = javaPrograms(choice.root);
    const auto found = std::find_if(looked.programs.begin(), looked.programs.end(), isProgram);
    if (found != looked.programs.end())
        return *found;
    return Error{ErrorCode::noServer,
                 message("Java is not installed: it is not in %1.", listOf(looked.places)),
                 javaHint(choice.root)};
}

// ---- ZooKeeper ----

// "zookeeper.jar", "zookeeper-3.9.3.jar"; not "zookeeper-jute-3.9.3.jar".
bool isServerJar(const fs::path& path)
{
    const std::string name = path.filename().string();
    if (!name.starts_with("zookeeper") || !name.ends_with(".jar"))
        return false;
    const std::string version = name.substr(9, name.size() - 9 - 4);
    return version.empty() ||
           (version.size() > 1 && version[0] == '-' && version[1] >= '0' && version[1] <= '9');
}

std::optional<fs::path> serverJarIn(const fs::path& directory)
{
    const std::vector<fs::path> entries = entriesOf(directory);
    const auto jar = std::find_if(entries.begin(), entries.end(),
                                  [](const fs::path& entry) { return isServerJar(entry) && isFile(entry); });
    return jar == entries.end() ? std::nullopt : std::optional(*jar);
}

// The jar of a distribution names all others that it needs, but no logger, without which the server would not
// log why it does not start. Beside any other jar are those that it needs.
std::string classPathOfJar(const fs::path& jar)
{
    const fs::path folder = jar.parent_path();
    const fs::path logger = folder / "slf4j-simple.jar";
    if (isFile(logger))
        return jar.string() + ":" + logger.string();
    return jar.filename() == "zookeeper.jar" ? jar.string() : jar.string() + ":" + (folder / "*").string();
}

// Nothing if no ZooKeeper is there.
std::optional<std::string> classPathOf(const fs::path& place)
{
    if (isFile(place))
        return classPathOfJar(fs::absolute(place));
    if (const auto jar = serverJarIn(fs::absolute(place)); jar && isDirectory(place)) {
        const fs::path lib = jar->parent_path() / "lib"; // up to version 3.4 the archive has the others there
        return classPathOfJar(*jar) + (isDirectory(lib) ? ":" + (lib / "*").string() : "");
    }
    const fs::path lib = fs::absolute(place) / "lib";
    return serverJarIn(lib) ? std::optional((lib / "*").string()) : std::nullopt;
}

struct ZooKeeper
{
    std::string classPath;
    Message repair;
};

Result<ZooKeeper> findZooKeeper(const JavaPaths& choice)
{
    const fs::path named =
        choice.zookeeper.empty() ? fs::path(variable("LOCKSCOPE_ZOOKEEPER")) : choice.zookeeper;
    if (!named.empty()) {
        if (auto classPath = classPathOf(named))
            return ZooKeeper{std::move(*classPath), archiveHint()};
        return Error{
            ErrorCode::noServer,
            isDirectory(named)
                ? message("There is no ZooKeeper in %1: neither %2 nor %3 has a zookeeper-VERSION.jar.",
                          named.string(), named.string(), (named / "lib").string())
                : message("There is no ZooKeeper at %1.", named.string()),
            archiveHint()};
    }
    std::vector<std::string> places;
    for (const char* usual : {"usr/share/java/zookeeper.jar", "usr/share/java/zookeeper",
                              "usr/share/zookeeper", "opt/zookeeper", "usr/local/zookeeper"}) {
        const fs::path place = choice.root / usual;
        if (auto classPath = classPathOf(place))
            return ZooKeeper{std::move(*classPath), repairHint(choice.root)};
        places.push_back(place.string());
    }
    return Error{ErrorCode::noServer, message("ZooKeeper is not installed: it is not in %1.", listOf(places)),
                 zooKeeperHint(choice.root)};
}

} // namespace

Result<JavaInstall> findJavaInstall(const JavaPaths& choice)
{
    Result<fs::path> java = findJava(choice);
    if (!java)
        return java.error();
    Result<ZooKeeper> zookeeper = findZooKeeper(choice);
    if (!zookeeper)
        return zookeeper.error();
    return JavaInstall{std::move(*java), std::move(zookeeper->classPath), std::move(zookeeper->repair)};
}

} // namespace lockscope::server
