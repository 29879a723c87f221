#include "ui/shell/run/run_controller.h"

#include "ui/models/run/run_model.h"
#include "ui/models/run/selection.h"
#include "ui/models/style/format.h"
#include "ui/texts/core_messages.h"
#include "ui/welcome/scenario_entry.h"

#include <QDateTime>
#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace lockscope::ui {

namespace {

const QString kFoldKey = QStringLiteral("fold");
// Four or five handoffs a second, which the user can follow.
constexpr sim::Range kDefaultHold{std::chrono::milliseconds(100), std::chrono::milliseconds(300)};
constexpr Duration kMaxDuration = std::chrono::hours(1); // a window left open must not fill the memory
constexpr int kRunTitle = 60;

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

bool RunController::isWatchOnly() const { return m_watch == Watch::starting || m_watch == Watch::running; }

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

void RunController::postError(const QString& key, const Error& error)
{
    emit messagePosted(errorMessage(key, error));
}

} // namespace lockscope::ui

#include "moc_run_controller.cpp"
