#include "ui/locks/watch_dock.h"

#include "ui/locks/watch_panel.h"
#include "ui/models/style/command_table.h"
#include "ui/models/style/format.h"

#include <algorithm>

namespace lockscope::ui {

namespace {
constexpr int kShownWhere = 80;
}

WatchDock::WatchDock(const RunModel* model, Theme* theme, Selection* selection, QWidget* parent)
    : QDockWidget(parent)
    , m_model(model)
    , m_selection(selection)
    , m_panel(new WatchPanel(theme, this))
{
    setObjectName("watchDock");
    setProperty(kManualPage, QStringLiteral("watching"));
    setAllowedAreas(Qt::LeftDockWidgetArea | Qt::RightDockWidgetArea);
    setWidget(m_panel);
    hide();
    onRetranslate(this, [this] { setWindowTitle(tr("Watched Locks")); });
    connect(m_panel, &WatchPanel::locksChosen, this, &WatchDock::choose);
    connect(m_panel, &WatchPanel::stopRequested, this, &WatchDock::stop);
    connect(m_panel, &WatchPanel::nodeChosen, this, &WatchDock::chooseNode);
    connect(selection, &Selection::changed, this, [this] {
        if (!m_selection->node().isEmpty())
            m_panel->selectNode(m_selection->node());
    });
    connect(&m_job, &WatchJob::snapshotTaken, this, &WatchDock::show);
    connect(&m_job, &WatchJob::runReady, this, [this](const std::shared_ptr<const trace::TraceStore>& store) {
        const QString first = format::plain(
            m_locks.empty() ? m_target.paths.value(0).toStdString() : m_locks.front(), kShownWhere);
        const QString servers = format::plain(m_target.servers.toStdString(), kShownWhere);
        const auto others = m_locks.size() > 1 ? static_cast<quint64>(m_locks.size() - 1) : 0;
        emit runReady(store, [first, servers, others] {
            return others == 0 ? tr("%1 at %2").arg(first, servers)
                               : tr("%1 and %2 more at %3").arg(first, format::count(others), servers);
        });
    });
    connect(&m_job, &WatchJob::runEnded, this, &WatchDock::runEnded);
    connect(&m_job, &WatchJob::warned, this, &WatchDock::warned);
    connect(&m_job, &WatchJob::failed, this, [this](const Error& error) {
        m_panel->showEnded();
        emit failed(error);
    });
}

WatchDock::~WatchDock()
{
    m_job.disconnect(this);
    m_job.stop();
}

void WatchDock::chooseNode(const QString& node)
{
    m_chosen = true; // reads about this lock
    const std::string name = node.toStdString();
    for (const replay::LockRow& lock : m_model->state().locks)
        if (const replay::NodeRow* row = m_model->state().node(lock.id, name);
            row && m_selection->node() != node)
            return m_selection->select(
                {.kind = row->owner.valid() ? Selected::Kind::client : Selected::Kind::node,
                 .client = row->owner,
                 .node = node,
                 .lock = lock.id});
}

void WatchDock::watch(const WatchTarget& target)
{
    m_target = target;
    m_connected = m_chosen = false;
    m_chosenForUser.clear();
    m_locks.clear();
    const QString where = format::plain(target.paths.join(QStringLiteral(", ")).toStdString(), kShownWhere);
    const QString servers = format::plain(target.servers.toStdString(), kShownWhere);
    m_panel->begin([where, servers] { return tr("%1 at %2").arg(where, servers); },
                   target.paths.size() == 1 ? target.paths.front().toStdString() : std::string());
    QDockWidget::show();
    raise();
    emit opened();
    m_job.start(target);
}

void WatchDock::showWritten(bool on)
{
    m_showsWritten = on;
    m_panel->showWritten(on ? m_job.writtenNames() : nullptr);
}

void WatchDock::stop()
{
    m_job.stop();
    m_panel->showEnded();
}

void WatchDock::show(const field::SnapshotPtr& snapshot)
{
    if (m_showsWritten)
        return; // the panel does not change meanwhile
    m_panel->show(snapshot);
    const bool read = snapshot->watching == field::WatchState::everyChange ||
                      snapshot->watching == field::WatchState::byListing;
    if (!read)
        return;
    if (!std::exchange(m_connected, true)) {
        emit connected();
        if (snapshot->locks.empty())
            m_job.showRun({}); // shows the text of an empty view
    }
    chooseMostStuck(*snapshot);
}

// Until the user chooses a lock: the first one, and from then on the one with the most severe diagnosis,
// because diagnoses take some seconds. Of two with the same kind of diagnosis, the one that is shown stays.
void WatchDock::chooseMostStuck(const field::Snapshot& snapshot)
{
    if (m_chosen || snapshot.locks.empty())
        return;
    const field::LockStatus& front = snapshot.locks.front();
    const auto shown = std::ranges::find(snapshot.locks, m_chosenForUser, &field::LockStatus::path);
    if (shown != snapshot.locks.end() &&
        (!front.diagnosis || (shown->diagnosis && shown->diagnosis->kind <= front.diagnosis->kind)))
        return;
    m_chosenForUser = front.path;
    m_panel->selectLock(front.path);
}

void WatchDock::choose(const std::vector<std::string>& locks)
{
    m_chosen = m_chosen || locks.size() != 1 || locks.front() != m_chosenForUser;
    m_locks = locks;
    m_job.showRun(locks);
}

} // namespace lockscope::ui

#include "moc_watch_dock.cpp"
