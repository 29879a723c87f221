#include "ui/shell/export/player_job.h"

#include "ui/chain/chain_view.h"
#include "ui/models/run/atomic_file.h"
#include "ui/models/run/bookmarks.h"
#include "ui/models/run/logged_event.h"
#include "ui/models/run/run_model.h"
#include "ui/models/run/selection.h"
#include "ui/models/run/time_window.h"
#include "ui/models/style/format.h"
#include "ui/models/style/text_cache.h"
#include "ui/protocol/protocol_view.h"
#include "ui/shell/docking/views.h"
#include "ui/shell/export/player_page.h"
#include "ui/shell/export/svg_picture.h"
#include "ui/shell/export/write_error.h"
#include "ui/shell/run/run_title.h"
#include "ui/shell/window/language.h"
#include "ui/texts/event_text.h"
#include "ui/timeline/timeline_view.h"

#include <algorithm>
#include <array>

namespace lockscope::ui {

namespace {

const QStringList kPageLanguages{QStringLiteral("en"), QStringLiteral("zh_CN")};
constexpr int kOpeningMs = 20; // between two looks at a large trace that is being read
constexpr int kNarrowPicture = 880,
              kWidePicture = 1000;     // pixels; the protocol needs room for the lanes of five clients
constexpr std::size_t kFewClients = 8; // have room in low pictures
constexpr std::size_t kViews = 3, kPerLanguage = 2 * kViews, kPerStep = 2 * kPerLanguage; // pictures

} // namespace

std::vector<EventIndex> PlayerPlan::steps() const
{
    std::vector<EventIndex> all;
    const std::size_t count = store->count();
    for (std::size_t i = 0; i < count; ++i) {
        const trace::Event& event = store->at(i);
        if (isLogged(event) && (!begin || event.at >= *begin) && (!end || event.at <= *end))
            all.push_back(EventIndex{static_cast<EventIndex::Value>(i)});
    }
    return all;
}

// The views of a window of its own, without the window.
struct PlayerJob::Stage
{
    explicit Stage(const PlayerPlan& plan)
    {
        theme.setForPrint(true);
        run.openTrace(plan.store);
        chain->setBoxes(false);
    }

    void resize()
    {
        const bool few = run.state().clients.size() <= kFewClients;
        chain->resize(kNarrowPicture, few ? 260 : 420);
        timeline->resize(kNarrowPicture, few ? 300 : 420);
        timeline->canvas()->resize(timeline->size());
        protocol->resize(kWidePicture, 600);
    }
    void goTo(EventIndex number, const trace::Event& event)
    {
        run.seekEvent(number.value + std::size_t{1});
        if (event.lock.valid() && run.state().lock(event.lock))
            selection.selectLock(event.lock);
        selection.selectEvent(number, event.client);
        time.show(begin, end);
        run.notifyAll(); // also where only the language is another one
    }

    Theme theme{Theme::ColourScheme::light};
    RunModel run;
    Selection selection;
    TimeWindow time;
    Bookmarks bookmarks;
    QWidget desk; // never shown
    ChainView* chain = new ChainView(&run, &selection, &theme, &desk);
    TimelineView* timeline = new TimelineView({&run, &selection, &time, &bookmarks, &theme}, &desk);
    ProtocolView* protocol = new ProtocolView(&run, &selection, &theme, &desk);
    const std::array<std::pair<QString, Canvas*>, kViews> pictures{
        {{QStringLiteral("chain"), chain},
         {QStringLiteral("timeline"), timeline->canvas()},
         {QStringLiteral("protocol"), protocol}}};
    std::array<QByteArray, kViews> lights; // of the step
    TraceTime begin{}, end{};
    PlayerPage page;
};

PlayerJob::PlayerJob(QObject* parent)
    : QObject(parent)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &PlayerJob::drawNext);
    m_worker.onIdle([this] {
        if (isEnded())
            emit ended();
    });
}

PlayerJob::~PlayerJob() = default;

void PlayerJob::start(const PlayerPlan& plan)
{
    m_plan = plan;
    m_next = 0;
    m_steps = plan.steps();
    if (m_steps.empty())
        return fail({ErrorCode::badUsage, message("There is nothing to play: no event lies in this time."),
                     message("Choose another time.")});
    if (m_steps.size() > PlayerPlan::kMaxSteps)
        return fail(
            {ErrorCode::limitExceeded,
             message("%1 events are too many for a page, which plays at most %2.", m_steps.size(),
                     PlayerPlan::kMaxSteps),
             message("Choose a shorter time: --from and --to on the command line, a closer look at the "
                     "timeline in the window. The first %1 events end at %2.",
                     PlayerPlan::kMaxSteps,
                     format::moment(plan.store->at(m_steps[PlayerPlan::kMaxSteps - 1]).at).toStdString())});
    m_stage = std::make_unique<Stage>(plan);
    emit progress(0);
    m_timer.start(0);
}

void PlayerJob::cancel()
{
    if (active())
        fail({ErrorCode::cancelled, message("The export was canceled."), {}});
}

void PlayerJob::fail(const Error& error)
{
    m_timer.stop();
    m_worker.cancel();
    m_stage.reset();
    emit failed(error);
    if (isEnded())
        emit ended();
}

