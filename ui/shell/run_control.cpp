#include "ui/shell/run_control.h"

#include "ui/models/format.h"
#include "ui/models/run_model.h"
#include "ui/models/selection.h"

#include <QFileInfo>

#include <utility>

namespace lockscope::ui {

namespace {

constexpr int kMessageLength = 600;
const QString kOpenKey = QStringLiteral("open");
const QString kFoldKey = QStringLiteral("fold");
const QString kSaveKey = QStringLiteral("save");

QString plainText(const std::string& text) { return format::plain(text, kMessageLength); }

QString fileName(const QString& path) { return format::plain(QFileInfo(path).fileName().toStdString()); }

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
                       .text = tr("Going through %1…").arg(m_label),
                       .percent = static_cast<int>(share * 100),
                       .stays = true});
        } else {
            emit unsaid(kFoldKey);
        }
    });
    connectJobs();
}

void RunControl::connectJobs()
{
    connect(&m_jobs, &TraceJobs::loadProgress, this, &RunControl::sayOpening);
    connect(&m_jobs, &TraceJobs::loaded, this, &RunControl::showTrace);
    connect(&m_jobs, &TraceJobs::loadFailed, this, [this](const QString&, const Error& error) {
        emit unsaid(kOpenKey);
        if (error.code != ErrorCode::cancelled) {
            sayError(kOpenKey, error);
        }
    });
    connect(&m_jobs, &TraceJobs::saved, this, [this](const QString& path, quint64 events) {
        emit said({.key = kSaveKey,
                   .kind = Message::Kind::info,
                   .text = tr("Saved %1 events to %2.").arg(format::count(events), fileName(path))});
    });
    connect(&m_jobs, &TraceJobs::saveFailed, this,
            [this](const QString&, const Error& error) { sayError(kSaveKey, error); });
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

bool RunControl::canRun() const { return m_scenario.has_value(); }

QString RunControl::scenarioName() const
{
    return m_scenario ? QString::fromStdString(m_scenario->name) : QString();
}

QString RunControl::sourceLabel() const { return m_label; }

Circumstances RunControl::circumstances() const
{
    if (!m_model->hasRun()) {
        return {};
    }
    return {&m_model->state(), m_model->isLive(), m_model->following(), m_selection->client()};
}

void RunControl::startBuiltIn(const QString& name)
{
    auto scenario = sim::loadScenario(name.toStdString());
    if (!scenario) {
        sayError(kOpenKey, scenario.error());
        emit changed();
        return;
    }
    startScenario(*scenario, {});
}

void RunControl::startScenario(const sim::Scenario& scenario, const QString& label)
{
    m_scenario = scenario;
    m_label = label;
    m_pace.reset();
    start();
}

void RunControl::start()
{
    engine::Options options;
    options.scenario = *m_scenario;
    if (!m_setup.lockPath.empty()) {
        options.scenario.lockPath = m_setup.lockPath;
    }
    if (m_pace) {
        options.scenario.pace = *m_pace;
    }
    options.connect = m_setup.connect;
    options.startPaused = std::exchange(m_setup.startPaused, false);
    m_selection->clear();
    m_model->startLive(std::move(options));
    m_store = m_model->engine()->trace();
    emit changed();
}

void RunControl::openPath(const QString& path)
{
    const QString ending = QFileInfo(path).suffix().toLower();
    if (ending == QLatin1String("toml")) {
        openScenario(path);
    } else if (ending == QLatin1String("jsonl")) {
        sayOpening(path, -1);
        m_jobs.load(path);
    } else {
        emit said({.key = kOpenKey,
                   .kind = Message::Kind::error,
                   .text = tr("%1 is neither a scenario (.toml) nor a trace (.jsonl).").arg(fileName(path)),
                   .hint = tr("LockScope tells them by the ending of the file name.")});
        emit changed();
    }
}

void RunControl::sayOpening(const QString& path, int percent)
{
    emit said({.key = kOpenKey,
               .kind = Message::Kind::progress,
               .text = tr("Opening %1…").arg(fileName(path)),
               .actionText = tr("Cancel"),
               .action = [this] { m_jobs.cancelLoad(); },
               .percent = percent,
               .stays = true});
}

void RunControl::openScenario(const QString& path)
{
    auto scenario = sim::loadScenario(path.toStdString());
    if (!scenario) {
        sayError(kOpenKey, scenario.error());
        emit changed();
        return;
    }
    emit unsaid(kOpenKey);
    startScenario(*scenario, fileName(path));
    emit opened(path);
}

void RunControl::showTrace(const QString& path, const trace::LoadedTrace& loaded)
{
    emit unsaid(kOpenKey);
    m_label = fileName(path);
    m_pace.reset();
    adoptScenarioOf(loaded.store->header());
    m_selection->clear();
    const QString note = plainText(loaded.truncation);
    m_store = loaded.store;
    m_model->openTrace(loaded.store, note);
    if (!note.isEmpty()) {
        emit said({.key = kOpenKey, .kind = Message::Kind::warning, .text = note});
    }
    emit changed();
    emit opened(path);
}

// A trace says how to run it again: in full, or by the name of a built-in.
void RunControl::adoptScenarioOf(const trace::Header& header)
{
    m_scenario.reset();
    auto scenario = header.scenarioToml.empty() ? sim::loadScenario(header.scenario)
                                                : sim::parseScenario(header.scenarioToml, header.scenario);
    if (scenario) {
        m_scenario = *scenario;
    }
}

void RunControl::saveTrace(const QString& path)
{
    if (!m_store) {
        emit said(
            {.key = kSaveKey, .kind = Message::Kind::warning, .text = tr("There is no run to save yet.")});
        return;
    }
    m_jobs.save(path, m_store);
}

void RunControl::runOrPause()
{
    switch (stage()) {
    case Stage::running:
        post(engine::Pause{});
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
        start();
    }
}

void RunControl::doWhatIf(WhatIf what)
{
    const Circumstances now = circumstances();
    if (auto engineCommand = command(what, now)) {
        post(std::move(*engineCommand));
        return;
    }
    emit said(
        {.key = QStringLiteral("what-if"), .kind = Message::Kind::info, .text = offer(what, now).obstacle});
}

void RunControl::setPace(Duration step)
{
    m_pace = step;
    post(engine::SetPace{step});
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
        post(engine::RemoveClient{});
    }
}

void RunControl::post(engine::EngineCommand command)
{
    if (engine::Engine* engine = m_model->engine()) {
        engine->post(std::move(command));
    }
}

void RunControl::sayError(const QString& key, const Error& error)
{
    emit said({.key = key,
               .kind = Message::Kind::error,
               .text = plainText(error.message),
               .hint = plainText(error.hint)});
}

} // namespace lockscope::ui
