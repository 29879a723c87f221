#include "ui/shell/run/run_controller.h"

#include "ui/models/run/atomic_file.h"
#include "ui/models/run/run_model.h"
#include "ui/models/run/selection.h"
#include "ui/models/style/format.h"
#include "ui/shell/export/write_error.h"
#include "ui/texts/core_messages.h"
#include "ui/welcome/scenario_entry.h"

#include <QDateTime>
#include <QFileInfo>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace lockscope::ui {

namespace {

const QString kFoldKey = QStringLiteral("fold");
// Four or five handoffs a second, which the user can follow.
constexpr sim::Range kDefaultHold{std::chrono::milliseconds(100), std::chrono::milliseconds(300)};
constexpr Duration kMaxDuration = std::chrono::hours(1); // a window left open must not fill the memory

const QString kOpenKey = QStringLiteral("open");
const QString kSaveKey = QStringLiteral("save");

constexpr int kRunTitle = 60;
constexpr std::size_t kMaxEarlierRuns = 8; // a kept run keeps its memory
constexpr std::size_t kMaxEarlierEvents = 4'000'000;
const QString kStepsKey = QStringLiteral("steps");

// A run that failed before it had a client has nothing to show.
bool hasClients(const trace::TraceStore& store)
{
    for (std::size_t i = 0; i < store.count(); ++i) {
        if (std::holds_alternative<trace::ClientAdded>(store.at(i).what)) {
            return true;
        }
    }
    return false;
}

bool isSame(const AttachTarget& one, const AttachTarget& other)
{
    return !one.servers.isEmpty() && one.servers == other.servers && one.path == other.path;
}

void runUntilStopped(sim::Scenario& scenario)
{
    sim::forEachWork(scenario, [](sim::Work& work) { work.cycles = 0; });
    scenario.duration = kMaxDuration;
}

} // namespace

RunController::RunController(RunModel* model, Selection* selection, Setup setup, QObject* parent)
    : QObject(parent)
    , m_model(model)
    , m_selection(selection)
    , m_setup(std::move(setup))
{
    connect(model, &RunModel::phaseChanged, this, &RunController::changed);
    connect(model, &RunModel::runChanged, this, &RunController::changed);
    connect(model, &RunModel::phaseChanged, this, &RunController::checkForeignPrograms);
    connect(model, &RunModel::stateChanged, this, [this] {
        if (!m_model->following())
            return; // an earlier state does not show which clients have left by now
        const auto left = [this](ClientId client) {
            const replay::ClientRow* row = m_model->state().client(client);
            return row && !isActiveClient(*row);
        };
        std::erase_if(m_removing, left); // a client that rejoins can be asked again
    });
    // A long trace is read and then evaluated: this is the second half of opening it.
    connect(model, &RunModel::progress, this, [this](double share) {
        if (share < 1) {
            emit messagePosted({.key = kFoldKey,
                                .kind = UserMessage::Kind::progress,
                                .text = [this] { return tr("Evaluating %1…").arg(m_label.words()); },
                                .percent = static_cast<int>(share * 100),
                                .persistent = true});
        } else {
            emit messageDismissed(kFoldKey);
        }
    });
    connect(model, &RunModel::runChanged, this, [this] { emit messageDismissed(kFoldKey); });
    connectJobs();
}

RunController::Stage RunController::stage() const
{
    switch (m_watch) {
    case Watch::none:
        break;
    case Watch::starting:
        return Stage::starting;
    case Watch::running:
        return Stage::watching;
    case Watch::ended:
    case Watch::failed:
        return Stage::ended;
    }
    engine::Engine* engine = m_model->engine();
    if (!engine) {
        return m_model->hasRun() ? Stage::trace : Stage::nothing;
    }
    switch (engine->phase()) {
    case engine::Phase::idle:
    case engine::Phase::starting:
        return Stage::starting;
    case engine::Phase::running:
        return Stage::running;
    case engine::Phase::paused:
        return Stage::paused;
    case engine::Phase::finished:
    case engine::Phase::failed:
        return Stage::ended;
    }
    return Stage::ended;
}

bool RunController::failed() const
{
    const engine::Engine* engine = m_model->engine();
    return m_watch == Watch::failed || (engine && engine->phase() == engine::Phase::failed);
}

