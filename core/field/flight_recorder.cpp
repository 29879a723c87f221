#include "core/field/flight_recorder.h"

#include "core/base/output_file.h"
#include "core/field/ring_files.h"
#include "core/history/history_trace_builder.h"
#include "core/trace/store.h"
#include "core/trace/trace_file.h"

#include <fmt/core.h>

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <ctime>
#include <optional>
#include <string_view>

namespace lockscope::field {

namespace {

namespace fs = std::filesystem;
using history::LockEvent;
using std::chrono::milliseconds;

constexpr std::size_t kDataInRing = 128;
constexpr std::int64_t kRingParts = 8; // so much of the ring is removed at once
constexpr std::uint64_t kMostRingFile = 32u << 20;
constexpr std::size_t kMostRingMemory = 64u << 20; // a file is kept in memory, too, while it is written
constexpr std::int64_t kTurnAgainMs = 1000;        // after a failure
constexpr std::size_t kMostSaves = 8;
constexpr std::string_view kSave = "save-", kFresh = ".new";

std::int64_t inMs(Duration span) { return std::chrono::duration_cast<milliseconds>(span).count(); }

// "20261128T203015.123Z": names in the order of time.
std::string stamp(std::int64_t ms)
{
    const std::time_t whole = ms / 1000;
    std::tm parts{};
    std::array<char, 32> text{};
    gmtime_r(&whole, &parts);
    std::strftime(text.data(), text.size(), "%Y%m%dT%H%M%S", &parts);
    return fmt::format("{}.{:03}Z", text.data(), ms % 1000);
}

std::string inName(std::string text)
{
    constexpr std::size_t kLongest = 60;
    for (char& c : text)
        c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
    text.erase(0, text.find_first_not_of('-'));
    return text.substr(0, kLongest);
}

Error folderError(const fs::path& folder, std::error_code error)
{
    OutputProblem problem = describeOutputProblem(folder, error);
    return {ErrorCode::ioFailed,
            message("The folder of the recording, %1, cannot be used: %2.", problem.file, problem.reason),
            std::move(problem.hint)};
}

std::error_code lastSystemError() { return {errno, std::generic_category()}; }

bool isOwn(const std::string& name)
{
    return name == kRecorderLock ||
           ((name.starts_with(kRing) || name.starts_with(kSave)) &&
            (name.ends_with(kTrace) || name.ends_with(std::string(kTrace) + std::string(kFresh))));
}

std::uint64_t sizeOf(const fs::path& file)
{
    std::error_code error;
    const std::uintmax_t size = fs::file_size(file, error);
    return error ? 0 : size;
}

} // namespace

struct FlightRecorder::File
{
    fs::path path;
    std::int64_t fromMs = 0, untilMs = 0; // `untilMs`: of a saved file
    std::uint64_t firstBytes = 0;         // of the nodes that it begins with
    std::size_t firstMemory = 0;
    trace::TraceStore store;
    std::optional<history::HistoryTraceBuilder> builder;
    std::unique_ptr<trace::TraceWriter> writer;
};

LockEvent FlightRecorder::Item::whole() const
{
    LockEvent all = event;
    all.node.lockPath = lockPath;
    all.node.parent = parent;
    all.node.name = name;
    all.node.data = data;
    return all;
}

FlightRecorder::FlightRecorder(Options options)
    : m_options(std::move(options))
{}

FlightRecorder::~FlightRecorder() = default;

Result<std::unique_ptr<FlightRecorder>> FlightRecorder::open(Options options)
{
    const fs::path& folder = options.folder;
    std::error_code error;
    fs::create_directory(folder, error);
    if (error)
        return folderError(folder, error);
    for (auto at = fs::directory_iterator(folder, error); !error && at != fs::directory_iterator();
         at.increment(error))
        if (const std::string name = at->path().filename(); !isOwn(name))
            return Error{
                ErrorCode::badUsage,
                message("The folder of the recording, %1, has a file that is none of a recording: %2.",
                        folder.string(), name),
                message("Files are removed there in time: give a folder of its own.")};
    if (error)
        return folderError(folder, error);
    UniqueFd lock(::open((folder / kRecorderLock).c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!lock.valid())
        return folderError(folder, lastSystemError());
    if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0)
        return errno == EWOULDBLOCK
                   ? Error{ErrorCode::busy, message("Another process records in %1.", folder.string()),
                           message("Give each recording a folder of its own.")}
                   : folderError(folder, lastSystemError());
    for (auto at = fs::directory_iterator(folder, error); !error && at != fs::directory_iterator();
         at.increment(error))
        if (at->path().extension() == kFresh) // of a process that was killed before its first line
            ::unlink(at->path().c_str());
    std::unique_ptr<FlightRecorder> recorder(new FlightRecorder(std::move(options)));
    recorder->m_lock = std::move(lock);
    recorder->m_ringFiles = ringFilesIn(recorder->m_options.folder);
    return recorder;
}

void FlightRecorder::noteEvent(const LockEvent& event)
{
    Item item{Item::Kind::event,
              event,
              std::string(event.node.lockPath),
              std::string(event.node.parent),
              std::string(event.node.name),
              std::string(event.node.data.substr(0, kDataInRing)),
              0};
    item.event.node.lockPath = item.event.node.parent = item.event.node.name = item.event.node.data =
        item.event.node.acl = {};
    const std::lock_guard guard(m_mutex);
    m_arrived.push_back(std::move(item));
}

void FlightRecorder::noteApplied()
{
    const std::lock_guard guard(m_mutex);
    if (!m_arrived.empty() && m_arrived.back().kind == Item::Kind::event)
        m_arrived.push_back({Item::Kind::applied, {}, {}, {}, {}, {}, 0});
}

void FlightRecorder::noteGap(std::int64_t fromMs, std::int64_t toMs)
{
    Item item{Item::Kind::gap, {}, {}, {}, {}, {}, fromMs};
    item.event.timeMs = toMs;
    const std::lock_guard guard(m_mutex);
    m_arrived.push_back(std::move(item));
}

void FlightRecorder::apply(Nodes& nodes, const Item& item)
{
    if (item.kind != Item::Kind::event)
        return;
    const std::pair key(item.event.lock, item.name);
    switch (item.event.kind) {
    case LockEvent::Kind::queued:
        nodes.insert_or_assign(key, Live{item, ++m_order, false});
        break;
    case LockEvent::Kind::entitled:
        if (const auto node = nodes.find(key); node != nodes.end())
            node->second.entitled = true;
        break;
    case LockEvent::Kind::ended:
        nodes.erase(key);
        break;
    case LockEvent::Kind::dataSet:
    case LockEvent::Kind::folderDeleted:
        break;
    }
}

void FlightRecorder::feed(File& file, const Item& item)
{
    switch (item.kind) {
    case Item::Kind::event:
        file.builder->add(item.whole());
        break;
    case Item::Kind::applied:
        file.builder->flush();
        break;
    case Item::Kind::gap:
        file.builder->addGap(item.gapFromMs, item.event.timeMs);
        break;
    }
}

void FlightRecorder::add(Item item)
{
    if (item.kind == Item::Kind::applied) // has no time of its own
        item.event.timeMs = m_kept.empty() ? 0 : m_kept.back().event.timeMs;
    if (m_ring)
        feed(*m_ring, item);
    for (const auto& file : m_saves)
        feed(*file, item);
    m_kept.push_back(std::move(item));
}

// A trace from this time on: first the nodes that there were, then what has been noted since.
Result<std::unique_ptr<FlightRecorder::File>> FlightRecorder::begin(const std::string& name,
                                                                    std::string title, std::int64_t fromMs)
{
    auto file = std::make_unique<File>();
    file->path = m_options.folder / (name + std::string(kTrace));
    std::error_code ignored;
    for (int other = 2; fs::exists(file->path, ignored); ++other)
        file->path = m_options.folder / fmt::format("{}-{}{}", name, other, kTrace);
    fromMs = std::max(fromMs, m_knownFromMs);
    file->fromMs = fromMs;
    if (m_options.written)
        file->store.setWrittenSessionNames(m_options.written);
    history::HistoryTraceBuilder::Options options;
    options.sessionIds = m_options.sessionIds;
    options.liveSinceNanoseconds = 0;
    options.scenario = "watch";
    options.title = std::move(title);
    file->builder.emplace(file->store, std::move(options));
    file->builder->addServer(trace::ServerPhase::ready, m_options.server, fromMs);
    Nodes nodes = m_before;
    auto at = m_kept.begin();
    for (; at != m_kept.end() && at->event.timeMs < fromMs; ++at)
        apply(nodes, *at);
    std::vector<const Live*> inOrder;
    for (const auto& [key, node] : nodes)
        inOrder.push_back(&node);
    std::sort(inOrder.begin(), inOrder.end(),
              [](const Live* a, const Live* b) { return a->order < b->order; });
    for (const Live* node : inOrder) {
        LockEvent event = node->item.whole();
        event.timeMs = fromMs;
        event.node.beforeLog = true;
        file->builder->add(event);
        event.kind = LockEvent::Kind::entitled;
        if (node->entitled)
            file->builder->add(event);
    }
    file->builder->flush();
    for (; at != m_kept.end(); ++at)
        feed(*file, *at);
    // Under another name until it has its first lines: a file that is there can always be read.
    const fs::path fresh = file->path.string() + std::string(kFresh);
    auto writer = trace::TraceWriter::create(fresh, file->store);
    if (!writer)
        return writer.error();
    file->writer = std::move(*writer);
    if (const auto written = file->writer->pump(); !written)
        return written.error();
    fs::rename(fresh, file->path, ignored);
    if (ignored)
        return folderError(m_options.folder, ignored);
    file->firstBytes = sizeOf(file->path);
    file->firstMemory = file->store.memoryBytes();
    return file;
}

Result<void> FlightRecorder::end(File& file, std::int64_t nowMs)
{
    file.builder->finish(nowMs);
    if (const auto written = file.writer->pump(); !written)
        return written.error();
    return file.writer->finish();
}

// Goes on to the next file of the ring, when there is none or the last one is old or large.
Result<void> FlightRecorder::turn(std::int64_t nowMs)
{
    const std::int64_t longest = std::max<std::int64_t>(inMs(m_options.keep) / kRingParts, 1000);
    const std::uint64_t largest = std::min(m_options.keepBytes / kRingParts, kMostRingFile);
    const bool muchMemory = m_ring && m_ring->store.memoryBytes() >= m_ring->firstMemory + kMostRingMemory;
    if (m_ring && nowMs - m_ring->fromMs < longest && sizeOf(m_ring->path) < m_ring->firstBytes + largest &&
        !muchMemory)
        return {};
    if (!m_turned && nowMs - m_turnedMs < kTurnAgainMs)
        return m_turned;
    m_turnedMs = nowMs;
    // What was noted is in the last one, even if it is later than `nowMs`.
    const std::int64_t fromMs =
        m_ring && !m_kept.empty() ? std::max(nowMs, m_kept.back().event.timeMs + 1) : nowMs;
    auto next = begin(std::string(kRing) + stamp(fromMs), "Locks of others, watched live", fromMs);
    m_turned = next ? Result<void>() : next.error();
    if (!next && !muchMemory)
        return m_turned; // the last one goes on
    const std::unique_ptr<File> last = std::exchange(m_ring, next ? std::move(*next) : nullptr);
    if (m_ring)
        m_ringFiles.push_back(m_ring->path);
    const Result<void> ended = last ? end(*last, nowMs) : Result<void>();
    prune(nowMs);
    return m_turned ? ended : m_turned;
}

// A file of the ring ends where the next one begins; by its own clock later, if that was set back since. The
// last one, which is being written, stays.
void FlightRecorder::prune(std::int64_t nowMs)
{
    if (m_ringFiles.empty())
        return;
    const std::string oldest = std::string(kRing) + stamp(nowMs - inMs(m_options.keep));
    std::size_t first = m_ringFiles.size() - 1; // of those that stay
    while (first > 0 && m_ringFiles[first].filename().string() > oldest)
        --first;
    std::uint64_t bytes = 0;
    for (std::size_t i = first; i < m_ringFiles.size(); ++i)
        bytes += sizeOf(m_ringFiles[i]);
    for (; first + 1 < m_ringFiles.size() && bytes > m_options.keepBytes; ++first)
        bytes -= std::min(bytes, sizeOf(m_ringFiles[first]));
    for (std::size_t i = 0; i < first; ++i)
        ::unlink(m_ringFiles[i].c_str());
    m_ringFiles.erase(m_ringFiles.begin(), m_ringFiles.begin() + static_cast<std::ptrdiff_t>(first));
}

std::uint64_t FlightRecorder::savedBytes() const
{
    std::uint64_t bytes = 0;
    std::error_code ignored;
    for (auto at = fs::directory_iterator(m_options.folder, ignored); at != fs::directory_iterator();
         at.increment(ignored))
        if (at->path().filename().string().starts_with(kSave))
            bytes += sizeOf(at->path());
    return bytes;
}

Result<void> FlightRecorder::pump(std::int64_t nowMs)
{
    std::vector<Item> arrived;
    {
        const std::lock_guard guard(m_mutex);
        arrived.swap(m_arrived);
    }
    for (Item& item : arrived)
        add(std::move(item));
    if (m_knownFromMs == 0)
        m_knownFromMs = nowMs;
    const std::int64_t oldestMs = nowMs - inMs(m_options.before);
    while (!m_kept.empty() && (m_kept.size() > kMaxKept || m_kept.front().event.timeMs < oldestMs)) {
        m_knownFromMs = std::max(m_knownFromMs, m_kept.front().event.timeMs);
        apply(m_before, m_kept.front());
        m_kept.pop_front();
    }
    Result<void> result = turn(nowMs);
    const auto keepFirst = [&result](const auto& done) {
        if (result && !done)
            result = done.error();
    };
    if (m_ring)
        keepFirst(m_ring->writer->pump());
    std::erase_if(m_saves, [&](const std::unique_ptr<File>& file) {
        if (nowMs < file->untilMs) {
            keepFirst(file->writer->pump());
            return false;
        }
        keepFirst(end(*file, nowMs));
        return true;
    });
    return result;
}

Result<fs::path> FlightRecorder::save(const std::string& why, const std::string& what, std::int64_t nowMs)
{
    if (m_saves.size() >= kMostSaves)
        return Error{ErrorCode::limitExceeded,
                     message("%1 is not saved: %2 moments are being saved already.", why, kMostSaves),
                     {}};
    if (savedBytes() >= m_options.keepBytes)
        return Error{ErrorCode::limitExceeded,
                     message("%1 is not saved: the saved files in %2 take as much as the ring may.", why,
                             m_options.folder.string()),
                     message("Move them away, or raise --keep-bytes.")};
    auto file =
        begin(fmt::format("{}{}-{}", kSave, stamp(nowMs), inName(what)), why, nowMs - inMs(m_options.before));
    if (!file)
        return file.error();
    (*file)->untilMs = nowMs + inMs(m_options.after);
    m_saves.push_back(std::move(*file));
    return m_saves.back()->path;
}

Result<void> FlightRecorder::finish(std::int64_t nowMs)
{
    Result<void> result = pump(nowMs);
    const auto endOne = [&](File& file) {
        if (const Result<void> ended = end(file, nowMs); result && !ended)
            result = ended.error();
    };
    for (const auto& file : m_saves)
        endOne(*file);
    if (m_ring)
        endOne(*m_ring);
    m_saves.clear();
    m_ring.reset();
    return result;
}

} // namespace lockscope::field
