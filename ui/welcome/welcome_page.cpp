#include "ui/welcome/welcome_page.h"

#include "ui/models/style/format.h"
#include "ui/models/style/theme.h"
#include "ui/welcome/recent_files.h"
#include "ui/welcome/scenario_card.h"
#include "ui/welcome/scenario_grid.h"
#include "ui/welcome/welcome_footer.h"
#include "ui/widgets/panel_parts.h"

#include <QAction>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

namespace lockscope::ui {

namespace {

constexpr int kSearchWidth = 660;
constexpr QSize kWaySize(190, 44);
constexpr int kWordsWidth = 250; // of what a way is

int sideMargin(int width) { return std::max(24, width * 38 / 1000); }

std::optional<std::size_t> nearest(const std::vector<QRect>& places, const QRect& here, bool above)
{
    std::optional<std::size_t> next;
    int shortest = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const QRect& there = places[i];
        const int rows = above ? here.top() - there.top() : there.top() - here.top();
        const int distance = rows * 4 + std::abs(there.center().x() - here.center().x());
        if (rows > 0 && (!next || distance < shortest)) {
            next = i;
            shortest = distance;
        }
    }
    return next;
}

// The card that an arrow key leads to: the next one in the row, or the nearest one above or below. None at
// the edge.
std::optional<std::size_t> adjacentCard(const std::vector<QRect>& places, std::size_t from, int key)
{
    if (key == Qt::Key_Left) {
        return from > 0 ? std::optional(from - 1) : std::nullopt;
    }
    if (key == Qt::Key_Right) {
        return from + 1 < places.size() ? std::optional(from + 1) : std::nullopt;
    }
    return nearest(places, places[from], key == Qt::Key_Up);
}

} // namespace

WelcomePage::WelcomePage(const Theme* theme, RecentFiles* recent, Commands offers, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_recent(recent)
    , m_commandsOffered(std::move(offers))
    , m_title(new QLabel(this))
    , m_subtitle(new QLabel(this))
    , m_toRest(new QPushButton(this))
    , m_rest(new QWidget(this))
    , m_search(new QLineEdit(this))
    , m_commands(new QPushButton(this))
    , m_recentRow(new QWidget(this))
    , m_recentLayout(new QHBoxLayout(m_recentRow))
    , m_waysRow(new QWidget(this))
    , m_lessonRow(new QWidget(this))
    , m_lessonTitle(new QLabel(m_lessonRow))
    , m_groupRow(new QWidget(this))
    , m_groupLinks(new QHBoxLayout(m_groupRow))
    , m_brand(new QLabel(this))
    , m_noMatches(new QLabel(this))
    , m_scroll(new QScrollArea(this))
    , m_footer(new WelcomeFooter(m_commandsOffered.buttons, this))
{
    setObjectName("welcomePage");
    assemble();
    addSecondary(m_commandsOffered.secondary);
    connect(theme, &Theme::changed, this, &WelcomePage::applyTheme);
    connect(recent, &RecentFiles::changed, this, &WelcomePage::showRecent);
    connect(m_search, &QLineEdit::textChanged, this, &WelcomePage::filter);
    connect(m_toRest, &QPushButton::clicked, this, [this] {
        setCalm(false);
        setFocus();
    });
    m_search->installEventFilter(this);
    rebuildCards();
}

void WelcomePage::assemble()
{
    auto* content = new QWidget(m_scroll);
    content->setObjectName("welcomeContent");
    m_column = new QVBoxLayout(content);
    m_column->setSpacing(8);
    m_column->addWidget(head());
    m_column->addWidget(m_toRest, 0, Qt::AlignCenter);
    m_column->addWidget(rest());
    m_column->addStretch(1);
    m_scroll->setWidget(content);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_scroll, 1);
    column->addWidget(m_footer);
}

QWidget* WelcomePage::head()
{
    m_head = new QWidget(this);
    auto* column = new QVBoxLayout(m_head);
    column->setContentsMargins(0, 18, 0, 0);
    column->setSpacing(8);
    column->addStretch(1);
    m_title->setAlignment(Qt::AlignCenter);
    m_subtitle->setAlignment(Qt::AlignCenter);
    m_subtitle->setWordWrap(true);
    m_subtitle->setProperty("kind", "quiet");
    column->addWidget(m_title);
    column->addWidget(m_subtitle);
    column->addSpacing(4);
    column->addWidget(m_waysRow);
    auto* ways = new QHBoxLayout(m_waysRow);
    ways->setContentsMargins(0, 0, 0, 4);
    ways->setSpacing(14);
    ways->addStretch(1);
    ways->addStretch(1);
    m_waysRow->hide();
    m_toRest->setObjectName("allScenarios");
    m_toRest->setFlat(true);
    return m_head;
}