bool RunController::canRun() const { return m_scenario.has_value() || m_watch != Watch::none; }

QString RunController::scenarioName() const
{
    return m_scenario ? QString::fromStdString(m_scenario->name) : QString();
}

QString RunController::sourceLabel() const { return m_label.words(); }

QString RunController::Label::words() const
{
    const QString run = name ? name() : QString();
    return fork ? tr("Fork of %1").arg(run) : run;
}

CommandContext RunController::commandContext() const
{
    if (!m_model->hasRun()) {
        return {};
    }
    return {&m_model->state(),
            m_model->isLive(),
            m_model->following(),
            m_selection->client(),
            m_links,
            !usesExternalServer(),
            refusal(),
            m_selection->lock(),
            m_selection->node(),
            m_scenario ? &*m_scenario : nullptr};
}

bool RunController::isWatchOnly() const { return m_watch == Watch::starting || m_watch == Watch::running; }

DisabledReason RunController::refusal() const
{
    const Stage now = stage();
    if (isWatchOnly())
        return watchOnlyReason();
    return judges() && (now == Stage::starting || now == Stage::running) ? judgedReason() : DisabledReason();
}

void RunController::setWatch(Watch watch)
{
    m_model->setConnecting(watch == Watch::starting);
    if (std::exchange(m_watch, watch) != watch)
        emit changed();
}

void RunController::leaveWatch()
{
    if (m_watch == Watch::none)
        return;
    m_watch = Watch::none;
    m_model->setConnecting(false);
    emit watchStopRequested();
    emit watchLeft();
}

void RunController::setWatchConnected()
{
    if (m_watch == Watch::starting)
        setWatch(Watch::running);
}

void RunController::setWatchEnded(bool failed)
{
    m_model->setGrowing(false);
    if (isWatchOnly()) // a target that never answered counts as failed, and is not remembered
        setWatch(failed || m_watch == Watch::starting ? Watch::failed : Watch::ended);
}

void RunController::showWatched(const std::shared_ptr<const trace::TraceStore>& store,
                                const TextProvider& label)
{
    if (m_watch == Watch::none)
        return;
    showGrowing(store, label, true);
}

QString RunController::suggestedName() const
{
    const QString name = QFileInfo(scenarioName()).completeBaseName();
    const QString scenario = name.isEmpty() ? QStringLiteral("lockscope") : name;
    const std::int64_t began = m_store ? m_store->header().wallNanoseconds / 1'000'000 : 0;
    return began == 0
               ? scenario
               : scenario +
                     QDateTime::fromMSecsSinceEpoch(began).toString(QStringLiteral("-yyyy-MM-dd-HHmm"));
}

bool RunController::usesExternalServer() const
{
    return (!m_attached && !m_setup.connect.empty()) || (m_scenario && !m_scenario->connect.empty());
}

void RunController::startBuiltIn(const QString& name, bool stepped)
{
    auto scenario = sim::loadScenario(name.toStdString());
    if (!scenario) {
        postError(QStringLiteral("open"), scenario.error());
        emit changed();
        return;
    }
    if (scenario->name == kDefaultScenario) {
        runUntilStopped(*scenario);
        sim::forEachWork(*scenario, [](sim::Work& work) { work.hold = kDefaultHold; });
    }
    scenario->stepping = scenario->stepping || stepped;
    startScenario(*scenario, {});
}

// Does what starting the program with --connect and --lock does.
void RunController::attach(const AttachTarget& place)
{
    if (place.clients == 0) {
        m_jobs.cancelLoad(); // the latest request wins
        leaveWatch();
        keepUnsavedRun();
        m_scenario.reset();
        m_programs.reset();
        m_label = {[place] { return place.words(); }};
        m_path.clear();
        m_selection->clear();
        m_store.reset();
        m_model->openTrace(nullptr);
        m_watchTarget = place;
        setWatch(Watch::starting);
        emit watchRequested(place);
        return;
    }
    auto scenario = sim::loadScenario(kDefaultScenario);
    if (!scenario) {
        return postError(QStringLiteral("open"), scenario.error());
    }
    runUntilStopped(*scenario);
    sim::setClientCount(*scenario, static_cast<std::uint32_t>(place.clients));
    scenario->name = "attached";
    scenario->title = place.words().toStdString();
    scenario->text.clear();
    scenario->titleZh.clear();
    scenario->textZh.clear();
    scenario->source.clear();
    scenario->connect = place.servers.toStdString();
    const Result<tls::ContextPtr> trust =
        place.secured() ? tls::load(place.tls) : Result<tls::ContextPtr>(tls::ContextPtr());
    if (!trust) {
        postError(kOpenKey, trust.error());
        emit openFailed();
        return;
    }
    m_tls = place.tls;
    m_trust = *trust;
    scenario->locks = {place.path.toStdString()};
    setScenario(*scenario, {[place] { return place.words(); }});
    m_attached = true;
    start();
}

