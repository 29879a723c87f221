#include "core/field/ring_files.h"

#include "core/base/unique_fd.h"
#include "core/trace/trace_stream.h"

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <utility>

namespace lockscope::field {

namespace fs = std::filesystem;

namespace {

bool isRecorded(const fs::path& folder)
{
    const UniqueFd lock(::open((folder / kRecorderLock).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    return lock.valid() && ::flock(lock.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

// Names are in the order of time. Empty: there is none.
fs::path newestIn(const fs::path& folder)
{
    std::vector<fs::path> files = ringFilesIn(folder);
    const auto newest = std::max_element(files.begin(), files.end());
    return newest == files.end() ? fs::path() : *newest;
}

} // namespace

bool isRingFile(std::string_view name)
{
    if (!name.starts_with(kRing) || !name.ends_with(kTrace))
        return false;
    name = name.substr(kRing.size(), name.size() - kRing.size() - kTrace.size());
    constexpr std::string_view kStamp = "ddddddddTdddddd.dddZ";
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    const std::string_view rest = name.substr(std::min(name.size(), kStamp.size()));
    return name.size() >= kStamp.size() &&
           std::equal(kStamp.begin(), kStamp.end(), name.begin(),
                      [&](char wanted, char c) { return wanted == 'd' ? isDigit(c) : wanted == c; }) &&
           (rest.empty() ||
            (rest.size() > 1 && rest.front() == '-' && std::all_of(rest.begin() + 1, rest.end(), isDigit)));
}

std::vector<fs::path> ringFilesIn(const fs::path& folder)
{
    std::vector<std::pair<fs::file_time_type, fs::path>> files;
    std::error_code ignored;
    for (auto at = fs::directory_iterator(folder, ignored); at != fs::directory_iterator();
         at.increment(ignored))
        if (isRingFile(at->path().filename().string()))
            files.emplace_back(fs::last_write_time(at->path(), ignored), at->path());
    std::sort(files.begin(), files.end());
    std::vector<fs::path> paths;
    for (auto& [written, path] : files)
        paths.push_back(std::move(path));
    return paths;
}

RingFollower::RingFollower() = default;
RingFollower::~RingFollower() = default;

bool RingFollower::isWritten(const fs::path& given)
{
    const fs::path file = fs::absolute(given);
    return isRingFile(file.filename().string()) && isRecorded(file.parent_path()) &&
           newestIn(file.parent_path()) == file;
}

Result<std::unique_ptr<RingFollower>> RingFollower::open(const fs::path& file)
{
    std::unique_ptr<RingFollower> follower(new RingFollower);
    if (const Result<void> begun = follower->begin(fs::absolute(file)); !begun)
        return begun.error();
    return follower;
}

Result<void> RingFollower::begin(fs::path file)
{
    auto stream = trace::TraceStream::open(file, nullptr, trace::TraceStream::Growth::follow);
    if (!stream)
        return stream.error();
    m_file = std::move(file);
    m_hasNext = false;
    m_stream = std::move(*stream);
    m_store = std::make_shared<trace::TraceStore>(m_stream->header());
    return readOn();
}

Result<void> RingFollower::readOn()
{
    for (;;) {
        const Result<const trace::Event*> event = m_stream->next();
        if (!event)
            return event.error();
        if (!*event)
            return {};
        m_store->append(**event);
    }
}

Result<RingFollower::State> RingFollower::read()
{
    // Before reading, so that nothing is written to the file afterwards; its end is written just after the
    // next file has come.
    const bool recorded = isRecorded(m_file.parent_path());
    fs::path newest = newestIn(m_file.parent_path());
    if (const Result<void> done = readOn(); !done)
        return done.error();
    if (newest > m_file && std::exchange(m_hasNext, true)) {
        if (const Result<void> begun = begin(std::move(newest)); !begun)
            return begun.error();
        return State::newFile;
    }
    return recorded || m_hasNext ? State::waiting : State::ended;
}

} // namespace lockscope::field
