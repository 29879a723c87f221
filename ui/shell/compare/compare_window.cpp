#include "ui/shell/compare/compare_window.h"

#include "ui/compare/compare_chain_view.h"
#include "ui/compare/compare_timeline_view.h"
#include "ui/compare/compare_verdict_view.h"
#include "ui/models/rows/findings_model.h"
#include "ui/models/run/atomic_file.h"
#include "ui/models/style/format.h"
#include "ui/models/style/retranslate.h"
#include "ui/models/style/window_size.h"
#include "ui/shell/docking/card_frame.h"
#include "ui/shell/export/picture.h"
#include "ui/shell/export/write_error.h"
#include "ui/shell/window/icons.h"
#include "ui/texts/core_messages.h"
#include "ui/widgets/ask_for_file.h"

#include <QDir>
#include <QGridLayout>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace lockscope::ui {

namespace {

constexpr QSize kDefaultCompareSize(1440, 900);
constexpr int kMargin = 12;
constexpr int kMinChainHeight = 150, kMinLanesHeight = 90; // in pixels; a lower window scrolls
constexpr int kNarrow = 1100;                              // in a narrower window, the parts need more height
constexpr int kMinNarrowChainHeight = 240, kMinNarrowLanesHeight = 150;
constexpr double kPageScale = 2;           // of the pictures in the HTML page
constexpr std::size_t kHandoffsShown = 12; // of the slower run, when the difference is shown

// Returns a widget with a header above `body` and `footer`; `head` receives the header.
QWidget* makePanel(const QString& title, QWidget* body, QWidget* footer, Theme* theme, CardHeader** head)
{
    auto* card = new QWidget;
    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    *head = new CardHeader(title, theme, card);
    column->addWidget(*head);
    column->addWidget(new CardBody(nullptr, body, footer, theme, card), 1);
    return card;
}

template <class Shown>
QWidget* panelOf(const QString& title, Shown* view, QWidget* footer, Theme* theme)
{
    CardHeader* head = nullptr;
    QWidget* card = makePanel(title, view, footer, theme, &head);
    head->setCaption(view->caption());
    view->onCaptionChange([head, view] { head->setCaption(view->caption()); });
    return card;
}

} // namespace

CompareWindow::CompareWindow(ComparedRunPtr a, ComparedRunPtr b, Theme* theme, QWidget* parent)
    : QWidget(parent, Qt::Window)
    , m_theme(theme)
    , m_sides{Side{std::move(a)}, Side{std::move(b)}}
    , m_comparison(replay::compare(m_sides[0].run->whole(), m_sides[1].run->whole()))
    , m_load(compareWorkloads(*m_sides[0].run, *m_sides[1].run))
{
    setObjectName("compareWindow");
    setWindowIcon(applicationIcon());
    setAttribute(Qt::WA_DeleteOnClose, parent != nullptr);
    assemble();
    resize(sizeOnScreen(kDefaultCompareSize, *screen()));
    setFocusPolicy(Qt::ClickFocus);
    setFocus(); // no control has the focus at first
    onLanguageChange(
        this, [this] { QMetaObject::invokeMethod(this, &CompareWindow::assemble, Qt::QueuedConnection); });
}

