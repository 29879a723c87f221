#include "ui/models/rows/event_search.h"

#include "ui/models/run/logged_event.h"

#include <algorithm>

namespace lockscope::ui {

namespace {

constexpr Duration kBudget = std::chrono::milliseconds(4); // of a slice
constexpr std::size_t kEventsPerClockCheck = 256;          // events between two checks of the clock

} // namespace

EventSearch::EventSearch(RunModel* run, QObject* parent)
    : QObject(parent)
    , m_run(run)
{
    m_next.setSingleShot(true);
    connect(&m_next, &QTimer::timeout, this, &EventSearch::work);
    connect(run, &RunModel::runChanged, this, &EventSearch::restart);
    connect(run, &RunModel::timelineGrew, this, &EventSearch::goOn);
}

bool EventSearch::searching() const { return active() && m_run->store() && m_read < m_run->drained(); }

TraceTime EventSearch::timeOf(std::size_t number) const { return m_run->store()->at(m_matches[number]).at; }

void EventSearch::setFilter(const LogFilter& filter)
{
    if (filter == m_filter)
        return;
    m_filter = filter;
    restart();
}

void EventSearch::restart()
{
    m_read = 0;
    m_matches.clear();
    m_names = {};
    goOn();
    emit changed();
}

void EventSearch::goOn()
{
    if (searching() && !m_next.isActive())
        m_next.start(0);
}

void EventSearch::work()
{
    if (!searching())
        return;
    const trace::TraceStore& store = *m_run->store();
    const std::size_t until = m_run->drained();
    const auto deadline = MonotonicClock::now() + kBudget;
    while (m_read < until && (m_read % kEventsPerClockCheck != 0 || MonotonicClock::now() < deadline)) {
        const trace::Event& event = store.at(m_read);
        m_names.readUntil(store, m_read + 1);
        if (isLogged(event) && m_filter.passes(event, m_names.state()))
            m_matches.push_back(static_cast<std::uint32_t>(m_read));
        ++m_read;
    }
    emit changed();
    goOn();
}

std::size_t EventSearch::firstFrom(std::size_t event) const
{
    const auto found = std::lower_bound(m_matches.begin(), m_matches.end(), event);
    return static_cast<std::size_t>(found - m_matches.begin());
}

std::size_t EventSearch::firstAt(TraceTime time) const
{
    const auto found = std::partition_point(m_matches.begin(), m_matches.end(), [&](std::uint32_t event) {
        return m_run->store()->at(event).at < time;
    });
    return static_cast<std::size_t>(found - m_matches.begin());
}

} // namespace lockscope::ui

#include "moc_event_search.cpp"
