#include "ui/locks/history_job.h"

#include "core/history/history_files.h"
#include "core/history/history_trace_builder.h"
#include "core/trace/session_names.h"

#include <algorithm>

namespace lockscope::ui {

namespace {

using history::History;
using State = history::HistoryReader::State;
using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kChunkBytes = 4 * 1024 * 1024; // bytes between two checks of the stop token
constexpr auto kStatusInterval = std::chrono::milliseconds(250);
constexpr auto kIntervalPerLock = std::chrono::microseconds(10);
constexpr auto kPollInterval = std::chrono::milliseconds(100); // of growing files
constexpr std::size_t kMaxDamage = 1'000;

class Facts
{
public:
    explicit Facts(const trace::SessionNames& written)
        : m_written(written)
    {}
    void add(const history::LockEvent& event)
    {
        m_times.add(event);
        m_findings.add(event);
    }
    void addGap() { m_findings.addGap(); }
    // Replaces session ids: findings appear in pictures, and ZooKeeper's own recipe names nodes after
    // sessions.
    HistoryFacts now() const
    {
        HistoryFacts facts{m_times, m_findings.all()};
        for (history::RuleFinding& finding : facts.findings)
            finding.node = trace::replaceSessionIds(finding.node, m_written);
        return facts;
    }

private:
    const trace::SessionNames& m_written;
    history::HoldTimes m_times;
    history::HistoryFindings m_findings;
};

std::uint64_t bytesIn(const std::vector<std::filesystem::path>& paths)
{
    const Result<history::HistoryFiles> files = history::findHistoryFiles(paths);
    return files ? history::dataBytes(*files) : 0;
}

std::shared_ptr<HistoryStatus> statusOf(const History& history, const std::vector<history::Damage>& damage)
{
    auto status = std::make_shared<HistoryStatus>();
    status->bytes = history.bytesRead();
    status->transactions = history.transactions();
    status->first = history.first();
    status->last = history.last();
    status->firstMs = history.firstMs();
    status->lastMs = history.lastMs();
    status->locks = history.locks();
    status->gaps = history.gaps();
    status->neverConfirmed = history.neverConfirmed();
    status->snapshot = history.snapshot();
    status->clockJumps = history.clockJumps();
    status->damage = damage;
    return status;
}

} // namespace

int HistoryStatus::percent() const
{
    if (bytesTotal == 0)
        return hasMore ? 0 : 100;
    return static_cast<int>(std::min<std::uint64_t>(100, bytes * 100 / bytesTotal));
}

bool isHistory(const QString& path) { return history::isHistory(path.toStdString()); }

HistoryJob::HistoryJob(QObject* parent)
    : QObject(parent)
{}

void HistoryJob::stop()
{
    m_lists.cancel();
    m_runs.cancel();
}

void HistoryJob::readLocks(const std::vector<std::filesystem::path>& paths, bool follow)
{
    m_lists.cancel();
    m_lists.start([this, paths, follow](const std::stop_token& stop) { workOnLocks(paths, follow, stop); });
}

void HistoryJob::readRun(const std::vector<std::filesystem::path>& paths,
                         const std::vector<std::string>& locks, const history::ParticipantNames& names,
                         bool follow)
{
    History::Options options;
    options.locks = locks;
    options.follow = follow;
    m_runs.cancel();
    m_runs.start([this, paths, options, names](const std::stop_token& stop) {
        workOnRun(paths, options, names, stop);
    });
}

void HistoryJob::workOnLocks(const std::vector<std::filesystem::path>& paths, bool follow,
                             const std::stop_token& stop)
{
    History::Options options;
    options.follow = follow;
    auto opened = History::open(paths, options);
    if (!opened)
        return m_lists.post(stop, [this, error = opened.error()] { emit failed(error); });
    History& history = **opened;
    Facts facts(*m_key);
    history.listen([&facts](const history::LockEvent& event) { facts.add(event); });
    history.listenToGaps([&facts](const history::Gap&) { facts.addGap(); });
    const std::uint64_t total = bytesIn(paths);
    std::vector<history::Damage> damage;
    std::uint64_t reported = 0;
    bool reportedEnd = false;
    auto next = Clock::now();
    for (State state = State::more; !stop.stop_requested();) {
        state = history.read(kChunkBytes);
        for (history::Damage& one : history.takeDamage())
            if (damage.size() < kMaxDamage)
                damage.push_back(std::move(one));
        const bool hasMore = state == State::more;
        const bool firstTimeAtEnd = !hasMore && !reportedEnd;
        if (firstTimeAtEnd || state == State::ended ||
            (Clock::now() >= next && history.transactions() != reported)) {
            auto status = statusOf(history, damage);
            status->facts = facts.now();
            status->bytesTotal = total;
            status->hasMore = hasMore;
            status->ended = state == State::ended;
            m_lists.post(stop, [this, status] { emit statusChanged(status); });
            reported = history.transactions();
            reportedEnd = !hasMore;
            // A longer list is reported less often, because it takes longer to sort.
            next = Clock::now() + kStatusInterval + kIntervalPerLock * status->locks.size();
        }
        if (state == State::ended || (state == State::waiting && m_lists.wait(stop, kPollInterval)))
            return;
    }
}

void HistoryJob::workOnRun(const std::vector<std::filesystem::path>& paths, const History::Options& options,
                           const history::ParticipantNames& names, const std::stop_token& stop)
{
    auto opened = History::open(paths, options);
    if (!opened)
        return m_runs.post(stop, [this, error = opened.error()] { emit failed(error); });
    History& history = **opened;
    const auto store = std::make_shared<trace::TraceStore>();
    store->setWrittenSessionNames(m_key);
    history::HistoryTraceBuilder events(*store, {.names = names});
    Facts facts(*m_key);
    history.listen([&events, &facts](const history::LockEvent& event) {
        events.add(event);
        facts.add(event);
    });
    std::uint64_t reportedTransactions = 0;
    history.listenToGaps([&](const history::Gap& gap) {
        events.addGap(gap);
        facts.addGap();
    });
    HistoryStatus progress;
    progress.bytesTotal = bytesIn(paths);
    bool reported = false;
    auto next = Clock::now() + kStatusInterval;
    while (!stop.stop_requested()) {
        const State state = history.read(kChunkBytes);
        if (state == State::more) {
            if (!reported && Clock::now() >= next) {
                progress.bytes = history.bytesRead();
                m_runs.post(stop, [this, percent = progress.percent()] { emit runProgress(percent); });
                next = Clock::now() + kStatusInterval;
            }
            continue;
        }
        if (state == State::ended)
            events.finish(history.lastMs());
        else
            events.flush();
        if (!reported || history.transactions() != reportedTransactions)
            m_runs.post(stop, [this, now = std::make_shared<const HistoryFacts>(facts.now())] {
                emit factsChanged(now);
            });
        reportedTransactions = history.transactions();
        if (!std::exchange(reported, true))
            m_runs.post(stop, [this, store, growing = state == State::waiting, whole = events.isWhole()] {
                emit runRead(store, growing, whole);
            });
        else if (state == State::ended)
            m_runs.post(stop, [this] { emit runEnded(); });
        if (state == State::ended || m_runs.wait(stop, kPollInterval))
            return;
    }
}

} // namespace lockscope::ui

#include "moc_history_job.cpp"