void RunController::startScenario(const sim::Scenario& scenario, const QString& label, const QString& path)
{
    // The scenario of a file has a title that says more than the file's name.
    setScenario(scenario, {[label, scenario, titled = !path.isEmpty()] {
                    const QString title =
                        titled ? format::plain(titleOf(scenario).toStdString(), kRunTitle) : QString();
                    return title.isEmpty() ? label : title;
                }});
    m_path = path;
    start();
}

void RunController::startJudged(const engine::Programs& programs, const sim::Scenario& scenario,
                                const QString& label)
{
    setScenario(scenario, {[name = format::plain(label.toStdString(), kRunTitle)] { return name; }});
    m_programs = programs;
    m_attached = true; // on a private server
    start();
}

void RunController::startLesson(const sim::Scenario& scenario, const TextProvider& label)
{
    setScenario(scenario, {label});
    m_attached = true; // a lesson names no server, so it gets a private one
    m_setup.startPaused = true;
    start();
    m_ofLesson = m_store;
}

void RunController::showLesson(std::shared_ptr<const trace::TraceStore> store, const TextProvider& label)
{
    if (store == m_store) {
        return;
    }
    m_jobs.cancelLoad();
    keepUnsavedRun();
    leaveWatch();
    m_ofLesson = store;
    showRecorded(std::move(store), {label});
}

void RunController::showPuzzle(const std::shared_ptr<const trace::TraceStore>& store,
                               const TextProvider& label)
{
    leaveWatch();
    showGrowing(store, label, true);
    m_ofLesson = store;
}

void RunController::setScenario(const sim::Scenario& scenario, Label label)
{
    keepUnsavedRun(); // before its name changes
    m_scenario = scenario;
    m_programs.reset();
    m_label = std::move(label);
    m_path.clear();
    m_pace.reset();
    m_attached = false;
}

void RunController::start()
{
    engine::Options options;
    options.scenario = *m_scenario;
    if (!m_attached && !m_setup.lockPath.empty()) {
        options.scenario.locks.front() = m_setup.lockPath;
    }
    if (m_pace) {
        options.scenario.pace = *m_pace;
    }
    options.connect = m_attached ? std::string() : m_setup.connect; // empty: the scenario's own
    if (m_attached && !m_scenario->connect.empty())
        options.tls = m_trust;
    AttachTarget place = attachTargetOf(*m_scenario, m_attached);
    options.joinForeign = (m_setup.joinForeign && !m_attached) || isSame(place, m_sharedTarget);
    options.startPaused = std::exchange(m_setup.startPaused, false);
    // A fault that is later injected into a connection needs a link from the start.
    m_links = linkSupportFor(options.scenario, usesExternalServer());
    options.links = m_links == LinkSupport::available;
    if (sim::onlyWatches(options.scenario)) {
        return attach(place);
    }
    leaveWatch();
    m_jobs.cancelLoad();
    if (place.clients > 0) {
        m_joinedTarget = std::move(place);
    }
    options.watches = m_pollsWatches;
    options.attended = m_setup.attended;
    options.programs = m_programs;
    m_selection->clear();
    m_removing.clear();
    m_model->startLive(std::move(options));
    m_store = m_model->engine()->trace();
    emit changed();
}

void RunController::runOrPause()
{
    switch (stage()) {
    case Stage::running:
        post(engine::Execute{sim::Action::Kind::pause});
        break;
    case Stage::watching:
        emit watchStopRequested();
        break;
    case Stage::paused:
        post(engine::Execute{sim::Action::Kind::resume});
        break;
    case Stage::starting:
        break;
    case Stage::nothing:
    case Stage::ended:
    case Stage::trace:
        runAgain();
        break;
    }
}

