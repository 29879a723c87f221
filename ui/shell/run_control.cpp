#include "ui/shell/run_control.h"

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
constexpr sim::Range kCalmHold{std::chrono::milliseconds(100), std::chrono::milliseconds(300)};
constexpr Duration kUntilEnded = std::chrono::hours(1); // a window left open must not fill the memory

void goOn(sim::Scenario& scenario)
{
    sim::changeAllWork(scenario, [](sim::Work& work) { work.cycles = 0; });
    scenario.duration = kUntilEnded;
}

} // namespace

RunControl::RunControl(RunModel* model, Selection* selection, Setup setup, QObject* parent)
    : QObject(parent)
    , m_model(model)
    , m_selection(selection)
    , m_setup(std::move(setup))
{
    connect(model, &RunModel::phaseChanged, this, &RunControl::changed);
    connect(model, &RunModel::runChanged, this, &RunControl::changed);
    // A long trace is read, then gone through once: the second half of opening it.
    connect(model, &RunModel::progress, this, [this](double share) {
        if (share < 1) {
            emit said({.key = kFoldKey,
                       .kind = Message::Kind::progress,
                       .text = [this] { return tr("Going through %1…").arg(m_label.words()); },
                       .percent = static_cast<int>(share * 100),
                       .stays = true});
        } else {
            emit unsaid(kFoldKey);
        }
    });
    connectJobs();
}

RunControl::Stage RunControl::stage() const
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

bool RunControl::failed() const
{
    const engine::Engine* engine = m_model->engine();
    return engine && engine->phase() == engine::Phase::failed;
}

bool RunControl::canRun() const { return m_scenario.has_value(); }

QString RunControl::scenarioName() const
{
    return m_scenario ? QString::fromStdString(m_scenario->name) : QString();
}

QString RunControl::sourceLabel() const { return m_label.words(); }

QString RunControl::Label::words() const
{
    const QString run = name ? name() : QString();
    return fork ? tr("Fork of %1").arg(run) : run;
}

Circumstances RunControl::circumstances() const
{
    if (!m_model->hasRun()) {
        return {};
    }
    return {&m_model->state(),     m_model->isLive(), m_model->following(),
            m_selection->client(), m_links,           !onForeignServer(), watches()};
}

bool RunControl::watches() const { return m_onlyWatches && m_model->isLive(); }

QString RunControl::suggestedName() const
{
    const QString name = QFileInfo(scenarioName()).completeBaseName();
    const QString scenario = name.isEmpty() ? QStringLiteral("lockscope") : name;
    const std::int64_t began = m_store ? m_store->header().wallNanoseconds / 1'000'000 : 0;
    return began == 0 ? scenario
                      : scenario + QDateTime::fromMSecsSinceEpoch(began).toString(QStringLiteral("-yyyy-MM-dd-HHmm"));
}

bool RunControl::onForeignServer() const
{
    return !m_setup.connect.empty() || (m_scenario && !m_scenario->connect.empty());
}

void RunControl::startBuiltIn(const QString& name, bool stepped)
{
    auto scenario = sim::loadScenario(name.toStdString());
    if (!scenario) {
        sayError(QStringLiteral("open"), scenario.error());
        emit changed();
        return;
    }
    if (scenario->name == kFirstScenario) {
        goOn(*scenario);
        sim::changeAllWork(*scenario, [](sim::Work& work) { work.hold = kCalmHold; });
    }
    scenario->stepping = scenario->stepping || stepped;
    startScenario(*scenario, {});
}

// As the program does it that was started with --connect and --lock.
void RunControl::attach(const LockPlace& place)
{
    auto scenario = sim::loadScenario(kFirstScenario);
    if (!scenario) {
        return sayError(QStringLiteral("open"), scenario.error());
    }
    goOn(*scenario);
    sim::setClientCount(*scenario, static_cast<std::uint32_t>(place.clients));
    scenario->name = "attached";
    scenario->title = place.words().toStdString();
    scenario->text.clear();
    scenario->titleZh.clear();
    scenario->textZh.clear();
    scenario->source.clear();
    scenario->connect = place.servers.toStdString();
    scenario->locks = {place.path.toStdString()};
    adopt(*scenario, {[place] { return place.words(); }});
    m_attached = true;
    start();
}

void RunControl::startScenario(const sim::Scenario& scenario, const QString& label, const QString& path)
{
    adopt(scenario, {[label] { return label; }});
    m_path = path;
    start();
}

void RunControl::adopt(const sim::Scenario& scenario, Label label)
{
    keepUnsaved(); // under the name that it has until now
    m_scenario = scenario;
    m_label = std::move(label);
    m_path.clear();
    m_pace.reset();
    m_attached = false;
}