// Also called after a language change, to rebuild everything. The compared runs themselves no longer change.
void CompareWindow::assemble()
{
    delete layout();
    for (QWidget* part : findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) {
        if (!part->isWindow()) {
            delete part;
        }
    }
    m_parts.clear();
    m_load = compareWorkloads(*m_sides[0].run, *m_sides[1].run); // in the current language
    m_verdict = new CompareVerdictView(m_comparison, m_load, m_sides[0].run->brief(), m_sides[1].run->brief(),
                                       m_theme, this);
    m_status = new QLabel(this);
    showStatus();
    setWindowTitle(tr("%1 and %2 - LockScope").arg(m_sides[0].run->label(), m_sides[1].run->label()));
    m_page = new QWidget;
    auto* column = new QVBoxLayout(m_page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeHeader());
    auto* grid = new QGridLayout;
    grid->setContentsMargins(kMargin, kMargin, kMargin, kMargin);
    grid->setSpacing(kMargin);
    for (std::size_t side = 0; side < 2; ++side) {
        makeSide(side);
        grid->addWidget(m_parts[side * 2].second, 0, static_cast<int>(side));
        grid->addWidget(m_parts[side * 2 + 1].second, 1, static_cast<int>(side));
        grid->setColumnStretch(static_cast<int>(side), 1);
    }
    CardHeader* head = nullptr;
    //: title of a panel: the table that compares two runs
    QWidget* verdict = makePanel(tr("Verdict"), m_verdict, nullptr, m_theme, &head);
    head->setCaption(
        tr("%1 and %2 handoffs from one client to another, one run each")
            .arg(format::count(m_sides[0].run->handoffs()), format::count(m_sides[1].run->handoffs())));
    grid->addWidget(verdict, 2, 0, 1, 2);
    m_parts.emplace_back(QStringLiteral("verdict"), verdict);
    grid->setRowStretch(0, 14);
    grid->setRowStretch(1, 10);
    grid->setRowStretch(2, 12);
    column->addLayout(grid, 1);
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidgetResizable(true);
    scroll->setWidget(m_page);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(scroll);
    connect(m_verdict, &CompareVerdictView::differenceToggled, this, &CompareWindow::showDifference);
    connect(m_verdict, &CompareVerdictView::htmlRequested, this, &CompareWindow::askForHtml);
    connect(m_verdict, &CompareVerdictView::picturesRequested, this, &CompareWindow::askForFolder);
    limitHeights();
    showDifference(false);
}

void CompareWindow::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    limitHeights();
}

void CompareWindow::limitHeights()
{
    const bool narrow = width() < kNarrow;
    for (const Side& side : m_sides) {
        side.chain->setMinimumHeight(narrow ? kMinNarrowChainHeight : kMinChainHeight);
        side.lanes->setMinimumHeight(narrow ? kMinNarrowLanesHeight : kMinLanesHeight);
    }
}

QWidget* CompareWindow::makeHeader()
{
    auto* head = new QFrame(this);
    head->setObjectName("compareHead");
    head->setAutoFillBackground(true);
    auto* column = new QVBoxLayout(head);
    column->setContentsMargins(20, 10, 20, 10);
    auto* row = new QHBoxLayout;
    row->setSpacing(24);
    column->addLayout(row);
    auto* load = new QLabel(m_load.words, head);
    load->setObjectName("loadDifference");
    load->setTextFormat(Qt::PlainText);
    load->setWordWrap(true);
    load->setVisible(!m_load.match.same);
    column->addWidget(load);
    auto* name = new QLabel(QStringLiteral("LockScope"), head);
    name->setFont(m_theme->fonts().heading);
    auto* words = new QLabel(subtitle(), head);
    words->setTextFormat(Qt::PlainText);
    const replay::ServerRow& server = m_sides[0].run->whole().state.server;
    auto* zookeeper = new QLabel(
        format::plain(server.version.empty() ? std::string() : "ZooKeeper " + std::string(server.version),
                      60),
        head);
    zookeeper->setTextFormat(Qt::PlainText);
    m_status->setTextFormat(Qt::PlainText);
    row->addWidget(name);
    row->addWidget(words);
    row->addStretch(1);
    row->addWidget(m_status);
    row->addWidget(zookeeper);
    const auto colour = [this, head, load, quiet = std::array{words, zookeeper, m_status}] {
        QPalette palette = m_theme->widgetPalette();
        palette.setColor(QPalette::Window, m_theme->palette().header);
        head->setPalette(palette);
        palette.setColor(QPalette::WindowText, m_theme->palette().textMuted);
        for (QLabel* label : quiet) {
            label->setPalette(palette);
        }
        palette.setColor(QPalette::WindowText,
                         m_theme->palette().waitsText); // marks a difference, not a fault
        load->setPalette(palette);
    };
    colour();
    connect(m_theme, &Theme::changed, head, colour);
    return head;
}

