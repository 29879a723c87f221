// A RunController's files: opening and saving, and which runs have one.
#include "ui/shell/run/run_controller.h"

#include "ui/models/run/run_model.h"
#include "ui/models/run/selection.h"
#include "ui/models/style/format.h"
#include "ui/texts/core_messages.h"

#include <QFileInfo>

#include <algorithm>
#include <limits>
#include <utility>

namespace lockscope::ui {

namespace {

const QString kSaveKey = QStringLiteral("save");

} // namespace

void RunController::connectJobs()
{
    connect(&m_jobs, &TraceJobs::loadProgress, this, &RunController::postOpening);
    connect(&m_jobs, &TraceJobs::loaded, this, &RunController::showTrace);
    connect(&m_jobs, &TraceJobs::followed, this, &RunController::showFollowed);
    connect(&m_jobs, &TraceJobs::followEnded, this, [this] {
        if (m_followed && m_followed == m_store)
            m_model->setGrowing(false);
        m_followed.reset();
    });
    connect(this, &RunController::changed, this, [this] {
        if (m_followed && m_followed != m_store) { // another run is shown
            m_followed.reset();
            m_jobs.stopFollowing();
        }
    });
    connect(&m_jobs, &TraceJobs::merged, this,
            [this](const QString& words, const trace::LoadedTrace& loaded) {
                showRead([words] { return words; }, loaded);
            });
    connect(&m_jobs, &TraceJobs::loadFailed, this, [this](const QString&, const Error& error) {
        emit messageDismissed(kOpenKey);
        if (error.code != ErrorCode::cancelled) {
            postError(kOpenKey, error);
        }
        emit openFailed();
    });
    const auto saved = [this](const QString& path, quint64 events,
                              const std::shared_ptr<const trace::TraceStore>& store) {
        emit messagePosted(
            {.key = kSaveKey, .kind = UserMessage::Kind::info, .text = [events, path] {
                 return tr("Saved %1 events to %2.").arg(format::count(events), format::fileName(path));
             }});
        setOnDisk(store, events);
        endSaving(store);
        emit savedTrace(path, store);
    };
    connect(&m_jobs, &TraceJobs::saved, this, saved);
    connect(
        &m_jobs, &TraceJobs::saveFailed, this,
        [this](const QString&, const Error& error, const std::shared_ptr<const trace::TraceStore>& store) {
            endSaving(store);
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
        if (TraceJobs::canFollow(path)) {
            m_jobs.follow(path);
        } else {
            m_jobs.load(path);
        }
    } else {
        emit messagePosted(
            {.key = kOpenKey,
             .kind = UserMessage::Kind::error,
             .text =
                 [path] {
                     return tr("%1 is neither a scenario (.toml) nor a trace (.jsonl).")
                         .arg(format::fileName(path));
                 },
             .hint = [] { return tr("LockScope recognizes them by the suffix of the file name."); }});
        emit openFailed();
    }
}

void RunController::openSeveral(const MergeInputs& inputs)
{
    postOpening(inputs.words(), -1);
    m_jobs.merge(inputs);
}

void RunController::postOpening(const QString& path, int percent)
{
    emit messagePosted({.key = kOpenKey,
                        .kind = UserMessage::Kind::progress,
                        .text = [path] { return tr("Opening %1…").arg(format::fileName(path)); },
                        //: a button: stops the opening of a file
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
    showRead([path] { return format::fileName(path); }, loaded);
    emit opened(path);
}

void RunController::showRead(const TextProvider& name, const trace::LoadedTrace& loaded)
{
    emit messageDismissed(kOpenKey);
    leaveWatch();
    keepUnsavedRun();
    setOnDisk(loaded.store, loaded.store->count());
    showRecorded(loaded.store, {name});
    if (const lockscope::Message& note = loaded.truncation; !note.empty()) {
        emit messagePosted({.key = kOpenKey, .kind = UserMessage::Kind::warning, .text = [note] {
                                return translateMessage(note, format::kMessageLength);
                            }});
    }
}

void RunController::showFollowed(const QString& path, const std::shared_ptr<const trace::TraceStore>& store)
{
    leaveWatch();
    const bool isFirst = !m_followed;
    m_followed = store;
    showGrowing(
        store, [path] { return format::fileName(path); }, true);
    if (isFirst) {
        emit opened(path);
    }
}

void RunController::showHistory(const std::shared_ptr<const trace::TraceStore>& store,
                                const TextProvider& label, bool growing)
{
    leaveWatch();
    showGrowing(store, label, growing);
}

void RunController::showGrowing(const std::shared_ptr<const trace::TraceStore>& store,
                                const TextProvider& label, bool growing)
{
    m_jobs.cancelLoad();
    emit messageDismissed(kOpenKey);
    keepUnsavedRun();
    m_label = {label};
    m_pace.reset();
    m_scenario.reset();
    m_programs.reset();
    m_path.clear();
    m_attached = false;
    m_selection->clear();
    m_store = store;
    setOnDisk(m_store,
              std::numeric_limits<std::size_t>::max()); // the log it was read from counts as its file
    m_model->openTrace(m_store);
    m_model->setGrowing(growing);
    emit changed();
}

// A trace contains its scenario, or the name of a built-in one, so that it can be run again.
void RunController::showRecorded(std::shared_ptr<const trace::TraceStore> store, Label label)
{
    m_label = std::move(label);
    m_pace.reset();
    m_path.clear();
    m_attached = false;
    m_scenario.reset();
    m_programs.reset();
    const trace::Header& header = store->header();
    auto scenario = header.scenarioToml.empty() ? sim::loadScenario(header.scenario)
                                                : sim::parseScenario(header.scenarioToml, header.scenario);
    if (scenario) {
        m_scenario = *scenario;
    }
    m_selection->clear();
    m_store = store;
    m_model->openTrace(std::move(store));
    emit changed();
}

void RunController::saveTrace(const QString& path)
{
    if (!m_store) {
        emit messagePosted({.key = kSaveKey, .kind = UserMessage::Kind::warning, .text = [] {
                                return tr("There is no run to save.");
                            }});
        return;
    }
    saveRun(path, m_store);
}

void RunController::saveRun(const QString& path, const std::shared_ptr<const trace::TraceStore>& store)
{
    m_saving = store;
    m_jobs.save(path, store);
}

const RunController::RunOnDisk* RunController::onDisk(const trace::TraceStore& store) const
{
    const auto found = std::find_if(m_onDisk.begin(), m_onDisk.end(),
                                    [&](const RunOnDisk& run) { return run.store.lock().get() == &store; });
    return found == m_onDisk.end() ? nullptr : &*found;
}

void RunController::setOnDisk(const std::shared_ptr<const trace::TraceStore>& store, std::size_t events)
{
    std::erase_if(m_onDisk, [&](const RunOnDisk& run) {
        const auto kept = run.store.lock();
        return !kept || kept == store;
    });
    m_onDisk.push_back({store, events});
}

void RunController::endSaving(const std::shared_ptr<const trace::TraceStore>& store)
{
    if (m_saving == store) { // otherwise another run is being saved by now
        m_saving.reset();
    }
}

} // namespace lockscope::ui
