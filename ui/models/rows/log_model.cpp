#include "ui/models/rows/log_model.h"

#include "ui/models/run/logged_event.h"
#include "ui/models/style/format.h"
#include "ui/texts/client_status.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lockscope::ui {

namespace {

using namespace std::chrono_literals;

constexpr std::array<TableColumn, LogModel::ColumnCount> kLogColumns{
    {//: table head: when the event happened
     {QT_TRANSLATE_NOOP("lockscope::ui::LogModel", "Time")},
     //: table head: whose event it is
     {QT_TRANSLATE_NOOP("lockscope::ui::LogModel", "Client")},
     //: table head: arrows such as "to the server"
     {QT_TRANSLATE_NOOP("lockscope::ui::LogModel", "Direction")},
     //: table head: what happened, in words
     {QT_TRANSLATE_NOOP("lockscope::ui::LogModel", "Text")},
     //: table head: how long it took
     {QT_TRANSLATE_NOOP("lockscope::ui::LogModel", "Duration"), "", true},
     //: table head: the number of the event
     {QT_TRANSLATE_NOOP("lockscope::ui::LogModel", "Event"), "", true},
     //: table head, a noun: which lock it concerns
     {QT_TRANSLATE_NOOP("lockscope::ui::LogModel", "Lock")}}};

constexpr Duration kSliceBudget = 4ms;   // of a frame
constexpr std::size_t kIndexSlice = 512; // events between two checks of the clock
constexpr std::uint32_t kNone = EventIndex::none().value;

} // namespace

LogModel::LogModel(RunModel* run, QObject* parent)
    : ColumnsModel(kLogColumns, parent)
    , m_run(run)
{
    m_again.setSingleShot(true);
    connect(&m_again, &QTimer::timeout, this, &LogModel::work);
    connect(run, &RunModel::runChanged, this, &LogModel::restart);
    connect(run, &RunModel::stateChanged, this, &LogModel::work);
    work();
}

void LogModel::restart()
{
    beginResetModel();
    m_entries.clear();
    m_matches.clear();
    m_indexed = m_rows = m_position = 0;
    endResetModel();
    work();
}

void LogModel::setFilter(const LogFilter& filter)
{
    if (filter == m_matches.filter())
        return;
    setRowCount(0);
    m_matches.setFilter(filter);
    work();
    emit buildProgressed();
}

void LogModel::setWallClock(bool on)
{
    m_wallClock = on;
    if (m_rows > 0)
        emit dataChanged(index(0, Time), index(static_cast<int>(m_rows) - 1, Time));
}

bool LogModel::building() const
{
    return m_indexed < m_run->position() || (m_matches.filters() && m_matches.read() < m_run->position());
}

std::size_t LogModel::eventsLogged() const { return entriesBefore(m_position); }

// One slice: reads more events, at most up to the cursor, and shows those that pass.
void LogModel::work()
{
    if (!m_run->store())
        return;
    const std::size_t rowsBefore = m_rows;
    const std::size_t positionBefore = m_position;
    const MonotonicTime deadline = monotonicNow() + kSliceBudget;
    const std::size_t goal = m_run->position();
    while (m_indexed < goal && monotonicNow() < deadline)
        indexUntil(std::min(goal, m_indexed + kIndexSlice));
    if (m_matches.filters())
        m_matches.readUntil(*m_run->store(), m_indexed, deadline + kSliceBudget / 2);
    showUpToCursor();
    const bool more = building();
    if (more)
        m_again.start(1);
    // The last slices of a filter often add no row.
    if (std::exchange(m_working, more) != more || m_rows != rowsBefore || m_position != positionBefore)
        emit buildProgressed();
}

void LogModel::indexUntil(std::size_t until)
{
    const trace::TraceStore& store = *m_run->store();
    for (; m_indexed < until; ++m_indexed) {
        const trace::Event& event = store.at(m_indexed);
        const auto here = static_cast<std::uint32_t>(m_indexed);
        if (std::holds_alternative<trace::Reply>(event.what) && event.cause.valid())
            noteReply(event.cause.value, here);
        if (isLogged(event))
            m_entries.push_back({here, kNone});
    }
}

void LogModel::noteReply(std::uint32_t request, std::uint32_t reply)
{
    if (const std::size_t at = entriesBefore(request);
        at < m_entries.size() && m_entries[at].event == request)
        m_entries[at].reply = reply;
}