void CompareWindow::makeSide(std::size_t index)
{
    Side& side = m_sides[index];
    side.chain = new CompareChainView(m_theme, this);
    side.chain->setAccessibleName(tr("Queue of %1").arg(side.run->label()));
    side.sentence = new QLabel(this);
    side.sentence->setTextFormat(Qt::PlainText);
    side.sentence->setContentsMargins(18, 0, 18, 8);
    side.sentence->setWordWrap(true);
    connect(m_theme, &Theme::changed, side.sentence, [this, index] { showSentence(m_sides[index]); });
    side.lanes = new CompareTimelineView(side.run, m_theme, this);
    side.lanes->setShowsLength(index == 0);
    side.lanes->setAccessibleName(tr("Handoff timeline of %1").arg(side.run->label()));
    connect(side.lanes, &CompareTimelineView::handoffChosen, this,
            [this, index](std::size_t handoff) { choose(index, handoff); });
    const QString letter = index == 0 ? QStringLiteral("a") : QStringLiteral("b");
    m_parts.emplace_back(QStringLiteral("queue-") + letter,
                         panelOf(side.run->label(), side.chain, side.sentence, m_theme));
    m_parts.emplace_back(QStringLiteral("timeline-") + letter,
                         panelOf(tr("Handoff timeline"), side.lanes, nullptr, m_theme));
    if (index == 1) {
        m_sides[0].lanes->setSibling(m_sides[1].lanes);
        m_sides[1].lanes->setSibling(m_sides[0].lanes);
    }
}

QString CompareWindow::subtitle() const
{
    const auto clients = [this](std::size_t side) { return m_sides[side].run->whole().state.clients.size(); };
    const auto isWatched = [](const Side& side) { return replay::onlyWatches(side.run->whole().state); };
    const bool sameSeed = m_sides[0].run->store().header().seed == m_sides[1].run->store().header().seed;
    const QString who = clients(0) == clients(1)
                            ? tr("%Ln clients each", nullptr, static_cast<int>(clients(0)))
                            //: "1 client" and "5 clients"
                            : tr("%1 and %2")
                                  .arg(tr("%Ln clients", nullptr, static_cast<int>(clients(0))),
                                       tr("%Ln clients", nullptr, static_cast<int>(clients(1))));
    if (std::any_of(m_sides.begin(), m_sides.end(),
                    isWatched)) // watched clients have no seed and no known load
        return tr("Compare · %1").arg(who);
    const QString seeds = sameSeed ? tr("same seed") : tr("different seeds");
    return m_load.match.same ? tr("Compare · %1, %2, same load").arg(who, seeds)
                             : tr("Compare · %1, %2").arg(who, seeds);
}

void CompareWindow::choose(std::size_t index, std::size_t handoff) { showMoment(m_sides[index], handoff); }

void CompareWindow::showMoment(Side& side, std::optional<std::size_t> handoff)
{
    side.lanes->choose(handoff);
    side.chain->show(side.run->moment(handoff));
    showSentence(side);
}

void CompareWindow::showSentence(Side& side)
{
    side.sentence->setText(side.chain->sentence());
    QPalette palette = m_theme->widgetPalette();
    palette.setColor(QPalette::WindowText, side.chain->sentenceColour());
    side.sentence->setPalette(palette);
}

// Long enough to show the next handoffs of the slower run; the other run is drawn to the same scale.
Duration CompareWindow::differenceLength() const
{
    Duration longest{};
    for (const Side& side : m_sides) {
        const auto first = side.run->typicalHandoff();
        if (!first) {
            continue;
        }
        const replay::Timeline& timeline = side.run->timeline();
        const std::size_t last = std::min(*first + kHandoffsShown, timeline.handoffCount() - 1);
        longest = std::max(longest, timeline.handoff(last).acquired - timeline.handoff(*first).released);
    }
    // A range much longer than the other run would leave that run's picture mostly empty.
    const Duration shorter = std::min(m_sides[0].run->whole().took, m_sides[1].run->whole().took);
    return std::min(longest + longest / 8, 2 * shorter);
}

