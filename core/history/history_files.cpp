#include "core/history/history_files.h"

#include "core/base/numbers.h"
#include "core/history/log_file.h"

#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <memory>
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
constexpr std::array<std::string_view, 2> kOwnFiles = {".jsonl", ".toml"}; // a trace, a scenario

// The number after the prefix; none if anything else follows, as in *.tmp and *.fixed.
std::optional<Zxid> zxidOf(std::string_view name, std::string_view prefix)
{
    return name.starts_with(prefix) ? parseHex<Zxid>(name.substr(prefix.size())) : std::nullopt;
}

// The first bytes, of a compressed file those of its content.
std::string beginOf(const fs::path& path, std::size_t bytes)
{
    const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(::gzopen(path.c_str(), "rbe"), &::gzclose);
    std::string begin(bytes, '\0');
    const int got = file ? ::gzread(file.get(), begin.data(), static_cast<unsigned>(bytes)) : -1;
    begin.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
    return begin;
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

Zxid firstZxid(const fs::path& path, Zxid byName)
{
    LogFile log(path);
    LogFile::Record record;
    return log.next(record) && record.offset == LogFile::kHeaderBytes ? record.zxid() : byName;
}

// False if neither its name nor its content is that of a log or a snapshot.
bool addFile(HistoryFiles& files, const fs::path& path, bool wasGiven)
{
    std::string name = path.filename().string();
    const bool isNamed = (name.starts_with(kLog) || name.starts_with(kSnapshot)) &&
                         std::none_of(kOwnFiles.begin(), kOwnFiles.end(),
                                      [&](std::string_view end) { return name.ends_with(end); });
    std::error_code error;
    if (!isNamed && !wasGiven && !fs::is_regular_file(path, error))
        return false;
    if (!isRegularFile(files, path))
        return true;
    const std::string begin = beginOf(path, 4);
    if (begin == "ZKLG") {
        if (name.ends_with(kGzip))
            name.resize(name.size() - kGzip.size());
        files.logs.push_back({path, firstZxid(path, zxidOf(name, kLog).value_or(Zxid{0}))});
        return true;
    }
    if (name.starts_with(kSnapshot) && name.ends_with(kSnappy)) {
        files.damage.push_back({Damage::Kind::snapshotCompressed, path.string()});
        return true;
    }
    if (name.ends_with(kGzip))
        name.resize(name.size() - kGzip.size());
    if (begin == "ZKSN")
        files.snapshots.push_back({path, zxidOf(name, kSnapshot).value_or(Zxid{0})});
    else if (isNamed && name.starts_with(kSnapshot))
        files.damage.push_back(
            {fs::file_size(path, error) == 0 ? Damage::Kind::empty : Damage::Kind::snapshotBroken,
             path.string(), 0, 0, 1, message("it does not begin with ZKSN")});
    else if (isNamed || wasGiven)
        files.logs.push_back(
            {path, zxidOf(name, kLog).value_or(Zxid{0})}); // opening it says what is wrong with it
    else
        return false;
    return true;
}

std::error_code addFiles(HistoryFiles& files, const fs::path& directory, const std::set<fs::path>& known)
{
    std::error_code error;
    for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error))
        if (!known.contains(entry->path()))
            addFile(files, entry->path(), false);
    return error;
}

std::error_code addDirectory(HistoryFiles& files, const fs::path& given, const std::set<fs::path>& known)
{
    const std::error_code error = addFiles(files, given, known);
    const fs::path inside = given / "version-2";
    std::error_code none;
    return error || !fs::is_directory(inside, none) ? error : addFiles(files, inside, known);
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

Result<HistoryFiles> findHistoryFiles(const std::vector<fs::path>& given, const std::set<fs::path>& known)
{
    HistoryFiles files;
    for (const fs::path& path : given) {
        std::error_code error;
        const fs::file_status status = fs::status(path, error);
        if (fs::is_directory(status))
            error = addDirectory(files, path, known);
        else if (known.contains(path))
            continue;
        else if (fs::exists(status))
            addFile(files, path, true);
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
