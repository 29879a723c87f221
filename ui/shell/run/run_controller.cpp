#include "ui/shell/run/run_controller.h"

#include "ui/models/run_model.h"
#include "ui/models/selection.h"

#include <QDateTime>
#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace lockscope::ui {

namespace {

const QString kFoldKey = QStringLiteral("fold");
// Four or five handoffs a second: one can follow them.
constexpr sim::Range kDefaultHold{std::chrono::milliseconds(100), std::chrono::milliseconds(300)};
constexpr Duration kMaxDuration = std::chrono::hours(1); // a window left open must not fill the memory

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
    // A long trace is read, then gone through once: the second half of opening it.
    connect(model, &RunModel::progress, this, [this](double share) {
        if (share < 1) {
            emit messagePosted({.key = kFoldKey,
                       .kind = Message::Kind::progress,
                       .text = [this] { return tr("Going through %1…").arg(m_label.words()); },
                       .percent = static_cast<int>(share * 100),
                       .persistent = true});
        } else {
            emit messageDismissed(kFoldKey);
        }
    });
    connectJobs();
}

RunController::Stage RunController::stage() const
{
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
    return engine && engine->phase() == engine::Phase::failed;
}

bool RunController::canRun() const { return m_scenario.has_value(); }

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
    return {&m_model->state(),     m_model->isLive(), m_model->following(),
            m_selection->client(), m_links,           !usesExternalServer(), watches()};
}

bool RunController::watches() const { return m_watchOnly && m_model->isLive(); }

QString RunController::suggestedName() const
{
    const QString name = QFileInfo(scenarioName()).completeBaseName();
    const QString scenario = name.isEmpty() ? QStringLiteral("lockscope") : name;
    const std::int64_t began = m_store ? m_store->header().wallNanoseconds / 1'000'000 : 0;
    return began == 0 ? scenario
                      : scenario + QDateTime::fromMSecsSinceEpoch(began).toString(QStringLiteral("-yyyy-MM-dd-HHmm"));
}

bool RunController::usesExternalServer() const
{
    return !m_setup.connect.empty() || (m_scenario && !m_scenario->connect.empty());
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

// As the program does it that was started with --connect and --lock.
void RunController::attach(const AttachTarget& place)
{
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
    scenario->locks = {place.path.toStdString()};
    setScenario(*scenario, {[place] { return place.words(); }});
    m_attached = true;
    start();
}

void RunController::startScenario(const sim::Scenario& scenario, const QString& label, const QString& path)
{
    setScenario(scenario, {[label] { return label; }});
    m_path = path;
    start();
}

void RunController::setScenario(const sim::Scenario& scenario, Label label)
{
    keepUnsavedRun(); // under the name that it has until now
    m_scenario = scenario;
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
    options.startPaused = std::exchange(m_setup.startPaused, false);
    // Whatever may be done to a connection later needs a link from the start.
    m_links = linkSupportFor(options.scenario, usesExternalServer());
    options.links = m_links == LinkSupport::available;
    m_watchOnly = sim::onlyWatches(options.scenario);
    if (AttachTarget place = attachTargetOf(*m_scenario, m_attached); place.clients > 0) {
        m_joinedTarget = std::move(place);
    }
    options.watches = m_pollsWatches;
    options.attended = m_setup.attended;
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
        post(watches() ? engine::EngineCommand(engine::Finish{}) : engine::EngineCommand(engine::Pause{}));
        break;
    case Stage::paused:
        post(engine::Resume{});
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
    if (canRun()) {
        withJoinConfirmed(*m_scenario, [this] {
            keepUnsavedRun();
            start();
        });
    }
}

AttachTarget RunController::attachTargetOf(const sim::Scenario& scenario, bool attached) const
{
    const std::string& connect = !attached && !m_setup.connect.empty() ? m_setup.connect : scenario.connect;
    if (connect.empty()) {
        return {};
    }
    const std::string& path = !attached && !m_setup.lockPath.empty() ? m_setup.lockPath : scenario.locks.front();
    return {QString::fromStdString(connect), QString::fromStdString(path),
            static_cast<int>(sim::participants(scenario).size())};
}

void RunController::withJoinConfirmed(const sim::Scenario& scenario, const std::function<void()>& start)
{
    const AttachTarget place = attachTargetOf(scenario, m_attached);
    if (place.clients == 0 || (place.servers == m_joinedTarget.servers && place.path == m_joinedTarget.path)) {
        return start();
    }
    emit joinConfirmationRequested(place, start);
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
               .kind = Message::Kind::info,
               .text = [disabledReason = commandState(what, now).disabledReason] { return disabledReason.text(); }});
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
        post(engine::AddClient{});
    }
}

void RunController::removeClients(int count)
{
    for (int i = 0; i < count; ++i) {
        if (const ClientId client = nextClientToRemove(); client.valid()) {
            m_removing.push_back(client);
            post(engine::RemoveClient{client});
        }
    }
}

// The last client that takes part and was not asked yet: one that is asked still takes part until it has
// released.
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
               .kind = Message::Kind::info,
               .text = [known = client.valid(), forward] {
                   return !known    ? tr("Select a client first: these keys go from event to event of it.")
                          : forward ? tr("The selected client has no later event.")
                                    : tr("The selected client has no earlier event.");
               }});
}

void RunController::post(engine::EngineCommand command)
{
    const bool changes =
        !std::holds_alternative<engine::Finish>(command) && !std::holds_alternative<engine::PollWatchTables>(command);
    if (watches() && changes) { // whatever it was asked by
        emit messagePosted({.key = QStringLiteral("what-if"),
                   .kind = Message::Kind::info,
                   .text = [] { return watchOnlyReason().text(); }});
        return;
    }
    if (engine::Engine* engine = m_model->engine()) {
        engine->post(std::move(command));
        emit commandPosted();
    }
}

} // namespace lockscope::ui
