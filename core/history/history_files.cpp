#include "core/history/history_files.h"

#include "core/base/jute.h"
#include "core/base/numbers.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace lockscope::history {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kLog = "log.";
constexpr std::string_view kSnapshot = "snapshot.";
constexpr std::string_view kGzip = ".gz";
constexpr std::string_view kSnappy = ".snappy";
// File header, record header, session, request number.
constexpr std::size_t kHeadOfFirstZxid = 16 + 12 + 8 + 4;

// The number after the prefix; none if anything else follows, as in *.tmp and *.fixed.
std::optional<Zxid> zxidOf(std::string_view name, std::string_view prefix)
{
    return name.starts_with(prefix) ? parseHex<Zxid>(name.substr(prefix.size())) : std::nullopt;
}

// For a log that was renamed.
Zxid firstZxid(const fs::path& path)
{
    std::array<char, kHeadOfFirstZxid + 8> head{};
    std::ifstream(path, std::ios::binary).read(head.data(), head.size());
    return Zxid{jute::loadInt64(head.data() + kHeadOfFirstZxid)};
}

bool beginsAsSnapshot(const fs::path& path)
{
    std::array<char, 4> magic{};
    std::ifstream(path, std::ios::binary).read(magic.data(), magic.size());
    return std::string_view(magic.data(), magic.size()) == "ZKSN";
}

// Anything else, such as a FIFO, could block; it is recorded as damage.
bool isRegularFile(HistoryFiles& files, const fs::path& path)
{
    std::error_code error;
    const bool regular = fs::is_regular_file(path, error);
    if (!regular)
        files.damage.push_back({Damage::Kind::unreadable, path.string(), 0, 0, 1,
                                error ? Message(error.message()) : message("it is no regular file")});
    return regular;
}

// False if the name is neither that of a log nor that of a snapshot.
bool addByName(HistoryFiles& files, const fs::path& path)
{
    std::string name = path.filename().string();
    const auto log = zxidOf(name, kLog);
    if (name.ends_with(kSnappy) && name.starts_with(kSnapshot)) {
        files.damage.push_back({Damage::Kind::snapshotCompressed, path.string()});
        return true;
    }
    if (name.ends_with(kGzip))
        name.resize(name.size() - kGzip.size());
    const auto zxid = log ? log : zxidOf(name, kSnapshot);
    if (zxid && isRegularFile(files, path))
        (log ? files.logs : files.snapshots).push_back({path, *zxid});
    return zxid.has_value();
}

void addFile(HistoryFiles& files, const fs::path& path)
{
    if (addByName(files, path) || !isRegularFile(files, path))
        return;
    if (beginsAsSnapshot(path))
        files.snapshots.push_back({path, Zxid{0}});
    else
        files.logs.push_back({path, firstZxid(path)}); // if it is no log, opening it says so
}

std::error_code addDirectory(HistoryFiles& files, const fs::path& given)
{
    std::error_code error;
    const fs::path inside = given / "version-2";
    const fs::path directory = fs::is_directory(inside, error) ? inside : given;
    for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error))
        addByName(files, entry->path());
    return error;
}

void sortAndUnite(std::vector<HistoryFile>& files)
{
    std::sort(files.begin(), files.end(), [](const HistoryFile& a, const HistoryFile& b) {
        return a.zxid != b.zxid ? a.zxid < b.zxid : a.path < b.path;
    });
    files.erase(std::unique(files.begin(), files.end(),
                            [](const HistoryFile& a, const HistoryFile& b) { return a.path == b.path; }),
                files.end());
}

} // namespace

bool isHistory(const fs::path& path)
{
    std::error_code ignored;
    if (fs::is_directory(path, ignored))
        return true;
    const std::string name = path.filename().string();
    return (name.starts_with(kLog) || name.starts_with(kSnapshot)) && path.extension() != ".jsonl" &&
           path.extension() != ".toml";
}

Result<HistoryFiles> findHistoryFiles(const std::vector<fs::path>& given)
{
    HistoryFiles files;
    for (const fs::path& path : given) {
        std::error_code error;
        const fs::file_status status = fs::status(path, error);
        if (fs::is_directory(status))
            error = addDirectory(files, path);
        else if (fs::exists(status))
            addFile(files, path);
        else if (!error)
            error = std::make_error_code(std::errc::no_such_file_or_directory);
        if (error)
            files.damage.push_back({Damage::Kind::unreadable, path.string(), 0, 0, 1, error.message()});
    }
    sortAndUnite(files.logs);
    sortAndUnite(files.snapshots);
    if (!files.logs.empty() || !files.snapshots.empty())
        return files;
    if (!files.damage.empty())
        return Error{ErrorCode::badInput, files.damage.front().text(), ""};
    return Error{ErrorCode::badInput, message("There is no transaction log in %1.", given.front().string()),
                 message("Expected files named log.<zxid>, as in ZooKeeper's dataDir/version-2.")};
}

std::uint64_t dataBytes(const HistoryFiles& files)
{
    constexpr std::uint64_t kBlock = 512; // of st_blocks
    std::uint64_t bytes = 0;
    for (const HistoryFile& log : files.logs) {
        struct stat status = {};
        if (::stat(log.path.c_str(), &status) == 0)
            bytes += std::min(static_cast<std::uint64_t>(status.st_size),
                              static_cast<std::uint64_t>(status.st_blocks) * kBlock);
    }
    return bytes;
}

} // namespace lockscope::history