void RunControl::start()
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
    m_links = linksFor(options.scenario, onForeignServer());
    options.links = m_links == Links::there;
    m_onlyWatches = sim::onlyWatches(options.scenario);
    if (LockPlace place = placeOf(*m_scenario, m_attached); place.clients > 0) {
        m_joined = std::move(place);
    }
    options.watches = m_watches;
    options.attended = m_setup.attended;
    m_selection->clear();
    m_leaving.clear();
    m_model->startLive(std::move(options));
    m_store = m_model->engine()->trace();
    emit changed();
}

void RunControl::runOrPause()
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

void RunControl::runAgain()
{
    if (canRun()) {
        whenAgreed(*m_scenario, [this] {
            keepUnsaved();
            start();
        });
    }
}

LockPlace RunControl::placeOf(const sim::Scenario& scenario, bool attached) const
{
    const std::string& connect = !attached && !m_setup.connect.empty() ? m_setup.connect : scenario.connect;
    if (connect.empty()) {
        return {};
    }
    const std::string& path = !attached && !m_setup.lockPath.empty() ? m_setup.lockPath : scenario.locks.front();
    return {QString::fromStdString(connect), QString::fromStdString(path),
            static_cast<int>(sim::participants(scenario).size())};
}

void RunControl::whenAgreed(const sim::Scenario& scenario, const std::function<void()>& start)
{
    const LockPlace place = placeOf(scenario, m_attached);
    if (place.clients == 0 || (place.servers == m_joined.servers && place.path == m_joined.path)) {
        return start();
    }
    emit joinAsked(place, start);
}

void RunControl::doWhatIf(WhatIf what) { doWhatIfTo(m_selection->client(), what, {}); }

void RunControl::doWhatIfTo(ClientId client, WhatIf what, const std::vector<int>& values)
{
    Circumstances now = circumstances();
    now.selected = client;
    if (what == WhatIf::removeClient && offer(what, now).possible()) {
        removeClients(1);
        return;
    }
    if (auto engineCommand = command(what, now, values)) {
        post(std::move(*engineCommand));
        return;
    }
    emit said({.key = QStringLiteral("what-if"),
               .kind = Message::Kind::info,
               .text = [obstacle = offer(what, now).obstacle] { return obstacle.text(); }});
}

void RunControl::setPace(Duration step)
{
    m_pace = step;
    post(engine::SetPace{step});
}

void RunControl::askForWatches(bool wanted)
{
    if (std::exchange(m_watches, wanted) != wanted) {
        post(engine::AskForWatches{wanted});
    }
}

void RunControl::addClients(int count)
{
    for (int i = 0; i < count; ++i) {
        post(engine::AddClient{});
    }
}

void RunControl::removeClients(int count)
{
    for (int i = 0; i < count; ++i) {
        if (const ClientId client = nextToLeave(); client.valid()) {
            m_leaving.push_back(client);
            post(engine::RemoveClient{client});
        }
    }
}

// The last client that takes part and was not asked yet: one that is asked still takes part until it has
// released.
ClientId RunControl::nextToLeave() const
{
    const auto& clients = m_model->state().clients;
    for (auto client = clients.rbegin(); client != clients.rend(); ++client) {
        const bool asked = std::find(m_leaving.begin(), m_leaving.end(), client->id) != m_leaving.end();
        if (!asked && takesPart(*client)) {
            return client->id;
        }
    }
    return ClientId::none();
}

void RunControl::stepSelected(bool forward)
{
    const ClientId client = m_selection->client();
    if (const EventIndex event = m_model->stepToEventOf(client, forward); event.valid()) {
        m_selection->selectEvent(event, client);
        return;
    }
    emit said({.key = QStringLiteral("client-step"),
               .kind = Message::Kind::info,
               .text = [known = client.valid(), forward] {
                   return !known    ? tr("Select a client first: these keys go from event to event of it.")
                          : forward ? tr("The selected client has no later event.")
                                    : tr("The selected client has no earlier event.");
               }});
}

void RunControl::post(engine::EngineCommand command)
{
    const bool changes =
        !std::holds_alternative<engine::Finish>(command) && !std::holds_alternative<engine::AskForWatches>(command);
    if (watches() && changes) { // whatever it was asked by
        emit said({.key = QStringLiteral("what-if"),
                   .kind = Message::Kind::info,
                   .text = [] { return watchingObstacle().text(); }});
        return;
    }
    if (engine::Engine* engine = m_model->engine()) {
        engine->post(std::move(command));
        emit done();
    }
}

} // namespace lockscope::ui