void LogModel::showUpToCursor()
{
    const std::size_t before = m_position;
    m_position = std::min(m_run->position(), m_indexed);
    setRowCount(shownBefore(m_position));
    // A request that was answered meanwhile now has its latency. Answers come soon: the last rows are enough.
    if (m_rows > 0 && m_position != before) {
        const int last = static_cast<int>(m_rows) - 1;
        emit dataChanged(index(std::max(0, last - 2000), Latency), index(last, Latency));
    }
}

void LogModel::setRowCount(std::size_t count)
{
    if (count > m_rows) {
        beginInsertRows({}, static_cast<int>(m_rows), static_cast<int>(count) - 1);
        m_rows = count;
        endInsertRows();
    } else if (count < m_rows) {
        beginRemoveRows({}, static_cast<int>(count), static_cast<int>(m_rows) - 1);
        m_rows = count;
        endRemoveRows();
    }
}

std::size_t LogModel::entriesBefore(std::size_t event) const
{
    return static_cast<std::size_t>(std::ranges::lower_bound(m_entries, event, {}, &Entry::event) -
                                    m_entries.begin());
}

std::size_t LogModel::shownBefore(std::size_t position) const
{
    return m_matches.filters() ? m_matches.firstFrom(position) : entriesBefore(position);
}

const LogModel::Entry& LogModel::entry(int row) const
{
    const auto at = static_cast<std::size_t>(row);
    return m_entries[m_matches.filters() ? entriesBefore(m_matches.found()[at]) : at];
}

EventIndex LogModel::eventAt(int row) const { return EventIndex{entry(row).event}; }

ClientId LogModel::client(int row) const { return m_run->store()->at(eventAt(row)).client; }

LogLine LogModel::line(int row) const
{
    return logLine(m_run->store()->at(eventAt(row)), m_run->state(), m_run->store());
}

std::optional<LogMatch> LogModel::matchAt(int row) const
{
    const EventIndex index = eventAt(row);
    return m_rules ? m_rules->match(index, m_run->store()->at(index), m_run->state()) : std::nullopt;
}

std::optional<Duration> LogModel::latency(int row) const
{
    const Entry& it = entry(row);
    if (it.reply == kNone || it.reply >= m_run->position())
        return std::nullopt;
    const trace::TraceStore& store = *m_run->store();
    return store.at(it.reply).at - store.at(it.event).at;
}

int LogModel::rowOf(EventIndex event) const
{
    if (!event.valid() || !m_run->store() || event.value >= m_indexed)
        return -1;
    const auto find = [this](std::uint32_t value) {
        const std::size_t at = shownBefore(value);
        return at < m_rows && entry(static_cast<int>(at)).event == value ? static_cast<int>(at) : -1;
    };
    const trace::Event& it = m_run->store()->at(event);
    const int row = find(event.value);
    return row < 0 && std::holds_alternative<trace::Reply>(it.what) && it.cause.valid() ? find(it.cause.value)
                                                                                        : row;
}

int LogModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows);
}

QVariant LogModel::cell(int row, int column, int role) const
{
    if (role == Qt::AccessibleTextRole && column == Arrow)
        return QString();
    if (role == Qt::ToolTipRole && column == Time)
        return format::toolTip(format::momentTip(m_run->store()->at(eventAt(row)).at, m_run->wallZero()));
    if (role == Qt::ToolTipRole)
        if (const auto coloured = matchAt(row))
            return format::toolTip(line(row).text + u'\n' + coloured->why);
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole)
        return {};
    switch (column) {
    case Number:
        return format::eventNumber(eventAt(row));
    case Lock: {
        const replay::LockRow* lock = m_run->state().lock(m_run->store()->at(eventAt(row)).lock);
        return lock ? lockLabel(m_run->state(), lock->id) : QString();
    }
    case Time: {
        const TraceTime at = m_run->store()->at(eventAt(row)).at;
        const auto zero = m_wallClock ? m_run->wallZero() : std::nullopt;
        return zero ? format::wallTime(at, *zero) : format::timestamp(at);
    }
    case Who:
        return line(row).who;
    case Arrow:
        return arrowText(line(row).arrow);
    case What:
        return line(row).text;
    case Latency: {
        const std::optional<Duration> took = latency(row);
        return took ? format::duration(*took) : QString();
    }
    default:
        return {};
    }
}

} // namespace lockscope::ui

#include "moc_log_model.cpp"