QWidget* WelcomePage::rest()
{
    m_search->setObjectName("scenarioSearch");
    m_search->setMaximumWidth(kSearchWidth);
    m_search->setMinimumHeight(40);
    m_commands->setObjectName("commandsButton");
    m_commands->setMinimumHeight(40);
    m_commands->setVisible(m_commandsOffered.commands != nullptr);
    if (m_commandsOffered.commands) {
        connect(m_commands, &QPushButton::clicked, m_commandsOffered.commands, &QAction::trigger);
    }
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    row->addWidget(m_search, 100);
    row->addWidget(m_commands);
    row->addStretch(1);
    m_recentLayout->setContentsMargins(0, 4, 0, 0);
    m_groupLinks->setContentsMargins(0, 0, 0, 10);
    m_groupColumn = new QVBoxLayout(m_rest);
    m_groupColumn->setContentsMargins(0, 0, 0, 0);
    m_groupColumn->setSpacing(8);
    m_groupColumn->addLayout(row);
    m_groupColumn->addSpacing(4);
    m_groupColumn->addWidget(m_lessonRow);
    auto* lessons = new QHBoxLayout(m_lessonRow);
    lessons->setContentsMargins(0, 0, 0, 0);
    lessons->addStretch(1);
    lessons->addWidget(m_lessonTitle);
    lessons->addStretch(1);
    m_lessonRow->hide();
    m_groupColumn->addWidget(m_recentRow);
    m_groupColumn->addWidget(m_groupRow);
    m_noMatches->setAlignment(Qt::AlignCenter);
    m_groupColumn->addWidget(m_noMatches);
    return m_rest;
}

void WelcomePage::addSecondary(const QList<QAction*>& actions) { m_footer->addSecondary(actions); }

void WelcomePage::setCorner(QWidget* widget)
{
    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, 12, 0, 0);
    row->addWidget(m_brand);
    row->addStretch(1);
    row->addWidget(widget);
    m_column->insertLayout(0, row);
}

QPushButton* WelcomePage::buttonFor(QAction* action, const QString& prefix, QWidget* parent)
{
    auto* button = new QPushButton(parent);
    button->setObjectName(prefix + action->objectName());
    const auto show = [button, action] {
        const QString title = action->iconText();
        button->setText(action->isChecked() ? QStringLiteral("✓ %1").arg(title) : title);
        button->setAccessibleName(format::withoutMnemonic(action->text()));
        button->setToolTip(button->accessibleName() + u'\n' + action->statusTip());
    };
    show();
    connect(action, &QAction::changed, button, show);
    connect(button, &QPushButton::clicked, action, &QAction::trigger);
    return button;
}

void WelcomePage::setWaysIn(const QList<QAction*>& ways)
{
    auto* row = static_cast<QHBoxLayout*>(m_waysRow->layout());
    for (QAction* way : ways) {
        QPushButton* button = buttonFor(way, QStringLiteral("way."), m_waysRow);
        button->setMinimumSize(kWaySize);
        button->setProperty("kind", way == ways.front() ? "primary" : "");
        repolish(button); // the page's sheet was applied when the button was made
        auto* words = named(new QLabel(m_waysRow), "wayWords");
        words->setWordWrap(true);
        words->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
        words->setMaximumWidth(kWordsWidth);
        words->setProperty("kind", "quiet");
        const auto show = [words, way] { words->setText(way->statusTip()); };
        show();
        connect(way, &QAction::changed, words, show);
        auto* cell = new QVBoxLayout;
        cell->addWidget(button);
        cell->addWidget(words);
        row->insertLayout(row->count() - 1, cell);
    }
    m_waysRow->setVisible(!ways.isEmpty());
    showCalm();
}

void WelcomePage::setLessons(const QList<QAction*>& lessons)
{
    auto* row = static_cast<QHBoxLayout*>(m_lessonRow->layout());
    for (QAction* lesson : lessons)
        row->insertWidget(row->count() - 1, buttonFor(lesson, {}, m_lessonRow));
    m_lessonRow->setVisible(!lessons.isEmpty());
}

void WelcomePage::setCalm(bool calm)
{
    m_calm = calm;
    showCalm();
}