void CompareWindow::showDifference(bool on)
{
    const Duration length =
        on ? differenceLength() : std::max(m_sides[0].run->whole().took, m_sides[1].run->whole().took);
    for (std::size_t i = 0; i < 2; ++i) {
        Side& side = m_sides[i];
        const auto typical = side.run->typicalHandoff();
        showMoment(side, typical);
        TraceTime begin = side.run->begin();
        if (on && typical) { // shifted so that the range does not extend beyond the run's end
            const TraceTime wanted = side.run->timeline().handoff(*typical).released - length / 16;
            begin = std::max(begin, std::min(wanted, side.run->end() - length));
        }
        side.lanes->showRange(begin, length);
    }
    m_verdict->setShowsDifference(on);
}

ComparePageSide CompareWindow::pageSide(std::size_t index)
{
    const Side& side = m_sides[index];
    const replay::RunState& state = side.run->whole().state;
    ComparePageSide page;
    page.label = side.run->label();
    page.brief = side.run->brief();
    page.facts = tr("%Ln clients · %1 · ZooKeeper %2", nullptr, static_cast<int>(state.clients.size()))
                     .arg(side.run->recipe(), format::plain(state.server.version, 40));
    page.sentence = side.chain->sentence();
    page.chain = pngOf(pictureOf(*side.chain, kPageScale));
    page.lanes = pngOf(pictureOf(*side.lanes, kPageScale));
    page.findings = state.findings;
    for (std::size_t i = 0; i < replay::kFindingKinds; ++i) {
        page.sentences[i] = findingText(state, static_cast<replay::FindingKind>(i));
    }
    return page;
}

ComparePage CompareWindow::page()
{
    return {subtitle(), m_theme->palette().dark, m_load, {pageSide(0), pageSide(1)}, m_comparison};
}

Result<void> CompareWindow::saveHtml(const QString& path)
{
    const QByteArray bytes = compareHtml(page());
    AtomicFile file(path);
    if (!file.put(bytes)) {
        return writeError(
            message("The page %1 cannot be written: %2.", path.toStdString(), file.fault().toStdString()));
    }
    return {};
}

Result<void> CompareWindow::savePictures(const QString& folder)
{
    std::vector<std::pair<QString, QWidget*>> all = m_parts;
    all.emplace_back(QStringLiteral("compare"), m_page);
    for (const auto& [name, widget] : all) {
        for (const char* ending : {".png", ".svg"}) {
            const auto saved = savePicture(*widget, QDir(folder).filePath(name + QLatin1String(ending)));
            if (!saved) {
                return saved.error();
            }
        }
    }
    return {};
}

void CompareWindow::showResult(const Result<void>& done, TextProvider words)
{
    m_statusText =
        done ? std::move(words) : TextProvider([error = done.error()] { return errorText(error).all(); });
    showStatus();
}

void CompareWindow::showStatus()
{
    m_status->setText(m_statusText ? m_statusText() : QString());
    m_status->setToolTip(format::toolTip(m_status->text()));
}

void CompareWindow::askForHtml()
{
    askForFile(
        {.title = tr("Save the Comparison as HTML"), .filters = {tr("Web page (*.html)")}, .suffix = "html"},
        this, [this](const QString& path) {
            showResult(saveHtml(path),
                       [path] { return tr("Saved %1.").arg(format::plain(path.toStdString(), 80)); });
        });
}

void CompareWindow::askForFolder()
{
    askForFile({.title = tr("Save the Pictures to a Folder"), .mode = FileQuestion::Mode::folder}, this,
               [this](const QString& folder) {
                   showResult(savePictures(folder), [folder] {
                       return tr("Saved the pictures in %1.").arg(format::plain(folder.toStdString(), 80));
                   });
               });
}

} // namespace lockscope::ui

#include "moc_compare_window.cpp"
