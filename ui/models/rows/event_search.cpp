#include "ui/models/rows/event_search.h"

#include "ui/models/run/logged_event.h"

#include <algorithm>

namespace lockscope::ui {

namespace {

constexpr Duration kBudget = std::chrono::milliseconds(4); // of a slice
constexpr std::size_t kEventsPerClockCheck = 256;          // events between two checks of the clock

} // namespace

bool EventMatches::setFilter(const LogFilter& filter)
{
    if (filter == m_filter)
        return false;
    m_filter = filter;
    clear();
    return true;
}

void EventMatches::clear()
{
    m_names = {};
    m_read = 0;
    m_found.clear();
}

void EventMatches::readUntil(const trace::TraceStore& store, std::size_t end, MonotonicTime deadline)
{
    while (m_read < end && (m_read % kEventsPerClockCheck != 0 || monotonicNow() < deadline)) {
        const trace::Event& event = store.at(m_read);
        m_names.readUntil(store, m_read + 1);
        if (isLogged(event) && m_filter.passes(event, m_names.state()))
            m_found.push_back(static_cast<std::uint32_t>(m_read));
        ++m_read;
    }
}

std::size_t EventMatches::firstFrom(std::size_t event) const
{
    return static_cast<std::size_t>(std::ranges::lower_bound(m_found, event) - m_found.begin());
}

EventSearch::EventSearch(RunModel* run, QObject* parent)
    : QObject(parent)
    , m_run(run)
{
    m_next.setSingleShot(true);
    connect(&m_next, &QTimer::timeout, this, &EventSearch::work);
    connect(run, &RunModel::runChanged, this, &EventSearch::restart);
    connect(run, &RunModel::timelineGrew, this, &EventSearch::goOn);
}

bool EventSearch::searching() const
{
    return active() && m_run->store() && m_matches.read() < m_run->drained();
}

TraceTime EventSearch::timeOf(std::size_t number) const { return m_run->store()->at(match(number)).at; }

void EventSearch::setFilter(const LogFilter& filter)
{
    if (m_matches.setFilter(filter))
        restart();
}

void EventSearch::restart()
{
    m_matches.clear();
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
    m_matches.readUntil(*m_run->store(), m_run->drained(), monotonicNow() + kBudget);
    emit changed();
    goOn();
}

std::size_t EventSearch::firstAt(TraceTime time) const
{
    const auto& found = m_matches.found();
    const auto before = [&](std::uint32_t event) { return m_run->store()->at(event).at < time; };
    return static_cast<std::size_t>(std::ranges::partition_point(found, before) - found.begin());
}

} // namespace lockscope::ui

#include "moc_event_search.cpp"
