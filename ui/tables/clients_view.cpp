#include "ui/tables/clients_view.h"

#include "ui/models/clients_model.h"
#include "ui/models/core_sentences.h"
#include "ui/models/format.h"
#include "ui/models/nothing_there.h"
#include "ui/models/selection.h"
#include "ui/models/spoken.h"
#include "ui/tables/client_delegate.h"
#include "ui/tables/drawing.h"
#include "ui/tables/row_sync.h"

#include <QContextMenuEvent>
#include <QPaintEvent>

#include <algorithm>

namespace lockscope::ui {

ClientsView::ClientsView(RunModel* run, Selection* selection, Look* look, QWidget* parent)
    : QListView(parent)
    , m_run(run)
    , m_look(look)
    , m_model(new ClientsModel(run, this))
    , m_byPlace(new QAction(this))
{
    spoken(this, [this] {
        setAccessibleName(tr("Clients"));
        m_byPlace->setText(tr("Clients by place in the &queue"));
        m_byPlace->setStatusTip(tr("Who holds comes first, then who is next. Otherwise as they were added."));
    });
    m_byPlace->setObjectName("clients.byPlace"); // the list of all commands finds it by this
    m_byPlace->setCheckable(true);
    connect(m_byPlace, &QAction::toggled, m_model, [this](bool on) {
        m_model->setOrder(on ? ClientsModel::Order::byPlace : ClientsModel::Order::asAdded);
        scrollToTop();
        updateCaption();
    });
    addAction(m_byPlace);
    setFrameShape(QFrame::NoFrame);
    drawing::makeOpaque(*this);
    setUniformItemSizes(true);
    setResizeMode(Adjust);                // rows depend on the room
    setVerticalScrollMode(ScrollPerItem); // no row is cut at the top
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setEditTriggers(NoEditTriggers);
    setItemDelegate(new ClientDelegate(m_model, look, this));
    new RowSync(this, m_model, selection,
                {[this, selection] { return m_model->rowOf(selection->client()); },
                 [this, selection](int row) {
                     const replay::ClientRow client = m_model->item(row).client;
                     showLockOf(client, selection);
                     selection->selectClient(
                         client.id,
                         QString::fromUtf8(client.node.data(), static_cast<qsizetype>(client.node.size())));
                 }});
    connect(run, &RunModel::runChanged, this, &ClientsView::updateCaption);
    connect(run, &RunModel::stateChanged, this, &ClientsView::updateCaption);
    connect(run, &RunModel::stateChanged, this, &ClientsView::executeDelayedItemsLayout); // in this frame
    connect(look, &Look::changed, this, &ClientsView::applyLook);
    applyLook();
    updateCaption();
}

// A right click has chosen its row already, as every press does.
void ClientsView::contextMenuEvent(QContextMenuEvent* event)
{
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    emit clientMenuAsked(byKey ? viewport()->mapToGlobal(visualRect(currentIndex()).center())
                               : event->globalPos());
}

// Of several locks, the one the client is at.
void ClientsView::showLockOf(const replay::ClientRow& client, Selection* selection)
{
    bool there = false;
    client.forEach([&](const replay::Engagement& one) { there = there || one.lock == selection->lock(); });
    if (!there && client.lock.valid())
        selection->selectLock(client.lock);
}

void ClientsView::applyLook()
{
    setPalette(m_look->widgetPalette());
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
        more += tr(" · %1 %2").arg(retold(format::plain(lock.valueName, 20)), format::plain(lock.value, 24));
        if (lock.valueFaults > 0)
            more += tr(" · wrong %n times", nullptr, static_cast<int>(lock.valueFaults));
    }
    QString caption;
    if (!clients.empty())
        caption = sessions == 1 ? tr("1 session") : tr("%1 sessions").arg(count);
    caption += more;
    if (m_byPlace->isChecked())
        caption = tr("by place · %1").arg(caption) + kShorter + caption;
    if (!more.isEmpty())
        caption += kShorter + count + more;
    if (caption == m_caption)
        return;
    m_caption = caption;
    emit captionChanged();
}

void ClientsView::paintEvent(QPaintEvent* event)
{
    drawing::ground(*this, event->region(), *m_look);
    QListView::paintEvent(event);
    drawing::fadeCutRows(*this, *m_look);
    if (m_model->rowCount() == 0) {
        const QString why = whyNothing(*m_run);
        drawing::emptyText(
            *this,
            why.isEmpty() ? tr("No client has joined at this moment: go to a later one, or add a client.")
                          : why,
            *m_look);
    }
}

} // namespace lockscope::ui