void RunController::runAgain()
{
    if (m_watch != Watch::none) {
        attach(m_watchTarget);
    } else if (canRun()) {
        withJoinConfirmed(*m_scenario, [this] {
            keepUnsavedRun();
            start();
        });
    }
}

void RunController::endRun()
{
    if (isWatchOnly()) {
        setWatchEnded(false);
        emit watchStopRequested();
    }
    m_model->endRun();
}

AttachTarget RunController::attachTargetOf(const sim::Scenario& scenario, bool attached) const
{
    const std::string& connect = !attached && !m_setup.connect.empty() ? m_setup.connect : scenario.connect;
    if (connect.empty()) {
        return {};
    }
    QStringList paths;
    for (const std::string& path : scenario.locks) {
        paths << QString::fromStdString(path);
    }
    if (!attached && !m_setup.lockPath.empty()) {
        paths.front() = QString::fromStdString(m_setup.lockPath);
    }
    return {QString::fromStdString(connect), paths.join(QStringLiteral(", ")),
            static_cast<int>(sim::participants(scenario).size()), attached ? m_tls : tls::Options()};
}

void RunController::withJoinConfirmed(const sim::Scenario& scenario, const std::function<void()>& start)
{
    const AttachTarget place = attachTargetOf(scenario, m_attached);
    if (place.clients == 0 || isSame(place, m_joinedTarget)) {
        return start();
    }
    // The question does not block: if another run is shown when the user answers, the answer no longer
    // applies.
    emit joinConfirmationRequested(place, [this, start, asked = m_store] {
        if (asked == m_store) {
            start();
        } else {
            postError(kStepsKey, {ErrorCode::cancelled, message("Another run is shown."), {}});
        }
    });
}

void RunController::checkForeignPrograms()
{
    const engine::Engine* engine = m_model->engine();
    // The engine of the run before is there until the next one has started.
    if (!engine || !m_scenario || engine->phase() != engine::Phase::failed || engine->trace() != m_store ||
        m_askedAbout.lock() == m_store) {
        return;
    }
    const std::optional<Error> failure = engine->failure();
    if (!failure || failure->code != ErrorCode::busy) {
        return;
    }
    m_askedAbout = m_store;
    const AttachTarget place = attachTargetOf(*m_scenario, m_attached);
    emit foreignProgramsFound(place, *failure, [this, place, asked = m_store] {
        if (asked == m_store) {
            m_sharedTarget = place;
            start();
        } else {
            postError(kStepsKey, {ErrorCode::cancelled, message("Another run is shown."), {}});
        }
    });
}

void RunController::injectFault(Fault what) { injectFaultInto(m_selection->client(), what, {}); }

void RunController::injectFaultInto(ClientId client, Fault what, const std::vector<int>& values)
{
    CommandContext now = commandContext();
    now.selected = client;
    if (what == Fault::removeClient && commandState(what, now).isEnabled()) {
        removeClients(1);
        return;
    }
    if (auto engineCommand = command(what, now, values)) {
        post(std::move(*engineCommand));
        return;
    }
    emit messagePosted({.key = QStringLiteral("what-if"),
                        .kind = UserMessage::Kind::info,
                        .text = [disabledReason = commandState(what, now).disabledReason] {
                            return disabledReason.text();
                        }});
}

void RunController::setPace(Duration step)
{
    m_pace = step;
    post(engine::SetPace{step});
}

void RunController::pollWatchTables(bool wanted)
{
    if (std::exchange(m_pollsWatches, wanted) != wanted) {
        post(engine::PollWatchTables{wanted});
    }
}

void RunController::addClients(int count)
{
    for (int i = 0; i < count; ++i) {
        post(engine::Execute{sim::Action::Kind::addClient});
    }
}

void RunController::removeClients(int count)
{
    for (int i = 0; i < count; ++i) {
        if (const ClientId client = nextClientToRemove(); client.valid()) {
            m_removing.push_back(client);
            post(engine::Execute{sim::Action::Kind::removeClient, client});
        }
    }
}

