// The runs that a RunController keeps: the earlier ones, those without a file, and forks of the shown one.
#include "ui/shell/run/run_controller.h"

#include "ui/models/run/atomic_file.h"
#include "ui/models/run/run_model.h"
#include "ui/models/style/format.h"
#include "ui/shell/export/write_error.h"

#include <QFileInfo>

#include <algorithm>
#include <numeric>
#include <utility>

namespace lockscope::ui {

namespace {

constexpr std::size_t kMaxEarlierRuns = 8; // a kept run keeps its memory
constexpr std::size_t kMaxEarlierEvents = 4'000'000;

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

} // namespace

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