void PlayerJob::drawNext()
{
    Stage& stage = *m_stage;
    if (stage.run.opening())
        return m_timer.start(kOpeningMs);
    if (m_next == 0) {
        stage.resize();
        stage.begin = m_plan.begin.value_or(stage.run.beginTime());
        stage.end = std::max(m_plan.end.value_or(stage.run.endTime()), stage.begin + TimeWindow::kMinLength);
        for (const QString& language : kPageLanguages)
            addWords(language);
    }
    drawPicture();
    const auto share = [all = m_steps.size() * kPerStep](std::size_t done) {
        return static_cast<int>(100 * done / all);
    };
    ++m_next;
    if (share(m_next) != share(m_next - 1))
        emit progress(share(m_next));
    if (m_next == m_steps.size() * kPerStep)
        write();
    else
        m_timer.start(0);
}

// One view in one scheme, so that the window goes on meanwhile. Nothing is drawn or laid out between two
// calls.
void PlayerJob::drawPicture()
{
    Stage& stage = *m_stage;
    const EventIndex event = m_steps[m_next / kPerStep];
    const std::size_t picture = m_next % kPerLanguage;
    const QString& language = kPageLanguages[static_cast<qsizetype>(m_next % kPerStep / kPerLanguage)];
    const SpokenLanguage spoken(language);
    if (picture == 0)
        stage.goTo(event, m_plan.store->at(event));
    const bool light = picture < kViews;
    stage.theme.setColourScheme(light ? Theme::ColourScheme::light : Theme::ColourScheme::dark);
    const auto& [name, canvas] = stage.pictures[picture % kViews];
    const QByteArray svg = svgOf(*canvas);
    if (light)
        stage.lights[picture] = svg;
    else
        stage.page.addPicture(language, name, stage.lights[picture - kViews], svg);
    if (picture + 1 == kPerLanguage)
        addTexts(event, language);
}

// The texts of the step, for readers and for screen readers.
void PlayerJob::addTexts(EventIndex event, const QString& language)
{
    Stage& stage = *m_stage;
    const trace::Event& shown = m_plan.store->at(event);
    const auto number = static_cast<int>(m_next / kPerStep) + 1;
    const chain::BoxTexts& boxes = stage.chain->boxTexts();
    QStringList items;
    for (const AccessibleItem& item : stage.chain->accessibleItems())
        items << item.name;
    const LogLine line = logLine(shown, stage.run.state(), m_plan.store.get());
    const QString moment = format::moment(shown.at);
    stage.page.addTexts(
        language,
        {{"where",
          tr("Step %1 of %2 · %3")
              .arg(format::count(static_cast<quint64>(number)), format::count(m_steps.size()), moment)},
         {"about", boxes.explainTitle},
         {"what", boxes.what},
         {"why", boxes.why},
         {"chain", items.join(QStringLiteral("; "))},
         {"serverTitle", boxes.serverTitle.section(kVariantSeparator, 0, 0)},
         {"serverText", boxes.server.entries.isEmpty() ? boxes.server.nothing
                                                       : boxes.server.entries.join(QStringLiteral("   "))},
         {"verdict", boxes.server.verdict},
         {"line", QStringList{moment, line.who, arrowText(line.arrow), line.text}.join(' ').simplified()}});
}

void PlayerJob::addWords(const QString& language)
{
    const SpokenLanguage spoken(language);
    const replay::RunState& state = m_stage->run.state();
    QJsonObject words{
        {"name", language == kPageLanguages.front() ? QStringLiteral("English") : QStringLiteral("中文")},
        {"title", runTitle(m_plan.store->header())},
        {"facts",
         tr("%1 · %2 to %3 · played by LockScope %4")
             .arg(countedTitle(state.locks.size(), state.clients.size()), format::moment(m_stage->begin),
                  format::moment(m_stage->end), QCoreApplication::applicationVersion())},
        {"noScript", tr("This page plays a run. It needs scripts, and a browser of 2023 or later.")},
        {"language", tr("Language")},
        //: light or dark
        {"colours", tr("Colors")},
        {"browsers", tr("As the browser")},
        {"light", tr("Light")},
        {"dark", tr("Dark")},
        {"pace", tr("Steps per second")},
        {"controls", tr("Playing")},
        {"scrub", tr("Step")},
        {"first", tr("First step (Home)")},
        {"back", tr("One step back (←)")},
        {"play", tr("Play (space)")},
        {"pause", tr("Pause (space)")},
        {"forward", tr("One step on (→)")},
        {"last", tr("Last step (End)")},
        {"steps", tr("All steps")},
        {"keys",
         tr("Space plays and pauses, ← and → step, Home and End go to the first and the last step.")}};
    for (const ViewDescription& view : viewTable())
        for (const auto& [name, canvas] : m_stage->pictures)
            if (name == view.name)
                words[name] = view.title();
    m_stage->page.setWords(language, words);
}

void PlayerJob::write()
{
    QList<PlayerPage::View> views;
    for (const auto& [name, canvas] : m_stage->pictures)
        views.push_back({name, canvas->width(), canvas->height()});
    m_worker.startAfterEarlier(
        [this, page = std::move(m_stage->page), views, plan = m_plan](const std::stop_token& stop) {
            const QByteArray html = page.html(plan.language, plan.scheme, views);
            std::optional<Error> error;
            AtomicFile file(plan.path);
            if (html.size() > kMaxBytes)
                error = Error{ErrorCode::limitExceeded,
                              message("The page would have %1 bytes, more than %2.", html.size(), kMaxBytes),
                              message("Choose a shorter time.")};
            else if (!stop.stop_requested() && !file.put(html))
                error = writeError(message("The page %1 cannot be written: %2.", plan.path.toStdString(),
                                           file.fault().toStdString()));
            m_worker.post(stop, [this, error] {
                if (error)
                    return fail(*error);
                m_stage.reset();
                emit done();
            });
        });
}

} // namespace lockscope::ui

#include "moc_player_job.cpp"
