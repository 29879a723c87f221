#include "ui/tables/clients_view.h"

#include "ui/models/rows/clients_model.h"
#include "ui/models/run/selection.h"
#include "ui/models/style/command_table.h"
#include "ui/models/style/format.h"
#include "ui/models/style/retranslate.h"
#include "ui/tables/client_delegate.h"
#include "ui/tables/drawing.h"
#include "ui/tables/row_sync.h"
#include "ui/texts/core_messages.h"
#include "ui/texts/empty_state.h"

#include <QContextMenuEvent>
#include <QPaintEvent>

#include <algorithm>
#include <utility>

namespace lockscope::ui {

namespace {
const Setting<bool> kClientsByPlace{"clientsByPlace"};
} // namespace

ClientsView::ClientsView(RunModel* run, Selection* selection, Theme* theme, QWidget* parent)
    : QListView(parent)
    , m_run(run)
    , m_theme(theme)
    , m_model(new ClientsModel(run, this))
    , m_byPlace(makeCommand("clients.byPlace", this))
{
    onRetranslate(this, [this] {
        //: name of a card for screen readers: the list of the clients
        setAccessibleName(tr("Clients"));
    });
    connect(m_byPlace, &QAction::toggled, m_model, [this](bool on) {
        m_model->setOrder(on ? ClientsModel::Order::byPlace : ClientsModel::Order::asAdded);
        scrollToTop();
        updateCaption();
    });
    addAction(m_byPlace);
    setFrameShape(QFrame::NoFrame);
    drawing::makeOpaque(*this);
    setUniformItemSizes(true);
    setResizeMode(Adjust);                // row heights depend on the viewport
    setVerticalScrollMode(ScrollPerItem); // no row is cut at the top
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setEditTriggers(NoEditTriggers);
    setItemDelegate(new ClientDelegate(m_model, theme, this));
    new RowSync(this, m_model, selection,
                {[this, selection] { return m_model->rowOf(selection->client()); },
                 [this, selection](int row) {
                     const replay::ClientRow client = m_model->item(row).client;
                     showLockOf(client, selection);
                     selection->selectClient(client.id, QString::fromUtf8(client.node));
                 }});
    connect(run, &RunModel::runChanged, this, &ClientsView::updateCaption);
    connect(run, &RunModel::stateChanged, this, &ClientsView::updateCaption);
    connect(run, &RunModel::stateChanged, this, &ClientsView::executeDelayedItemsLayout); // in this frame
    theme->onChange(this, [this] { applyTheme(); });
    applyTheme();
    updateCaption();
}

// A right click has already selected its row, as every mouse press does.
void ClientsView::contextMenuEvent(QContextMenuEvent* event)
{
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    emit clientMenuRequested(byKey ? viewport()->mapToGlobal(visualRect(currentIndex()).center())
                                   : event->globalPos());
}

// Selects the lock that the client is at, unless the client uses the selected lock.
void ClientsView::showLockOf(const replay::ClientRow& client, Selection* selection)
{
    bool there = false;
    client.forEach([&](const replay::LockUse& one) { there = there || one.lock == selection->lock(); });
    if (!there && client.lock.valid())
        selection->selectLock(client.lock);
}

void ClientsView::applyTheme()
{
    setPalette(m_theme->widgetPalette());
    scheduleDelayedItemsLayout();
    viewport()->update();
}

void ClientsView::updateCaption()
{
    const auto& clients = m_run->state().clients;
    const auto sessions = std::count_if(clients.begin(), clients.end(), [](const replay::ClientRow& client) {
        return client.session == trace::SessionPhase::connected ||
               client.session == trace::SessionPhase::suspended;
    });
    const auto ended = std::count_if(clients.begin(), clients.end(), [](const replay::ClientRow& client) {
        return client.phase == replay::ClientPhase::finished || client.phase == replay::ClientPhase::removed;
    });
    const QString count = format::count(static_cast<quint64>(sessions));
    QString more = ended > 0 ? tr(" · %1 ended").arg(format::count(static_cast<quint64>(ended))) : QString();
    for (const replay::LockRow& lock : m_run->state().locks) {
        if (lock.valueName.empty())
            continue;
        more += tr(" · %1 %2").arg(translateCoreText(lock.valueName, 20), format::plain(lock.value, 24));
        if (lock.valueFaults > 0)
            more += tr(" · wrong %Ln times", nullptr, static_cast<int>(lock.valueFaults));
    }
    QString caption;
    if (!clients.empty())
        caption = tr("%Ln sessions", nullptr, static_cast<int>(sessions));
    caption += more;
    if (m_byPlace->isChecked())
        caption = tr("by place · %1").arg(caption) + kVariantSeparator + caption;
    if (!more.isEmpty())
        caption += kVariantSeparator + count + more;
    setCaption(caption);
}

void ClientsView::restore(const Settings& settings) { m_byPlace->setChecked(settings.get(kClientsByPlace)); }

void ClientsView::save(Settings settings) const { settings.set(kClientsByPlace, m_byPlace->isChecked()); }

void ClientsView::paintEvent(QPaintEvent* event)
{
    drawing::drawBackground(*this, event->region(), *m_theme);
    QListView::paintEvent(event);
    drawing::fadeCutRows(*this, *m_theme);
    if (m_model->rowCount() == 0) {
        const QString why = emptyStateText(*m_run);
        drawing::drawEmptyText(
            *this,
            !why.isEmpty()                    ? why
            : !m_run->state().clients.empty() ? tr("All clients have left.")
            : m_run->isLive() ? tr("No client has joined at this time. Go to a later time, or add a client.")
                              : tr("No client has joined at this time. Go to a later time."),
            *m_theme);
    }
}

} // namespace lockscope::ui

#include "moc_clients_view.cpp"
