#include "ui/models/rows/handoffs_model.h"

#include "ui/models/style/format.h"
#include "ui/texts/client_status.h"
#include "ui/texts/handoff_text.h"

#include <algorithm>
#include <chrono>

namespace lockscope::ui {

namespace {

using replay::SpanKind;

constexpr std::size_t kAtOnce = 4000; // rows
constexpr std::chrono::milliseconds kRefresh{500};
constexpr int kHandoffNameLength = 60;
constexpr Duration kUnknownTime{-1};
constexpr std::array<TableColumn, HandoffsModel::ColumnCount> kHandoffsColumns{
    {{QT_TRANSLATE_NOOP("lockscope::ui::HandoffsModel", "#"), "", true},
     //: table head: the time of the run
     {QT_TRANSLATE_NOOP("lockscope::ui::HandoffsModel", "Time"),
      QT_TRANSLATE_NOOP("lockscope::ui::HandoffsModel", "When the next client had the lock."), true},
     //: table head, a noun: the path of the lock
     {QT_TRANSLATE_NOOP("lockscope::ui::HandoffsModel", "Lock")},
     //: table head: the client that released the lock
     {QT_TRANSLATE_NOOP("lockscope::ui::HandoffsModel", "From")},
     //: table head: the client that got the lock
     {QT_TRANSLATE_NOOP("lockscope::ui::HandoffsModel", "To")},
     {QT_TRANSLATE_NOOP("lockscope::ui::HandoffsModel", "Handoff"),
      QT_TRANSLATE_NOOP("lockscope::ui::HandoffsModel", "From the release to the next hold."), true},
     //: table head: the first part of a handoff
     {QT_TRANSLATE_NOOP("lockscope::ui::HandoffsModel", "Delete"),
      QT_TRANSLATE_NOOP("lockscope::ui::HandoffsModel", "From the release until the node was deleted."),
      true},
     //: table head: the second part of a handoff
     {QT_TRANSLATE_NOOP("lockscope::ui::HandoffsModel", "Wake"),
      QT_TRANSLATE_NOOP("lockscope::ui::HandoffsModel", "Until the watch of the next client fired."), true},
     //: table head: the last part of a handoff
     {QT_TRANSLATE_NOOP("lockscope::ui::HandoffsModel", "List"),
      QT_TRANSLATE_NOOP("lockscope::ui::HandoffsModel",
                        "Until the next client had listed the queue, and held."),
      true},
     //: table head: how long the next client had waited
     {QT_TRANSLATE_NOOP("lockscope::ui::HandoffsModel", "Waited"),
      QT_TRANSLATE_NOOP("lockscope::ui::HandoffsModel", "How long the next client had waited."), true},
     //: table head: how long the former client had held
     {QT_TRANSLATE_NOOP("lockscope::ui::HandoffsModel", "Held"),
      QT_TRANSLATE_NOOP("lockscope::ui::HandoffsModel", "How long the former holder had held."), true}}};

} // namespace

HandoffsModel::HandoffsModel(RunModel* run, QObject* parent)
    : ColumnsModel(kHandoffsColumns, parent)
    , m_run(run)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &HandoffsModel::learn);
    connect(run, &RunModel::runChanged, this, [this] {
        beginResetModel();
        m_rows.clear();
        endResetModel();
        setShown(m_shown);
    });
    connect(run, &RunModel::timelineGrew, this, [this] {
        if (m_shown && !m_timer.isActive())
            m_timer.start(kRefresh);
    });
}

void HandoffsModel::setShown(bool shown)
{
    m_shown = shown;
    if (shown)
        m_timer.start(0);
}

// Reads what is new in the timeline.
void HandoffsModel::learn()
{
    const std::size_t first = m_rows.size(), all = m_run->timeline().handoffCount();
    const std::size_t end = std::min(all, first + kAtOnce);
    if (!m_shown || first == end)
        return;
    beginInsertRows({}, static_cast<int>(first), static_cast<int>(end) - 1);
    while (m_rows.size() < end)
        m_rows.push_back(timesOf(m_run->timeline().handoff(m_rows.size())));
    endInsertRows();
    if (end < all)
        m_timer.start(0);
}

HandoffsModel::Times HandoffsModel::timesOf(const replay::Handoff& handoff) const
{
    using replay::LaneRow;
    const replay::Timeline& timeline = m_run->timeline();
    const auto length = [&](ClientId client, TraceTime end, SpanKind kind, LaneRow row) {
        const replay::Span span = timeline.spanAt(client, end - Duration(1), row);
        return span.kind == kind ? timeline.running(span.begin, end) : kUnknownTime;
    };
    const auto steps = handoffSteps(handoff);
    const auto part = [&steps](std::size_t from, std::size_t to) {
        Duration whole = kUnknownTime;
        for (std::size_t i = from; i < to; ++i)
            if (steps[i].event.valid())
                whole = std::max(whole, Duration::zero()) + steps[i].length;
        return whole;
    };
    return {handoff.latency(),
            part(0, 2),
            part(2, 3),
            part(3, 6),
            std::max(length(handoff.to, handoff.acquired, SpanKind::waiting, LaneRow::spans),
                     length(handoff.to, handoff.acquired, SpanKind::waiting, LaneRow::waitsDuringHold)),
            length(handoff.from, handoff.released, SpanKind::holding, LaneRow::spans)};
}

QString HandoffsModel::name(ClientId client) const
{
    const replay::ClientRow* row = m_run->state().client(client);
    return row ? format::plain(row->name, kHandoffNameLength) : QStringLiteral("–");
}

QString HandoffsModel::text(int row, int column) const
{
    const replay::Handoff& one = handoff(row);
    switch (column) {
    case Number:
        return format::count(static_cast<quint64>(row) + 1);
    case At:
        return format::timestamp(one.acquired);
    case Lock:
        return lockLabel(m_run->state(), one.lock);
    case From:
        return name(one.from);
    case To:
        return name(one.to);
    default:
        break;
    }
    const Duration time = timeOf(row, column);
    return time == kUnknownTime ? QStringLiteral("–") : format::duration(time);
}

QVariant HandoffsModel::cell(int row, int column, int role) const
{
    if (role == Qt::DisplayRole)
        return text(row, column);
    if (role == FilterRole)
        return QStringList{text(row, Lock), text(row, From), text(row, To)}.join(u'\n');
    if (role != SortRole)
        return {};
    const replay::Handoff& one = handoff(row);
    return static_cast<qlonglong>(column >= Latency ? timeOf(row, column).count()
                                  : column == Lock  ? one.lock.value
                                  : column == From  ? one.from.value
                                  : column == To    ? one.to.value
                                                    : row);
}

} // namespace lockscope::ui

#include "moc_handoffs_model.cpp"
