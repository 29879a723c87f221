#include "ui/models/rows/clients_model.h"

#include "ui/models/style/format.h"
#include "ui/models/style/text_cache.h"
#include "ui/texts/core_messages.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>

namespace lockscope::ui {

namespace {

auto shownFields(const replay::ClientRow& c)
{
    return std::tie(c.id, c.name, c.colour, c.phase, c.session, c.sessionId, c.sessionDigits, c.depth,
                    c.acquired, c.failed, c.lock, c.node, c.watches, c.watchesList, c.isStale, c.staleSince,
                    c.frozen, c.process, c.link, c.heldAt, c.otherUses);
}

} // namespace

bool ClientItem::operator==(const ClientItem& other) const
{
    return shownFields(client) == shownFields(other.client) && place == other.place;
}

ClientsModel::ClientsModel(RunModel* run, QObject* parent)
    : RowsModel(parent)
    , m_run(run)
    , m_time(run, this)
{
    followRun(run);
    connect(&m_time, &ShownTime::moved, this, &ClientsModel::tickTimes);
    refresh();
}

void ClientsModel::refresh()
{
    const replay::RunState& state = m_run->state();
    std::vector<std::optional<QueuePlace>> places(state.clients.size());
    for (const replay::LockRow& lock : state.locks) {
        const std::size_t holders = holdersInFront(lock);
        for (std::size_t i = 0; i < lock.queue.size(); ++i) {
            const replay::ClientRow* owner = state.client(lock.queue[i].owner);
            // Another lock may have a node of the same name.
            if (owner && owner->lock == lock.id && owner->node == lock.queue[i].name)
                places[owner->id.value] = QueuePlace{i, i > 0 && i == holders};
        }
    }
    std::vector<ClientItem> next = spareRows();
    next.reserve(state.clients.size());
    for (std::size_t i = 0; i < state.clients.size(); ++i) {
        if (state.clients[i].phase != replay::ClientPhase::removed)
            next.push_back({state.clients[i], places[i]});
    }
    if (m_order == Order::byPlace) {
        std::stable_sort(next.begin(), next.end(), [](const ClientItem& a, const ClientItem& b) {
            return a.place && (!b.place || a.place->ahead < b.place->ahead);
        });
    }
    m_names.update(state);
    assignRows(std::move(next));
}

void ClientsModel::setOrder(Order order)
{
    if (m_order != order) {
        m_order = order;
        resetRows(); // nearly all rows move
        refresh();
    }
}

void ClientsModel::tickTimes()
{
    for (int row = 0; row < rowCount(); ++row) {
        if (hasRunningTime(item(row).client))
            notifyRowsChanged(row, row);
    }
}

QString ClientsModel::name(int row) const { return format::plain(item(row).client.name, 40); }

QString ClientsModel::shownName(int row) const { return m_names.variantsOf(name(row)); }

TonedText ClientsModel::status(int row) const { return clientStatus(item(row).client, item(row).place); }

TonedText ClientsModel::detail(int row) const
{
    const replay::ClientRow& client = item(row).client;
    if (isWaitingWithoutNode(client, item(row).place.has_value()))
        return {tr("the server deleted its node"), Tone::stale};
    std::optional<TraceTime> quietSince;
    if (hasRunningTime(client)) {
        const replay::Span span =
            m_run->timeline().spanAt(client.id, m_time.now(), replay::LaneRow::overlays);
        if (span.kind == replay::SpanKind::frozen || span.kind == replay::SpanKind::suspended)
            quietSince = span.begin;
    }
    const TonedText usual = clientDetail(client, m_time.now(), quietSince);
    if (hasRunningTime(client))
        return usual; // what blocks the client comes first
    QStringList special;
    if (client.heldAt)
        special << stoppedAtText(*client.heldAt);
    if (const QString several = lockUseText(m_run->state(), client); !several.isEmpty())
        special << several;
    if (!client.link.whole())
        special << tr("connection: %1").arg(linkFaultText(client.link));
    if (special.isEmpty())
        return usual;
    return {special.join(QStringLiteral(" · ")), client.link.whole() ? Tone::muted : Tone::stale};
}

QString ClientsModel::brief(int row) const
{
    const replay::ClientRow& client = item(row).client;
    if (const QString several = lockUseText(m_run->state(), client); !several.isEmpty())
        return several;
    if (!client.heldAt) { // "waits · 2 ahead", and only the last part where there is no room
        const QString text = status(row).text;
        return text + kVariantSeparator + text.section(QStringLiteral(" · "), -1);
    }
    const QString stopped = stoppedAtText(*client.heldAt);
    return tr("%1 · %2").arg(status(row).text, stopped) + kVariantSeparator + stopped;
}

int ClientsModel::rowOf(ClientId client) const
{
    return rowThat([client](const ClientItem& item) { return item.client.id == client; });
}

QVariant ClientsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const int row = index.row();
    if (role == Qt::DisplayRole)
        return name(row);
    if (role == Qt::AccessibleTextRole)
        return tr("%1, %2, %3").arg(name(row), status(row).text, detail(row).text);
    return {};
}

} // namespace lockscope::ui

#include "moc_clients_model.cpp"
