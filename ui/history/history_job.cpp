#include "ui/history/history_job.h"

#include "core/history/history_files.h"
#include "core/history/trace_events.h"

#include <QFileInfo>

#include <algorithm>

namespace lockscope::ui {

namespace {

using history::History;
using State = history::HistoryReader::State;
using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kAtOnce = 4 * 1024 * 1024; // bytes between two looks at the stop token
constexpr auto kBetweenNews = std::chrono::milliseconds(250);
constexpr auto kBetweenLooks = std::chrono::milliseconds(100); // at files that grow
constexpr std::size_t kMostDamage = 1'000;

std::uint64_t bytesIn(const std::vector<std::filesystem::path>& paths)
{
    const Result<history::HistoryFiles> files = history::findHistory(paths);
    return files ? history::dataBytes(*files) : 0;
}

std::shared_ptr<HistoryNews> newsOf(const History& history, const std::vector<history::Damage>& damage)
{
    auto news = std::make_shared<HistoryNews>();
    news->bytes = history.bytesRead();
    news->transactions = history.transactions();
    news->first = history.first();
    news->last = history.last();
    news->firstMs = history.firstMs();
    news->lastMs = history.lastMs();
    news->locks = history.locks();
    news->gaps = history.gaps();
    news->clockJumps = history.clockJumps();
    news->damage = damage;
    return news;
}

} // namespace

int HistoryNews::percent() const
{
    if (bytesTotal == 0)
        return goesOn ? 0 : 100;
    return static_cast<int>(std::min<std::uint64_t>(100, bytes * 100 / bytesTotal));
}

bool isHistory(const QString& path)
{
    const QFileInfo file(path);
    return file.isDir() || file.fileName().startsWith(QLatin1String("log.")) ||
           file.fileName().startsWith(QLatin1String("snapshot."));
}

HistoryJob::HistoryJob(QObject* parent)
    : QObject(parent)
{}

void HistoryJob::stop()
{
    m_lists.stop();
    m_runs.stop();
}

void HistoryJob::readLocks(const std::vector<std::filesystem::path>& paths, bool follow)
{
    m_lists.start([this, paths, follow](const std::stop_token& stop) { workOnLocks(paths, follow, stop); });
}

void HistoryJob::readRun(const std::vector<std::filesystem::path>& paths, const std::vector<std::string>& locks,
                         const std::vector<std::string>& fixedNames, const history::ParticipantNames& names,
                         bool follow)
{
    History::Options options;
    options.locks = locks;
    options.fixedNames = fixedNames;
    options.follow = follow;
    m_runs.start([this, paths, options, names](const std::stop_token& stop) { workOnRun(paths, options, names, stop); });
}

void HistoryJob::workOnLocks(const std::vector<std::filesystem::path>& paths, bool follow, const std::stop_token& stop)
{
    History::Options options;
    options.follow = follow;
    auto opened = History::open(paths, options);
    if (!opened)
        return m_lists.post(stop, [this, error = opened.error()] { emit failed(error); });
    History& history = **opened;
    const std::uint64_t total = bytesIn(paths);
    std::vector<history::Damage> damage;
    std::uint64_t told = 0;
    bool toldEnd = false;
    auto next = Clock::now();
    for (State state = State::more; !stop.stop_requested();) {
        state = history.read(kAtOnce);
        for (history::Damage& one : history.takeDamage())
            if (damage.size() < kMostDamage)
                damage.push_back(std::move(one));
        const bool goesOn = state == State::more;
        const bool due = goesOn ? Clock::now() >= next : !toldEnd || history.transactions() != told;
        if (due) {
            auto news = newsOf(history, damage);
            news->bytesTotal = total;
            news->goesOn = goesOn;
            m_lists.post(stop, [this, news] { emit this->news(news); });
            told = history.transactions();
            toldEnd = !goesOn;
            next = Clock::now() + kBetweenNews;
        }
        if (state == State::ended || (state == State::waiting && m_lists.wait(stop, kBetweenLooks)))
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
    store->writeSessionsAs(m_key);
    history::TraceEvents events(*store, {.names = names});
    history.listen([&events](const history::LockEvent& event) { events.add(event); });
    history.listenToGaps([&events](const history::Gap& gap) { events.addGap(gap); });
    HistoryNews progress;
    progress.bytesTotal = bytesIn(paths);
    bool told = false;
    auto next = Clock::now() + kBetweenNews;
    while (!stop.stop_requested()) {
        const State state = history.read(kAtOnce);
        if (state == State::more) {
            if (!told && Clock::now() >= next) {
                progress.bytes = history.bytesRead();
                m_runs.post(stop, [this, percent = progress.percent()] { emit runProgress(percent); });
                next = Clock::now() + kBetweenNews;
            }
            continue;
        }
        if (state == State::ended)
            events.finish(history.lastMs());
        else
            events.flush();
        if (!std::exchange(told, true))
            m_runs.post(stop, [this, store, growing = state == State::waiting, whole = events.isWhole()] {
                emit runRead(store, growing, whole);
            });
        else if (state == State::ended)
            m_runs.post(stop, [this] { emit runEnded(); });
        if (state == State::ended || m_runs.wait(stop, kBetweenLooks))
            return;
    }
}

} // namespace lockscope::ui