// The last client that takes part and was not asked to leave yet: an asked client still takes part until it
// has released the lock.
ClientId RunController::nextClientToRemove() const
{
    const auto& clients = m_model->state().clients;
    for (auto client = clients.rbegin(); client != clients.rend(); ++client) {
        const bool asked = std::find(m_removing.begin(), m_removing.end(), client->id) != m_removing.end();
        if (!asked && isActiveClient(*client)) {
            return client->id;
        }
    }
    return ClientId::none();
}

void RunController::stepSelected(bool forward)
{
    const ClientId client = m_selection->client();
    if (const EventIndex event = m_model->stepToEventOf(client, forward); event.valid()) {
        m_selection->selectEvent(event, client);
        return;
    }
    emit messagePosted({.key = QStringLiteral("client-step"),
                        .kind = UserMessage::Kind::info,
                        .text = [known = client.valid(), forward] {
                            return !known ? tr("Select a client first: these keys move between its events.")
                                   : forward ? tr("The selected client has no later event.")
                                             : tr("The selected client has no earlier event.");
                        }});
}

void RunController::post(engine::EngineCommand command)
{
    const bool ends = std::holds_alternative<engine::Finish>(command);
    if (const DisabledReason refused = refusal(); refused.source && (isWatchOnly() || !ends)) {
        if (ends)
            emit watchStopRequested();
        else if (!std::holds_alternative<engine::PollWatchTables>(command))
            emit messagePosted({.key = QStringLiteral("what-if"),
                                .kind = UserMessage::Kind::info,
                                .text = [refused] { return refused.text(); }});
        return;
    }
    if (engine::Engine* engine = m_model->engine()) {
        engine->post(std::move(command));
        emit commandPosted();
    }
}

