#include "ui/locks/history_dock.h"

#include "ui/locks/history_panel.h"
#include "ui/models/style/command_table.h"
#include "ui/models/style/format.h"
#include "ui/widgets/ask_for_file.h"

#include <QFileDialog>
#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace lockscope::ui {

namespace {

constexpr int kMaxPathLength = 80;

QString titleOf(const QStringList& paths)
{
    const QString first = QFileInfo(paths.front()).absoluteFilePath();
    return format::plain(first.toStdString(), kMaxPathLength);
}

} // namespace

HistoryDock::HistoryDock(Theme* theme, QWidget* parent)
    : QDockWidget(parent)
    , m_panel(new HistoryPanel(theme, this))
{
    setObjectName("historyDock");
    setProperty(kManualPage, QStringLiteral("history"));
    setAllowedAreas(Qt::LeftDockWidgetArea | Qt::RightDockWidgetArea);
    setWidget(m_panel);
    hide();
    //: title of a panel: the locks in a server's transaction log
    onRetranslate(this, [this] { setWindowTitle(tr("History")); });
    connect(m_panel, &HistoryPanel::runWanted, this, &HistoryDock::readRun);
    connect(m_panel, &HistoryPanel::stopRequested, this, &HistoryDock::stop);
    connect(m_panel, &HistoryPanel::namesRequested, this, &HistoryDock::chooseNamesFile);
    connect(m_panel, &HistoryPanel::followChanged, this, &HistoryDock::setFollow);
    connect(&m_job, &HistoryJob::statusChanged, this, &HistoryDock::onStatus);
    connect(&m_job, &HistoryJob::factsChanged, m_panel, &HistoryPanel::showRunFacts);
    connect(&m_job, &HistoryJob::failed, this, [this](const Error& error) {
        stop();
        if (m_panel->wantedWidth() == 0) // nothing could be read: the message says why
            hide();
        emit failed(error);
    });
    connect(&m_job, &HistoryJob::runProgress, m_panel, &HistoryPanel::setRunProgress);
    connect(&m_job, &HistoryJob::runRead, this,
            [this](const std::shared_ptr<const trace::TraceStore>& store, bool growing, bool whole) {
                m_panel->setRunProgress(100);
                m_growing = growing;
                emit runReady(store, labelOf(m_locks), growing);
                emit shown();
                if (!whole)
                    emit warned([] {
                        return tr("There are too many locks or participants for one run; some are left out. "
                                  "Select fewer locks.");
                    });
            });
    connect(&m_job, &HistoryJob::runEnded, this, &HistoryDock::end);
}

HistoryDock::~HistoryDock() { m_job.stop(); }

TextProvider HistoryDock::labelOf(const std::vector<std::string>& locks) const
{
    const QString first = format::plain(locks.empty() ? std::string() : locks.front(), kMaxPathLength);
    const auto others = locks.empty() ? quint64{0} : static_cast<quint64>(locks.size() - 1);
    return [first, others] {
        return others == 0 ? tr("%1, from the transaction log").arg(first)
                           : tr("%1 and %2 more, from the transaction log").arg(first, format::count(others));
    };
}

void HistoryDock::chooseDirectory()
{
    askForFile({.title = tr("Open ZooKeeper Data Directory"),
                .folder = m_folder,
                .mode = FileQuestion::Mode::folder},
               window(),
               [this](const QString& path) {
                   m_folder = QFileInfo(path).path();
                   open({path});
               })
        ->setObjectName("historyDialog");
}

void HistoryDock::chooseNamesFile()
{
    askForFile(
        {.title = tr("Open Names of Participants"), .folder = m_folder, .mode = FileQuestion::Mode::open},
        window(), [this](const QString& path) { loadNames(path); })
        ->setObjectName("historyNamesDialog");
}

void HistoryDock::loadNames(const QString& file)
{
    auto names = history::ParticipantNames::load(file.toStdString());
    if (!names) {
        emit failed(names.error());
        return;
    }
    m_names = std::move(*names);
    if (!m_locks.empty())
        readRun(m_locks);
}

void HistoryDock::open(const QStringList& paths, const std::string& lock)
{
    if (paths.isEmpty())
        return;
    stop();
    m_wantedLock = lock;
    m_paths.clear();
    for (const QString& path : paths)
        m_paths.emplace_back(path.toStdString());
    m_locks.clear();
    m_panel->begin(titleOf(paths), m_follow);
    show();
    raise();
    emit opened();
    read();
}

void HistoryDock::onStatus(const HistoryStatusPtr& status)
{
    const bool first = m_panel->wantedWidth() == 0;
    m_panel->show(status);
    if (first && m_panel->wantedWidth() > 0)
        emit listed(m_panel->wantedWidth());
    if (m_follow && status->ended) { // the reader of the run notices the end itself
        m_follow = false;
        m_panel->showStopped();
    }
    if (status->hasMore)
        return;
    const std::optional<std::string> asked = std::exchange(m_wantedLock, std::nullopt);
    if (!asked)
        return;
    const std::string wanted =
        asked->size() > 1 && asked->ends_with('/') ? asked->substr(0, asked->size() - 1) : *asked;
    if (wanted.empty()) {
        emit shown();
        return;
    }
    const auto isWanted = [&wanted](const history::LockSummary& lock) {
        return history::isAtOrBelow(lock.path, wanted);
    };
    if (std::any_of(status->locks.begin(), status->locks.end(), isWanted)) {
        m_panel->selectLocks(wanted);
        readRun({wanted});
    } else {
        emit failed(Error{ErrorCode::badInput, message("This history has no lock at %1.", wanted), ""});
    }
}

void HistoryDock::read() { m_job.readLocks(m_paths, m_follow); }

void HistoryDock::readRun(const std::vector<std::string>& locks)
{
    m_locks = locks;
    m_panel->setRunProgress(0);
    m_job.readRun(m_paths, locks, m_names, m_follow);
}

void HistoryDock::setFollow(bool follow)
{
    m_follow = follow;
    if (!follow)
        return stop();
    read();
    if (!m_locks.empty())
        readRun(m_locks);
}

void HistoryDock::stop()
{
    m_job.stop();
    m_follow = false;
    m_panel->showStopped();
    end();
}

// Emits runEnded() only for a growing run of its own: by now, another growing run may be shown.
void HistoryDock::end()
{
    if (std::exchange(m_growing, false))
        emit runEnded();
}

} // namespace lockscope::ui

#include "moc_history_dock.cpp"
