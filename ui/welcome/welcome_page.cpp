#include "ui/welcome/welcome_page.h"

#include "ui/models/format.h"
#include "ui/models/look.h"
#include "ui/welcome/recent_files.h"
#include "ui/welcome/story_card.h"
#include "ui/welcome/story_grid.h"
#include "ui/welcome/welcome_foot.h"

#include <QAction>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace lockscope::ui {

namespace {

constexpr int kSearchWidth = 660;

int sideOf(int width) { return std::max(24, width * 38 / 1000); }

} // namespace

WelcomePage::WelcomePage(const Look* look, RecentFiles* recent, Offers offers, QWidget* parent)
    : QWidget(parent)
    , m_look(look)
    , m_recent(recent)
    , m_offers(std::move(offers))
    , m_title(new QLabel(this))
    , m_subtitle(new QLabel(this))
    , m_search(new QLineEdit(this))
    , m_commands(new QPushButton(this))
    , m_recentRow(new QWidget(this))
    , m_recentLayout(new QHBoxLayout(m_recentRow))
    , m_groupRow(new QWidget(this))
    , m_groupLinks(new QHBoxLayout(m_groupRow))
    , m_brand(new QLabel(this))
    , m_nothing(new QLabel(this))
    , m_scroll(new QScrollArea(this))
    , m_foot(new WelcomeFoot(m_offers.buttons, this))
{
    setObjectName("welcomePage");
    assemble();
    addQuiet(m_offers.quiet);
    connect(look, &Look::changed, this, &WelcomePage::restyle);
    connect(recent, &RecentFiles::changed, this, &WelcomePage::showRecent);
    connect(m_search, &QLineEdit::textChanged, this, &WelcomePage::filter);
    m_search->installEventFilter(this);
    tellStories();
}

void WelcomePage::assemble()
{
    auto* content = new QWidget(m_scroll);
    content->setObjectName("welcomeContent");
    m_groupColumn = new QVBoxLayout(content);
    m_groupColumn->setSpacing(8);
    m_groupColumn->addWidget(head());
    m_nothing->setAlignment(Qt::AlignCenter);
    m_groupColumn->addWidget(m_nothing);
    m_groupColumn->addStretch(1);
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
    column->addWidget(m_foot);
}

QWidget* WelcomePage::head()
{
    auto* head = new QWidget(this);
    auto* column = new QVBoxLayout(head);
    column->setContentsMargins(0, 18, 0, 10);
    column->setSpacing(8);
    m_title->setAlignment(Qt::AlignCenter);
    m_subtitle->setAlignment(Qt::AlignCenter);
    m_subtitle->setWordWrap(true);
    m_subtitle->setProperty("kind", "quiet");
    m_search->setObjectName("storySearch");
    m_search->setMaximumWidth(kSearchWidth);
    m_search->setMinimumHeight(40);
    m_commands->setObjectName("commandsButton");
    m_commands->setMinimumHeight(40);
    m_commands->setVisible(m_offers.commands != nullptr);
    if (m_offers.commands) {
        connect(m_commands, &QPushButton::clicked, m_offers.commands, &QAction::trigger);
    }
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    row->addWidget(m_search, 100);
    row->addWidget(m_commands);
    row->addStretch(1);
    m_recentLayout->setContentsMargins(0, 4, 0, 0);
    m_groupLinks->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_title);
    column->addWidget(m_subtitle);
    column->addSpacing(4);
    column->addLayout(row);
    column->addWidget(m_recentRow);
    column->addWidget(m_groupRow);
    return head;
}

void WelcomePage::addQuiet(const QList<QAction*>& actions) { m_foot->addQuiet(actions); }

void WelcomePage::setCorner(QWidget* widget)
{
    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, 12, 0, 0);
    row->addWidget(m_brand);
    row->addStretch(1);
    row->addWidget(widget);
    m_groupColumn->insertLayout(0, row);
}

int WelcomePage::footHeight() const { return m_foot->height(); }