void RunController::connectJobs()
{
    connect(&m_jobs, &TraceJobs::loadProgress, this, &RunController::postOpening);
    connect(&m_jobs, &TraceJobs::loaded, this, &RunController::showTrace);
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
        m_jobs.load(path);
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

void RunController::postError(const QString& key, const Error& error)
{
    emit messagePosted(errorMessage(key, error));
}

sim::StepOrder& RunController::order()
{
    if (!m_order || &m_order->store() != m_store.get()) {
        m_order = std::make_unique<sim::StepOrder>(m_store);
    }
    return *m_order;
}

std::optional<sim::StepBlocker> RunController::stepBlocker()
{
    return m_store ? order().blocker(m_model->position()) : std::nullopt;
}

void RunController::saveSteps(const QString& path)
{
    if (!m_store) {
        return;
    }
    auto scenario = order().scenario(m_model->position(), false);
    if (!scenario) {
        postError(kStepsKey, scenario.error());
        return;
    }
    scenario->name = QFileInfo(path).completeBaseName().toStdString();
    const std::string text = sim::toToml(*scenario);
    AtomicFile file(path);
    const QString name = format::plain(path.toStdString(), 200);
    if (!file.put(QByteArray::fromStdString(text))) {
        return postError(kStepsKey, writeError(message("The scenario %1 cannot be written: %2.",
                                                       name.toStdString(), file.fault().toStdString())));
    }
    emit messagePosted(
        {.key = kStepsKey,
         .kind = UserMessage::Kind::info,
         .text = [name, steps = static_cast<int>(scenario->steps.size())] {
             return tr("Saved %Ln steps to %1. Running it takes them again.", nullptr, steps).arg(name);
         }});
}

void RunController::fork()
{
    if (!m_store) {
        return;
    }
    const auto scenario = order().scenario(m_model->position(), true);
    if (!scenario) {
        postError(kStepsKey, scenario.error());
        return;
    }
    withJoinConfirmed(*scenario, [this, scenario = *scenario] { startFork(scenario); });
}

void RunController::startFork(const sim::Scenario& scenario)
{
    keepCurrentRun();
    const auto before = m_store;
    const auto steps = static_cast<int>(scenario.steps.size());
    Label label = currentLabel();
    label.fork = true;
    const bool attached = m_attached;
    setScenario(scenario, std::move(label));
    m_attached = attached; // the fork goes to the same server
    start();
    emit messagePosted({.key = kStepsKey,
                        .kind = UserMessage::Kind::info,
                        .text =
                            [steps] {
                                return tr("A new run takes the same %Ln steps, then stops all clients.",
                                          nullptr, steps);
                            },
                        .hint = [] { return tr("The old run is kept in the menu Step, Earlier Runs."); },
                        .actionText = [] { return tr("Show Old Run"); },
                        .action = [this, before] { showEarlierRun(before); }});
}

RunController::Label RunController::currentLabel() const
{
    return m_label.words().isEmpty() ? Label{[name = scenarioName()] { return name; }} : m_label;
}

QString RunController::labelWithEvents(const Label& label, const trace::TraceStore& store)
{
    return tr("%1 · %2 events").arg(label.words(), format::count(store.count()));
}

QStringList RunController::earlierRuns() const
{
    QStringList labels;
    for (const EarlierRun& run : m_earlier) {
        labels << labelWithEvents(run.label, *run.store);
    }
    return labels;
}

std::vector<RunController::KeptRun> RunController::unsavedRuns(
    const std::function<bool(const std::shared_ptr<const trace::TraceStore>&)>& also) const
{
    std::vector<KeptRun> runs;
    const auto add = [&](const Label& label, const std::shared_ptr<const trace::TraceStore>& store) {
        const bool unsaved =
            !onDisk(*store) && store != m_saving && store != m_ofLesson.lock() && hasClients(*store);
        if ((unsaved || also(store)) && std::ranges::find(runs, store, &KeptRun::store) == runs.end()) {
            runs.push_back({labelWithEvents(label, *store), store});
        }
    };
    if (m_store) {
        add(currentLabel(), m_store);
    }
    for (auto run = m_earlier.rbegin(); run != m_earlier.rend(); ++run) {
        add(run->label, run->store);
    }
    return runs;
}

void RunController::showEarlier(int index)
{
    if (index >= 0 && static_cast<std::size_t>(index) < m_earlier.size()) {
        showEarlierRun(m_earlier[static_cast<std::size_t>(index)].store);
    }
}

void RunController::showEarlierRun(std::shared_ptr<const trace::TraceStore> store)
{
    if (store == m_store) {
        return;
    }
    const auto known = std::find_if(m_earlier.begin(), m_earlier.end(),
                                    [&](const EarlierRun& run) { return run.store == store; });
    Label label = known != m_earlier.end() ? known->label : currentLabel();
    m_jobs.cancelLoad();
    leaveWatch();
    keepCurrentRun();
    showRecorded(std::move(store), std::move(label));
}

// Keeps the shown run so that it can be shown again, even if it is never saved. False: it was already kept,
// or there is no run.
bool RunController::keepCurrentRun()
{
    const bool kept = std::any_of(m_earlier.begin(), m_earlier.end(),
                                  [this](const EarlierRun& run) { return run.store == m_store; });
    if (!m_store || kept) {
        return false;
    }
    m_earlier.push_back({currentLabel(), m_store});
    const auto events = [this] {
        return std::accumulate(
            m_earlier.begin(), m_earlier.end(), std::size_t{0},
            [](std::size_t sum, const EarlierRun& run) { return sum + run.store->count(); });
    };
    while (m_earlier.size() > kMaxEarlierRuns || (m_earlier.size() > 1 && events() > kMaxEarlierEvents)) {
        m_earlier.erase(m_earlier.begin());
    }
    return true;
}

// Called before another run replaces the shown one, for whatever reason.
void RunController::keepUnsavedRun()
{
    if (!m_store || m_store == m_ofLesson.lock()) {
        return;
    }
    const std::size_t events = m_store->count();
    // A run that was saved while it was live keeps its later events, without a message.
    const RunOnDisk* file = onDisk(*m_store);
    const bool saved = file || m_store == m_saving;
    const bool whole = file && events <= file->events;
    if (whole || events == 0 || (failed() && !hasClients(*m_store)) || !keepCurrentRun()) {
        return;
    }
    emit messageDismissed(kStepsKey); // the message about the run before that
    if (saved) {
        return;
    }
    emit messagePosted(
        {.key = kStepsKey,
         .kind = UserMessage::Kind::info,
         .text = [] { return tr("The previous run was not saved; it is in the menu Step, Earlier Runs."); },
         .actionText = [] { return tr("Show Run"); },
         .action = [this, before = m_store] { showEarlierRun(before); }});
}

} // namespace lockscope::ui

#include "moc_run_controller.cpp"
