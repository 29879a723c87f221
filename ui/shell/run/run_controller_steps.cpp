// The half of RunController that has to do with steps taken by hand: saving their order, forks, and the runs
// that were left for a fork.
#include "ui/models/format.h"
#include "ui/models/run_model.h"
#include "ui/models/selection.h"
#include "ui/models/atomic_file.h"
#include "ui/shell/run/run_controller.h"

#include <QFileInfo>

#include <algorithm>
#include <numeric>

namespace lockscope::ui {

namespace {

constexpr std::size_t kMaxEarlierRuns = 8; // a run that is kept keeps its memory
constexpr std::size_t kMaxEarlierEvents = 4'000'000;
const QString kStepsKey = QStringLiteral("steps");

} // namespace

sim::StepOrder& RunController::order()
{
    if (!m_order || &m_order->store() != m_store.get()) {
        m_order = std::make_unique<sim::StepOrder>(m_store);
    }
    return *m_order;
}

std::optional<sim::StepObstacle> RunController::stepObstacle()
{
    return m_store ? order().obstacle(m_model->position()) : std::nullopt;
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
        return postError(
            kStepsKey,
            {ErrorCode::ioFailed,
             QStringLiteral("The scenario %1 cannot be written: %2.").arg(name, file.fault()).toStdString(),
             "Choose another place, or make room there."});
    }
    emit messagePosted({.key = kStepsKey,
               .kind = Message::Kind::info,
               .text = [name, steps = static_cast<int>(scenario->steps.size())] {
                   return tr("Saved %n steps to %1. Running it takes them again.", nullptr, steps).arg(name);
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
               .kind = Message::Kind::info,
               .text =
                   [steps] {
                       return tr("A new run takes the same %n steps, then everybody is held.", nullptr,
                                 steps);
                   },
               .hint = [] { return tr("The old run is kept in the menu Step, Earlier runs."); },
               .actionText = [] { return tr("Show the old run"); },
               .action = [this, before] { showEarlierRun(before); }});
}

RunController::Label RunController::currentLabel() const
{
    return m_label.words().isEmpty() ? Label{[name = scenarioName()] { return name; }} : m_label;
}

QStringList RunController::earlierRuns() const
{
    QStringList labels;
    for (const EarlierRun& run : m_earlier) {
        labels << tr("%1 · %2 events").arg(run.label.words(), format::count(run.store->count()));
    }
    return labels;
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
    keepCurrentRun();
    m_label = std::move(label);
    m_pace.reset();
    setScenarioOf(store->header());
    m_selection->clear();
    m_store = store;
    m_model->openTrace(std::move(store), {});
    emit changed();
}

// The run that is shown can be shown again, also when it was never saved. False: it was kept before.
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

// Before another run takes its place, however that was asked for.
void RunController::keepUnsavedRun()
{
    if (!m_store) {
        return;
    }
    const std::size_t events = m_store->count();
    // Saved while it went on: the rest is kept, but nobody is told that all of it is not.
    const bool saved = m_store == m_onDisk.lock() || m_store == m_saving;
    const bool whole = m_store == m_onDisk.lock() && events <= m_onDiskEvents;
    if (whole || events == 0 || failed() || !keepCurrentRun()) {
        return;
    }
    emit messageDismissed(kStepsKey); // of the run before that
    if (saved) {
        return;
    }
    emit messagePosted(
        {.key = kStepsKey,
         .kind = Message::Kind::info,
         .text = [] { return tr("The run before was not saved: it is in the menu Step, Earlier runs."); },
         .actionText = [] { return tr("Show it"); },
         .action = [this, before = m_store] { showEarlierRun(before); }});
}

} // namespace lockscope::ui