void WelcomePage::tellStories()
{
    qDeleteAll(m_grids);
    m_grids.clear();
    m_cards.clear();
    StoryGroup group{};
    for (const Story& story : builtInStories()) {
        if (m_grids.empty() || story.group != group) {
            group = story.group;
            m_grids.push_back(new StoryGrid(group, m_look, this));
            m_groupColumn->insertWidget(m_groupColumn->count() - 1, m_grids.back());
        }
        auto* card = new StoryCard(story, m_look, m_grids.back());
        m_grids.back()->add(card);
        m_cards.push_back(card);
        connect(card, &StoryCard::chosen, this,
                [this, card](bool stepped) { emit storyChosen(card->name(), stepped); });
        card->setToolTip(tr("Enter or a click starts it, Shift+Enter starts it step by step."));
        connect(card, &StoryCard::moveWanted, this, [this, card](int key) { moveFrom(card, key); });
    }
    m_brand->setText(tr("LockScope"));
    m_title->setText(tr("See a distributed lock work"));
    m_subtitle->setText(tr("Real clients, a real ZooKeeper, every step on screen. Pick a story, or open a "
                           "scenario or a trace."));
    m_search->setPlaceholderText(tr("Search %n scenarios…", nullptr, static_cast<int>(m_cards.size())));
    m_search->setAccessibleName(tr("Search the scenarios"));
    m_commands->setText(
        m_offers.commands
            ? tr("All commands  %1").arg(m_offers.commands->shortcut().toString(QKeySequence::NativeText))
            : QString());
    m_nothing->setText(tr("No scenario has these words."));
    linkGroups();
    showRecent();
    restyle();
    filter();
}

// All groups do not fit on a screen: each is one click away.
void WelcomePage::linkGroups()
{
    qDeleteAll(m_groupRow->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
    while (QLayoutItem* item = m_groupLinks->takeAt(0)) {
        delete item;
    }
    m_groupLinks->addStretch(1);
    for (StoryGrid* grid : m_grids) {
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
    auto* words = new QLabel(tr("Opened last:"), m_recentRow);
    m_recentLayout->addWidget(words);
    for (const QString& path : paths.mid(0, 4)) {
        auto* button =
            new QPushButton(format::plain(QFileInfo(path).fileName().toStdString(), 32), m_recentRow);
        button->setObjectName("recentFile");
        button->setToolTip(format::toolTip(path));
        button->setFlat(true);
        m_recentLayout->addWidget(button);
        button->show();
        connect(button, &QPushButton::clicked, this, [this, path] { emit fileChosen(path); });
    }
    m_recentLayout->addStretch(1);
}

void WelcomePage::restyle()
{
    const Palette& palette = m_look->palette();
    // The sheet first: it would take the fonts back.
    setStyleSheet(QStringLiteral("#welcomeFoot { background: %1; border-top: 1px solid %2; }"
                                 "#welcomeContent, QScrollArea { background: transparent; }"
                                 "QPushButton:flat { background: transparent; border-color: transparent; "
                                 "color: %3; padding: 4px 8px; }"
                                 "QPushButton:flat:hover { color: %4; }"
                                 "QPushButton:flat:focus { border-color: %5; }"
                                 "QPushButton[chosen=\"true\"] { color: %4; font-weight: 600; }"
                                 "#storySearch { padding: 4px 14px; border-radius: 7px; }")
                      .arg(palette.header.name(), palette.cardBorder.name(), palette.textMuted.name(),
                           palette.text.name(), palette.accent.name()));
    QFont title = m_look->fonts().number;
    title.setPointSizeF(title.pointSizeF() * 1.4);
    m_title->setFont(title);
    m_brand->setFont(m_look->fonts().heading);
    QFont subtitle = m_look->fonts().text;
    subtitle.setPointSizeF(subtitle.pointSizeF() * 1.1);
    m_subtitle->setFont(subtitle);
    m_search->setFont(subtitle);
    for (StoryGrid* grid : m_grids) {
        grid->restyle();
    }
    for (StoryCard* card : m_cards) {
        card->update();
    }
    update();
}

void WelcomePage::filter()
{
    for (StoryGrid* grid : m_grids) {
        grid->filter(m_search->text());
    }
    m_nothing->setVisible(shownCards().empty());
    m_groupRow->setVisible(m_search->text().isEmpty());
    arrange();
}

std::vector<StoryCard*> WelcomePage::shownCards() const
{
    std::vector<StoryCard*> shown;
    std::copy_if(m_cards.begin(), m_cards.end(), std::back_inserter(shown),
                 [](const StoryCard* card) { return !card->isHidden(); });
    return shown;
}

void WelcomePage::arrange()
{
    const int side = sideOf(width());
    m_groupColumn->setContentsMargins(side, 0, side, 24);
    m_foot->setSide(side);
    const int room = width() - 2 * side - m_scroll->verticalScrollBar()->sizeHint().width();
    m_columns = StoryGrid::columnsIn(room);
    for (StoryGrid* grid : m_grids) {
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
        tellStories();
    }
}

void WelcomePage::paintEvent(QPaintEvent*) { QPainter(this).fillRect(rect(), m_look->palette().window); }

} // namespace lockscope::ui