void WelcomePage::showCalm()
{
    m_subtitle->setText(m_calm ? tr("Real clients, a real ZooKeeper, every step on screen.")
                               : tr("Real clients, a real ZooKeeper, every step on screen. Pick a scenario, "
                                    "or open a scenario file or a trace."));
    for (auto* words : m_waysRow->findChildren<QLabel*>("wayWords"))
        words->setVisible(m_calm);
    m_toRest->setVisible(m_calm);
    m_rest->setVisible(!m_calm);
    m_column->setStretchFactor(m_head, m_calm ? 1 : 0); // in the middle
    m_footer->setCalm(m_calm);
    auto* firstWay = m_waysRow->findChild<QPushButton*>();
    setFocusProxy(m_calm && firstWay ? static_cast<QWidget*>(firstWay) : m_search);
}

int WelcomePage::footerHeight() const { return m_footer->height(); }

void WelcomePage::rebuildCards()
{
    qDeleteAll(m_grids);
    m_grids.clear();
    m_cards.clear();
    ScenarioGroup group{};
    for (const ScenarioEntry& story : builtInScenarios()) {
        if (m_grids.empty() || story.group != group) {
            group = story.group;
            m_grids.push_back(new ScenarioGrid(group, m_theme, this));
            m_groupColumn->addWidget(m_grids.back());
        }
        auto* card = new ScenarioCard(story, m_theme, m_grids.back());
        m_grids.back()->add(card);
        m_cards.push_back(card);
        connect(card, &ScenarioCard::chosen, this,
                [this, card](bool stepped) { emit scenarioChosen(card->name(), stepped); });
        card->setToolTip(tr("Press Enter or click to start, Shift+Enter to start step by step."));
        connect(card, &ScenarioCard::moveRequested, this, [this, card](int key) { moveFrom(card, key); });
    }
    m_brand->setText(tr("LockScope"));
    m_title->setText(tr("See How a Distributed Lock Works"));
    //: a button below the three ways to start
    m_toRest->setText(tr("All Scenarios and Lessons"));
    showCalm();
    m_search->setPlaceholderText(tr("Search %Ln scenarios…", nullptr, static_cast<int>(m_cards.size())));
    m_search->setAccessibleName(tr("Search scenarios"));
    m_lessonTitle->setText(tr("Learn:"));
    m_commands->setText(m_commandsOffered.commands ? tr("All Commands  %1")
                                                         .arg(m_commandsOffered.commands->shortcut().toString(
                                                             QKeySequence::NativeText))
                                                   : QString());
    m_noMatches->setText(tr("No matching scenario."));
    rebuildGroupLinks();
    showRecent();
    applyTheme();
    filter();
}

