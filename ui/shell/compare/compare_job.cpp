#include "ui/shell/compare/compare_job.h"

#include "core/trace/trace_file.h"
#include "ui/models/run/live_run.h"
#include "ui/models/style/format.h"
#include "ui/shell/run/run_title.h"

#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <chrono>

namespace lockscope::ui {

namespace {

constexpr std::chrono::milliseconds kPollInterval{30};
constexpr int kMaxLabelLength = 40;
constexpr std::uint64_t kProgressEvents = 1000; // between two progress signals

Error cancelled() { return Error{ErrorCode::cancelled, message("The comparison was canceled."), {}}; }

bool runsForever(const sim::Scenario& scenario)
{
    return !scenario.duration && std::ranges::any_of(sim::participants(scenario),
                                                     [](const auto& one) { return one.work.cycles == 0; });
}

TextProvider nameOf(const CompareSource& source, const trace::TraceStore& store)
{
    if (!source.label.isEmpty() && !source.scenario &&
        source.label.toStdString() != store.header().scenario) {
        return [label = source.label] { return label; };
    }
    const QString name = format::plain(store.header().scenario, kMaxLabelLength);
    const QString file = QFileInfo(source.tracePath).completeBaseName();
    return [name, file, header = store.header()] {
        const QString title = scenarioTitle(header);
        return !title.isEmpty() ? title : name.isEmpty() ? file : name;
    };
}

// A built-in's title may name the number of clients; if that is wrong, the run is named by its actual
// numbers.
TextProvider withClients(const ComparedRun& run)
{
    const std::size_t now = run.whole().state.clients.size();
    if (titleFitsClientCount(run.store().header(), now)) {
        return run.naming();
    }
    return [locks = run.whole().state.locks.size(), now] { return countedTitle(locks, now); };
}

// The part of a title before its colon: "The herd: one node that all clients watch".
TextProvider shortLabelOf(const TextProvider& title)
{
    return [title] {
        static const QRegularExpression colon(QStringLiteral("[:：]"));
        return title().section(colon, 0, 0).trimmed();
    };
}

enum class Handoff { unknown, announced, curator };

Handoff handoffOf(const ComparedRun& run)
{
    const auto& locks = run.whole().state.locks;
    if (locks.empty()) {
        return Handoff::unknown;
    }
    return locks.front().announcesHandoff() ? Handoff::announced : Handoff::curator;
}

QString handoffText(Handoff handoff)
{
    switch (handoff) {
    case Handoff::unknown:
        return {};
    case Handoff::announced:
        return CompareJob::tr("announced handoff");
    case Handoff::curator:
        return CompareJob::tr("Curator's handoff");
    }
    return {};
}

// Two runs with the same title are distinguished by their kinds of handoff, their file names, or the letters
// a and b.
void makeLabelsDistinct(ComparedRun& a, ComparedRun& b, const std::array<CompareSource, 2>& sources)
{
    const TextProvider labelA = withClients(a), labelB = withClients(b);
    const TextProvider briefA = shortLabelOf(labelA), briefB = shortLabelOf(labelB);
    if (labelA() != labelB()) {
        const bool alike = briefA() == briefB();
        a.setLabel(labelA, alike ? labelA : briefA);
        b.setLabel(labelB, alike ? labelB : briefB);
        return;
    }
    if (const Handoff one = handoffOf(a), other = handoffOf(b); one != other) {
        const auto name = [](ComparedRun& run, const TextProvider& label, Handoff handoff) {
            run.setLabel(
                [label, handoff] { return CompareJob::tr("%1 · %2").arg(label(), handoffText(handoff)); },
                [handoff] { return handoffText(handoff); });
        };
        name(a, labelA, one);
        name(b, labelB, other);
        return;
    }
    const QString fileA = QFileInfo(sources[0].tracePath).completeBaseName();
    const QString fileB = QFileInfo(sources[1].tracePath).completeBaseName();
    if (!fileA.isEmpty() && !fileB.isEmpty() && fileA != fileB) {
        const auto name = [](ComparedRun& run, const QString& file) {
            const TextProvider words = [plain = format::plain(file.toStdString(), kMaxLabelLength)] {
                return plain;
            };
            run.setLabel(words, words);
        };
        name(a, fileA);
        name(b, fileB);
        return;
    }
    const auto numbered = [](const TextProvider& words, const QString& letter) {
        return [words, letter] { return words() + letter; };
    };
    a.setLabel(numbered(labelA, QStringLiteral(" (a)")), numbered(briefA, QStringLiteral(" (a)")));
    b.setLabel(numbered(labelB, QStringLiteral(" (b)")), numbered(briefB, QStringLiteral(" (b)")));
}

} // namespace

CompareJob::CompareJob(QObject* parent)
    : QObject(parent)
{}

CompareJob::~CompareJob() { cancel(); }

void CompareJob::cancel()
{
    ++m_job;
    m_worker.cancel();
}

void CompareJob::start(std::array<CompareSource, 2> sources, std::string connect)
{
    cancel();
    // One ZooKeeper at a time.
    m_worker.startAfterEarlier(
        [this, job = m_job, sources = std::move(sources),
         connect = std::move(connect)](const std::stop_token& stop) { work(stop, job, sources, connect); });
}

void CompareJob::post(quint64 job, std::function<void()> result)
{
    QMetaObject::invokeMethod(
        this,
        [this, job, result = std::move(result)] {
            if (job == m_job) {
                result();
            }
        },
        Qt::QueuedConnection);
}

void CompareJob::reportProgress(quint64 job, const TextProvider& words)
{
    post(job, [this, words] { emit progress(words); });
}

void CompareJob::work(const std::stop_token& stop, quint64 job, const std::array<CompareSource, 2>& sources,
                      const std::string& connect)
{
    std::array<std::shared_ptr<ComparedRun>, 2> runs;
    for (std::size_t i = 0; i < 2; ++i) {
        Result<std::shared_ptr<ComparedRun>> made =
            make(stop, sources[i], connect, job, static_cast<int>(i) + 1);
        if (!made) {
            if (made.error().code != ErrorCode::cancelled) {
                post(job, [this, error = made.error()] { emit failed(error); });
            }
            return;
        }
        runs[i] = *made;
    }
    makeLabelsDistinct(*runs[0], *runs[1], sources);
    post(job, [this, runs] { emit done(runs[0], runs[1]); });
}

Result<std::shared_ptr<ComparedRun>> CompareJob::make(const std::stop_token& stop,
                                                      const CompareSource& source, const std::string& connect,
                                                      quint64 job, int which)
{
    std::shared_ptr<const trace::TraceStore> store = source.store;
    if (!store && source.scenario) {
        Result<std::shared_ptr<const trace::TraceStore>> ran = run(stop, source, connect, job, which);
        if (!ran) {
            return ran.error();
        }
        store = *ran;
    }
    if (!store) {
        trace::LoadProgress progress;
        const std::stop_callback stopLoading(stop, [&progress] { progress.cancel = true; });
        reportProgress(job, [which] { return tr("Opening trace %1 of 2…").arg(which); });
        const auto loaded = trace::loadTrace(QFile::encodeName(source.tracePath).toStdString(), &progress);
        if (!loaded) {
            return loaded.error();
        }
        store = loaded->store;
    }
    if (stop.stop_requested()) {
        return cancelled();
    }
    reportProgress(job, [which] { return tr("Evaluating run %1 of 2…").arg(which); });
    const auto evaluated = std::make_shared<ComparedRun>(nameOf(source, *store), store, store->count(), stop);
    if (stop.stop_requested()) {
        return cancelled();
    }
    return evaluated;
}

Result<std::shared_ptr<const trace::TraceStore>> CompareJob::run(const std::stop_token& stop,
                                                                 const CompareSource& source,
                                                                 const std::string& connect, quint64 job,
                                                                 int which)
{
    if (runsForever(*source.scenario)) {
        return Error{ErrorCode::badUsage, message("%1 runs without end.", source.scenario->name),
                     message("Set a number of cycles, so that it can be compared.")};
    }
    engine::Options options;
    options.scenario = *source.scenario;
    options.connect = connect;
    options.attended = false;
    LiveRun live(std::move(options), [] {});
    const auto store = live.trace();
    std::uint64_t reported = 0;
    reportProgress(job, [number = QString::number(which), label = source.label] {
        return tr("Run %1 of 2: %2 starts…").arg(number, label);
    });
    while (!live.ended()) {
        if (stop.stop_requested()) {
            return cancelled();
        }
        std::this_thread::sleep_for(kPollInterval);
        if (const std::uint64_t now = store->count() / kProgressEvents; now != reported) {
            reported = now;
            reportProgress(
                job, [number = QString::number(which), label = source.label, count = store->count()] {
                    return tr("Run %1 of 2: %2, %3 events so far…").arg(number, label, format::count(count));
                });
        }
    }
    if (const std::optional<Error> failure = live.engine().failure()) {
        return *failure;
    }
    return std::shared_ptr<const trace::TraceStore>(store);
}

Result<CompareSource> compareSource(const QString& input)
{
    CompareSource source;
    if (input.endsWith(QLatin1String(".jsonl"))) {
        source.tracePath = input;
        return source;
    }
    auto scenario = sim::loadScenario(input.toStdString());
    if (!scenario) {
        return scenario.error();
    }
    source.label = format::plain(scenario->name, kMaxLabelLength);
    source.scenario = std::move(*scenario);
    return source;
}

} // namespace lockscope::ui

#include "moc_compare_job.cpp"
