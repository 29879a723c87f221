// The half of RunController that has to do with files.
#include "ui/shell/run/run_controller.h"

#include "ui/models/core_messages.h"
#include "ui/models/format.h"
#include "ui/models/run_model.h"
#include "ui/models/selection.h"

#include <QFileInfo>

#include <limits>
#include <utility>

namespace lockscope::ui {

namespace {

const QString kOpenKey = QStringLiteral("open");
const QString kSaveKey = QStringLiteral("save");

} // namespace

void RunController::connectJobs()
{
    connect(&m_jobs, &TraceJobs::loadProgress, this, &RunController::postOpening);
    connect(&m_jobs, &TraceJobs::loaded, this, &RunController::showTrace);
    connect(&m_jobs, &TraceJobs::loadFailed, this, [this](const QString&, const Error& error) {
        emit messageDismissed(kOpenKey);
        if (error.code != ErrorCode::cancelled) {
            postError(kOpenKey, error);
        }
        emit openFailed();
    });
    const auto saved = [this](const QString& path, quint64 events,
                              const std::shared_ptr<const trace::TraceStore>& store) {
        emit messagePosted({.key = kSaveKey, .kind = Message::Kind::info, .text = [events, path] {
                       return tr("Saved %1 events to %2.").arg(format::count(events), format::fileName(path));
                   }});
        m_onDisk = store;
        m_onDiskEvents = events;
        m_saving.reset();
        emit savedTrace(path, store);
    };
    connect(&m_jobs, &TraceJobs::saved, this, saved);
    connect(&m_jobs, &TraceJobs::saveFailed, this, [this](const QString&, const Error& error) {
        m_saving.reset();
        postError(kSaveKey, error);
    });
}

void RunController::openPath(const QString& path)
{
    const QString ending = QFileInfo(path).suffix().toLower();
    if (ending == QLatin1String("toml")) {
        openScenario(path);
    } else if (ending == QLatin1String("jsonl")) {
        postOpening(path, -1);
        m_jobs.load(path);
    } else {
        emit messagePosted(
            {.key = kOpenKey,
             .kind = Message::Kind::error,
             .text =
                 [path] {
                     return tr("%1 is neither a scenario (.toml) nor a trace (.jsonl).").arg(format::fileName(path));
                 },
             .hint = [] { return tr("LockScope tells them by the ending of the file name."); }});
        emit openFailed();
    }
}

void RunController::postOpening(const QString& path, int percent)
{
    emit messagePosted({.key = kOpenKey,
               .kind = Message::Kind::progress,
               .text = [path] { return tr("Opening %1…").arg(format::fileName(path)); },
               .actionText = [] { return tr("Cancel"); },
               .action = [this] { m_jobs.cancelLoad(); },
               .percent = percent,
               .persistent = true});
}

void RunController::openScenario(const QString& path)
{
    auto scenario = sim::loadScenario(path.toStdString());
    if (!scenario) {
        postError(kOpenKey, scenario.error());
        emit openFailed();
        return;
    }
    emit messageDismissed(kOpenKey);
    startScenario(*scenario, format::fileName(path), path);
    emit opened(path);
}

void RunController::showTrace(const QString& path, const trace::LoadedTrace& loaded)
{
    emit messageDismissed(kOpenKey);
    keepUnsavedRun();
    m_label = {[path] { return format::fileName(path); }};
    m_pace.reset();
    setScenarioOf(loaded.store->header());
    m_selection->clear();
    const lockscope::Message note = loaded.truncation;
    m_store = loaded.store;
    m_onDisk = m_store;
    m_onDiskEvents = m_store->count();
    m_model->openTrace(loaded.store, translateMessage(note, format::kMessageLength));
    if (!note.empty()) {
        emit messagePosted({.key = kOpenKey, .kind = Message::Kind::warning, .text = [note] { return translateMessage(note, format::kMessageLength); }});
    }
    emit changed();
    emit opened(path);
}

void RunController::showHistory(const std::shared_ptr<const trace::TraceStore>& store, const TextProvider& label, bool growing)
{
    emit messageDismissed(kOpenKey);
    keepUnsavedRun();
    m_label = {label};
    m_pace.reset();
    m_scenario.reset();
    m_path.clear();
    m_attached = false;
    m_selection->clear();
    m_store = store;
    m_onDisk = m_store; // as the log that it was read from
    m_onDiskEvents = std::numeric_limits<std::size_t>::max();
    m_model->openTrace(m_store, {});
    m_model->setGrowing(growing);
    emit changed();
}

// A trace says how to run it again: in full, or by the name of a built-in.
void RunController::setScenarioOf(const trace::Header& header)
{
    m_scenario.reset();
    m_path.clear();
    m_attached = false;
    auto scenario = header.scenarioToml.empty() ? sim::loadScenario(header.scenario)
                                                : sim::parseScenario(header.scenarioToml, header.scenario);
    if (scenario) {
        m_scenario = *scenario;
    }
}

void RunController::saveTrace(const QString& path)
{
    if (!m_store) {
        emit messagePosted({.key = kSaveKey, .kind = Message::Kind::warning, .text = [] {
                       return tr("There is no run to save yet.");
                   }});
        return;
    }
    m_saving = m_store;
    m_jobs.save(path, m_store);
}

void RunController::postError(const QString& key, const Error& error) { emit messagePosted(errorMessage(key, error)); }

} // namespace lockscope::ui