// The groups do not fit on one screen: there is a link to each.
void WelcomePage::rebuildGroupLinks()
{
    qDeleteAll(m_groupRow->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
    while (QLayoutItem* item = m_groupLinks->takeAt(0)) {
        delete item;
    }
    m_groupLinks->addStretch(1);
    for (ScenarioGrid* grid : m_grids) {
        auto* link = new QPushButton(grid->accessibleName(), m_groupRow);
        link->setObjectName("groupLink");
        link->setFlat(true);
        m_groupLinks->addWidget(link);
        link->show();
        connect(link, &QPushButton::clicked, this, [this, grid] { goTo(grid); });
    }
    m_groupLinks->addStretch(1);
}

void WelcomePage::showRecent()
{
    while (QLayoutItem* item = m_recentLayout->takeAt(0)) {
        if (QWidget* widget = item->widget()) {
            widget->hide();
            widget->deleteLater();
        }
        delete item;
    }
    const QStringList paths = m_recent->paths();
    m_recentRow->setVisible(!paths.isEmpty());
    m_recentLayout->addStretch(1);
    auto* words = new QLabel(tr("Recently opened:"), m_recentRow);
    m_recentLayout->addWidget(words);
    for (const QString& path : paths.mid(0, 4)) {
        const QString name = format::plain(QFileInfo(path).fileName().toStdString(), 32);
        auto* button = new QPushButton(QString(name).replace(u'&', QLatin1String("&&")), m_recentRow);
        button->setObjectName("recentFile");
        button->setToolTip(format::toolTip(path));
        button->setFlat(true);
        m_recentLayout->addWidget(button);
        button->show();
        connect(button, &QPushButton::clicked, this, [this, path] { emit fileChosen(path); });
    }
    m_recentLayout->addStretch(1);
}

void WelcomePage::applyTheme()
{
    const Palette& palette = m_theme->palette();
    // The style sheet comes first: it would reset the fonts.
    setStyleSheet(QStringLiteral("#welcomeFooter { background: %1; border-top: 1px solid %2; }"
                                 "#welcomeContent, QScrollArea { background: transparent; }"
                                 "QPushButton:flat { background: transparent; border-color: transparent; "
                                 "color: %3; padding: 4px 8px; }"
                                 "QPushButton:flat:hover { color: %4; }"
                                 "QPushButton:flat:focus { border-color: %5; }"
                                 "QPushButton[chosen=\"true\"] { color: %4; font-weight: 600; }"
                                 "#scenarioSearch { padding: 4px 14px; border-radius: 7px; }")
                      .arg(palette.header.name(), palette.cardBorder.name(), palette.textMuted.name(),
                           palette.text.name(), palette.accent.name()));
    QFont title = m_theme->fonts().number;
    title.setPointSizeF(title.pointSizeF() * 1.4);
    m_title->setFont(title);
    m_brand->setFont(m_theme->fonts().heading);
    QFont subtitle = m_theme->fonts().text;
    subtitle.setPointSizeF(subtitle.pointSizeF() * 1.1);
    m_subtitle->setFont(subtitle);
    m_search->setFont(subtitle);
    for (auto* button : m_waysRow->findChildren<QPushButton*>()) {
        button->setFont(subtitle);
    }
    for (auto* words : m_waysRow->findChildren<QLabel*>("wayWords")) {
        words->setFont(m_theme->fonts().small);
    }
    for (ScenarioGrid* grid : m_grids) {
        grid->applyTheme();
    }
    for (ScenarioCard* card : m_cards) {
        card->update();
    }
    update();
}

void WelcomePage::filter()
{
    for (ScenarioGrid* grid : m_grids) {
        grid->filter(m_search->text());
    }
    m_noMatches->setVisible(shownCards().empty());
    m_groupRow->setVisible(m_search->text().isEmpty());
    arrange();
}

std::vector<ScenarioCard*> WelcomePage::shownCards() const
{
    std::vector<ScenarioCard*> shown;
    std::copy_if(m_cards.begin(), m_cards.end(), std::back_inserter(shown),
                 [](const ScenarioCard* card) { return !card->isHidden(); });
    return shown;
}

void WelcomePage::arrange()
{
    const int side = sideMargin(width());
    m_column->setContentsMargins(side, 0, side, 24);
    m_footer->setSideMargin(side);
    const int room = width() - 2 * side - m_scroll->verticalScrollBar()->sizeHint().width();
    m_columns = ScenarioGrid::columnsIn(room);
    for (ScenarioGrid* grid : m_grids) {
        grid->arrange(m_columns, room);
    }
}

void WelcomePage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
}

void WelcomePage::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        rebuildCards();
    }
}

void WelcomePage::paintEvent(QPaintEvent*) { QPainter(this).fillRect(rect(), m_theme->palette().window); }

// Down moves to the first card, Enter starts it.
bool WelcomePage::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_search && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        const auto shown = shownCards();
        if (!shown.empty() && key == Qt::Key_Down) {
            shown.front()->setFocus();
            m_scroll->ensureWidgetVisible(shown.front());
            return true;
        }
        if (!shown.empty() && (key == Qt::Key_Return || key == Qt::Key_Enter)) {
            emit scenarioChosen(shown.front()->name(),
                                static_cast<QKeyEvent*>(event)->modifiers().testFlag(Qt::ShiftModifier));
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

// Moves across groups; up from the first row leads to the search.
void WelcomePage::moveFrom(const ScenarioCard* card, int key)
{
    const std::vector<ScenarioCard*> shown = shownCards();
    std::vector<QRect> places;
    for (const ScenarioCard* one : shown) {
        places.push_back(QRect(one->mapTo(m_scroll->widget(), QPoint()), one->size()));
    }
    const auto at = static_cast<std::size_t>(std::find(shown.begin(), shown.end(), card) - shown.begin());
    if (const std::optional<std::size_t> to = adjacentCard(places, at, key)) {
        shown[*to]->setFocus();
        m_scroll->ensureWidgetVisible(shown[*to], 0, 30);
    } else if (key == Qt::Key_Up) {
        m_search->setFocus();
        m_scroll->ensureVisible(0, 0);
    }
}

// Scrolls to the heading and focuses the first card.
void WelcomePage::goTo(ScenarioGrid* group)
{
    m_scroll->verticalScrollBar()->setValue(group->mapTo(m_scroll->widget(), QPoint()).y());
    for (ScenarioCard* card : shownCards()) {
        if (group->isAncestorOf(card)) {
            card->setFocus();
            return;
        }
    }
}

} // namespace lockscope::ui

#include "moc_welcome_page.cpp"
