#include "ui/lesson/lesson_panel.h"

#include "ui/lesson/lesson_text.h"
#include "ui/lesson/option_button.h"
#include "ui/lesson/step_dots.h"
#include "ui/models/style/format.h"
#include "ui/models/style/retranslate.h"
#include "ui/models/style/theme.h"
#include "ui/recipe/recipe_text.h"
#include "ui/texts/core_messages.h"
#include "ui/texts/terms.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <initializer_list>
#include <numeric>

namespace lockscope::ui {

using lesson::Bet;
using lesson::Question;
using lesson::Stage;

namespace {

constexpr int kSideMargin = 18;
constexpr int kMinTextWidth = 264;
constexpr qreal kTextSize = 1.12; // of the theme's
constexpr int kMaxNumber = 1'000'000;
constexpr int kMostDigits = 9;
constexpr int kNoNumber = -1;  // before the learner has entered one
constexpr int kLeastLines = 6; // of the text, above what is asked

QString answerText(const Question& question, const Bet& bet)
{
    return QString::fromStdString(lesson::words(question, bet, isChinese()));
}

} // namespace

LessonPanel::LessonPanel(const Theme* theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_title(new QLabel(this))
    , m_place(new QLabel(this))
    , m_dots(new StepDots(theme, this))
    , m_leave(new QPushButton(this))
    , m_elsewhere(new QLabel(this))
    , m_scroll(new QScrollArea(this))
    , m_back(new QPushButton(this))
    , m_redo(new QPushButton(this))
    , m_next(new QPushButton(this))
    , m_bet(new QPushButton(this))
{
    setObjectName("lessonPanel");
    setAttribute(Qt::WA_StyledBackground);
    m_title->setObjectName("lessonTitle");
    m_title->setWordWrap(true);
    m_place->setProperty("kind", "quiet");
    m_elsewhere->setObjectName("lessonElsewhere");
    m_elsewhere->setWordWrap(true);
    m_elsewhere->hide();
    m_leave->setObjectName("lessonLeave");
    m_back->setObjectName("lessonBack");
    m_redo->setObjectName("lessonRedo");
    m_next->setObjectName("lessonNext");
    m_bet->setObjectName("lessonBet");
    m_bet->setProperty("kind", "primary");
    m_bet->hide();
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setMinimumWidth(kMinTextWidth);
    auto* head = new QHBoxLayout;
    head->addWidget(m_dots);
    head->addStretch(1);
    head->addWidget(m_leave);
    auto* foot = new QHBoxLayout;
    foot->addWidget(m_back);
    foot->addWidget(m_redo);
    foot->addStretch(1);
    foot->addWidget(m_next);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kSideMargin, 12, kSideMargin, 12);
    column->setSpacing(8);
    column->addLayout(head);
    column->addWidget(m_title);
    column->addWidget(m_place);
    column->addWidget(m_elsewhere);
    column->addWidget(m_scroll, 1);
    column->addWidget(m_bet);
    column->addLayout(foot);
    connect(m_leave, &QPushButton::clicked, this, &LessonPanel::leaveRequested);
    connect(m_back, &QPushButton::clicked, this, &LessonPanel::backRequested);
    connect(m_redo, &QPushButton::clicked, this, [this] {
        forgetDraft(); // here, because a step that begins at once is never shown as preparing
        emit redoRequested();
    });
    connect(m_next, &QPushButton::clicked, this, &LessonPanel::nextRequested);
    connect(m_bet, &QPushButton::clicked, this, [this] { emit betMade(draftBet()); });
    onRetranslate(this, [this] { retranslate(); });
}

void LessonPanel::retranslate()
{
    //: a button: leaves the lesson
    m_leave->setText(tr("Leave"));
    m_leave->setToolTip(tr("Leaves the lesson. It continues at this step the next time."));
    m_back->setText(tr("‹ Back"));
    m_redo->setText(tr("Do It Again"));
    m_redo->setToolTip(tr("Plays this step from its beginning, in a new run."));
    m_bet->setText(tr("Place the Bet"));
    setShownRun(m_shownRun);
}

void LessonPanel::setShownRun(ShownRun shown)
{
    m_shownRun = shown;
    switch (shown) {
    case ShownRun::ofStep:
        break;
    case ShownRun::beforeStep:
        m_elsewhere->setText(tr("The views do not show this step yet."));
        break;
    case ShownRun::beforeChange:
        m_elsewhere->setText(tr("The views do not show this change yet."));
        break;
    case ShownRun::another:
        m_elsewhere->setText(tr("The views show another run. \"Do It Again\" returns to the lesson."));
        break;
    }
    m_elsewhere->setVisible(shown != ShownRun::ofStep);
}

void LessonPanel::clearBody()
{
    m_options.clear();
    m_moves.clear();
    m_takeBack = nullptr;
    m_noClient = nullptr;
    m_number = nullptr;
    m_nextLesson = nullptr;
    m_bet->hide();
    if (m_ask) {
        m_ask->hide();
        m_ask->deleteLater();
        m_ask = nullptr;
    }
    m_body = new QWidget;
    m_body->setObjectName("lessonBody");
    m_column = new QVBoxLayout(m_body);
    m_column->setContentsMargins(0, 4, 8, 4);
    m_column->setSpacing(10);
    if (QWidget* old = m_scroll->takeWidget()) {
        old->hide();
        old->deleteLater(); // the click that led here may still be in it
    }
    const Palette& palette = m_theme->palette();
    setStyleSheet(QStringLiteral("#lessonPanel, #lessonBody, #lessonPanel QScrollArea { background: %1; }"
                                 "#lessonAsk { background: %1; } #lessonElsewhere { color: %2; }")
                      .arg(palette.card.name(), palette.waitsText.name()));
    const auto scaled = [this](QFont font, qreal by = 1) {
        font.setPointSizeF(font.pointSizeF() * by * (m_lecture > 0 ? m_lecture : 1));
        return font;
    };
    m_title->setFont(scaled(m_theme->fonts().heading));
    m_body->setFont(scaled(m_theme->fonts().text, kTextSize));
    for (QWidget* part :
         std::initializer_list<QWidget*>{m_place, m_elsewhere, m_leave, m_back, m_redo, m_next})
        part->setFont(scaled(m_theme->fonts().text));
    m_bet->setFont(m_body->font());
}

void LessonPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitBody();
    placeAsk();
}

// Leaves room for the scroll bar even when it is hidden. Otherwise QScrollArea may keep a text, whose height
// depends on its width, as wide as without the bar, which then covers the end of the lines.
void LessonPanel::fitBody()
{
    if (m_body)
        m_body->setFixedWidth(
            std::max(0, m_scroll->width() - m_scroll->verticalScrollBar()->sizeHint().width()));
}

// What is added from here to endAsk() is what the step asks.
void LessonPanel::beginAsk()
{
    m_askPlace = m_column->count();
    m_ask = new QWidget(m_body);
    m_ask->setObjectName("lessonAsk");
    auto* column = new QVBoxLayout(m_ask);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(m_column->spacing());
    m_column->addWidget(m_ask);
    m_column = column;
}

void LessonPanel::endAsk() { m_column = static_cast<QVBoxLayout*>(m_body->layout()); }

// Under the text if all of it does not fit, and some lines of the text are left to scroll in.
void LessonPanel::placeAsk()
{
    if (!m_ask)
        return;
    auto* column = static_cast<QVBoxLayout*>(layout());
    const int width = m_body->width();
    const auto heightOf = [width](QLayoutItem& item) {
        return item.hasHeightForWidth() ? item.heightForWidth(width) : item.sizeHint().height();
    };
    const QMargins margins = column->contentsMargins();
    int room = height() - margins.top() - margins.bottom() + column->spacing();
    for (int i = 0; i < column->count(); ++i) {
        QLayoutItem& item = *column->itemAt(i);
        if (!item.isEmpty() && item.widget() != m_scroll && item.widget() != m_ask)
            room -= heightOf(item) + column->spacing();
    }
    room -= column->spacing();
    const int asked = m_ask->layout()->totalHeightForWidth(width) + column->spacing();
    const bool isPinned = m_ask->parentWidget() == this;
    const int all = m_body->layout()->totalHeightForWidth(width) + (isPinned ? asked : 0);
    const bool pins = all > room && room - asked >= kLeastLines * m_body->fontMetrics().lineSpacing();
    if (pins == isPinned)
        return;
    if (pins)
        column->insertWidget(column->indexOf(m_scroll) + 1, m_ask);
    else
        static_cast<QVBoxLayout*>(m_body->layout())->insertWidget(m_askPlace, m_ask);
    m_ask->show();
}

QLabel* LessonPanel::addText(const QString& text, const char* name, const QString& colour)
{
    auto* label = new QLabel(text, m_body);
    label->setObjectName(QString::fromLatin1(name));
    label->setWordWrap(true);
    label->setTextFormat(Qt::RichText);
    label->setFont(m_body->font());
    label->setTextInteractionFlags(Qt::LinksAccessibleByMouse);
    connect(label, &QLabel::linkHovered, label, [label](const QString& link) {
        if (const Term* term = findTerm(link.section(u':', 1)))
            QToolTip::showText(QCursor::pos(), format::toolTip(term->explanation()), label);
        else
            QToolTip::hideText();
    });
    connect(label, &QLabel::linkActivated, this,
            [this](const QString& link) { emit termRequested(link.section(u':', 1)); });
    if (!colour.isEmpty())
        label->setStyleSheet(QStringLiteral("color: %1;").arg(colour));
    m_column->addWidget(label);
    return label;
}

void LessonPanel::addMuted(const QString& text, const char* name)
{
    addText(text, name, m_theme->palette().textMuted.name());
}

QPushButton* LessonPanel::addButton(const QString& text, const char* name, bool primary)
{
    auto* button = new QPushButton(text, m_body);
    button->setFont(m_body->font());
    button->setObjectName(QString::fromLatin1(name));
    if (primary)
        button->setProperty("kind", "primary");
    m_column->addWidget(button);
    return button;
}

void LessonPanel::forgetDraft()
{
    m_chosen.clear();
    m_hands.clear();
    m_raised.clear();
    m_draftNumber = kNoNumber;
}

void LessonPanel::showPlayer(const lesson::Player* player, Place place)
{
    if (!player)
        return;
    if (m_step != &player->step() || player->record().stage == Stage::preparing)
        forgetDraft();
    m_step = &player->step();
    const bool hadFocus = isAncestorOf(focusWidget());
    clearBody();
    const lesson::Lesson& shown = player->lesson();
    const QString title = plainText(shown.title);
    m_title->setText(
        place.number > 0 ? tr("Lesson %1 of %2 · %3").arg(place.number).arg(place.count).arg(title) : title);
    std::vector<bool> done;
    for (std::size_t i = 0; i < shown.steps.size(); ++i)
        done.push_back(player->isDone(i));
    m_dots->setSteps(done, player->atEnd() ? shown.steps.size() : player->position());
    m_redo->setVisible(!player->atEnd());
    m_back->setEnabled(player->atEnd() || player->position() > 0);
    m_next->setVisible(!player->atEnd());
    if (player->atEnd())
        showEnd(*player, place);
    else
        showStep(*player);
    m_column->addStretch(1);
    fitBody();
    placeAsk();
    m_scroll->setWidget(m_body); // only now that it is complete, so that all of it appears at once
    if (asks())
        setTabOrder(m_options.empty() ? static_cast<QWidget*>(m_number) : m_options.back(), m_bet);
    if (!player->atEnd() && player->record().stage == Stage::done)
        QMetaObject::invokeMethod(this, &LessonPanel::revealAnswer,
                                  Qt::QueuedConnection); // when it is laid out
    if (player->puzzle() && !player->puzzle()->taken().empty() && player->record().stage == Stage::doing)
        QMetaObject::invokeMethod(this, &LessonPanel::revealMoves, Qt::QueuedConnection);
    if (player->mend() && player->mend()->changed() && player->record().stage == Stage::doing)
        QMetaObject::invokeMethod(this, &LessonPanel::revealProof, Qt::QueuedConnection);
    QWidget* first = m_nextLesson                   ? static_cast<QWidget*>(m_nextLesson)
                     : asks() && !m_options.empty() ? static_cast<QWidget*>(m_options.front())
                     : !m_moves.empty()             ? static_cast<QWidget*>(m_moves.front())
                     : m_number                     ? static_cast<QWidget*>(m_number)
                     : m_next->isHidden()           ? static_cast<QWidget*>(m_back)
                                                    : static_cast<QWidget*>(m_next);
    if (hadFocus || !window()->focusWidget())
        first->setFocus();
}

// The text is read: the task and the moves are at the top.
void LessonPanel::revealMoves()
{
    if (const auto* task = m_body ? m_body->findChild<QLabel*>(QStringLiteral("lessonTask")) : nullptr)
        m_scroll->verticalScrollBar()->setValue(task->y());
}

// The task is at the top, unless the verdict would then end below the panel.
void LessonPanel::revealProof()
{
    revealMoves();
    if (const auto* proved = m_body ? m_body->findChild<QLabel*>(QStringLiteral("lessonProved")) : nullptr)
        m_scroll->ensureVisible(0, proved->geometry().bottom(), 0, 0);
}

// Scrolls down to the explanation, but not past the verdict.
void LessonPanel::revealAnswer()
{
    const QList<QLabel*> labels = m_body ? m_body->findChildren<QLabel*>() : QList<QLabel*>();
    const auto named = [&](std::initializer_list<QLatin1String> names) {
        const QLabel* found = nullptr;
        for (const QLabel* label : labels)
            if (std::ranges::find(names, label->objectName()) != names.end())
                found = found && found->y() < label->y() ? found : label;
        return found;
    };
    const QLabel* verdict = named({QLatin1String("lessonVerdict"), QLatin1String("lessonAnswer")});
    const QLabel* after = named({QLatin1String("lessonAfter"), QLatin1String("lessonOtherRun")});
    if (!verdict || !after)
        return;
    constexpr int kMargin = 8;
    const int needed = after->geometry().bottom() + kMargin - m_scroll->viewport()->height();
    m_scroll->verticalScrollBar()->setValue(std::clamp(needed, 0, std::max(0, verdict->y() - kMargin)));
}

void LessonPanel::showStep(const lesson::Player& player)
{
    const lesson::Step& step = player.step();
    const lesson::StepRecord& record = player.record();
    m_place->setText(tr("Step %1 of %2 · %3")
                         .arg(player.position() + 1)
                         .arg(player.lesson().steps.size())
                         .arg(plainText(step.title)));
    addText(richText(step.text), "lessonText");
    const bool over = m_canGoOn = record.stage == Stage::done || step.isOnlyRead();
    m_next->setText(over ? tr("Next ›") : tr("Skip ›"));
    m_next->setProperty("kind", over ? "primary" : "");
    m_next->setStyle(m_next->style()); // its style depends on the property
    if (record.stage == Stage::failed) {
        addText(record.failure ? format::plain(record.failure->text()).toHtmlEscaped() : QString(),
                "lessonFailure", m_theme->palette().staleText.name());
    } else if (record.stage == Stage::preparing) {
        addMuted(player.mend() ? tr("Looking for the way in which it breaks…")
                 : record.standstill == lesson::Standstill::late
                     ? tr("The run has still not reached the beginning of this step. \"Do It Again\" starts "
                          "a new run.")
                     : tr("The clients are starting…"),
                 "lessonWaiting");
    } else if (step.question) {
        showQuestion(player);
    } else if (step.task) {
        showTask(player);
    }
    if (record.standstill == lesson::Standstill::over)
        addMuted(tr("This run is over. \"Do It Again\" starts a new one."), "lessonOver");
    showLearned(player);
}

void LessonPanel::showQuestion(const lesson::Player& player)
{
    const lesson::StepRecord& record = player.record();
    if (record.stage == Stage::asking)
        beginAsk();
    addText(QStringLiteral("<b>%1</b>").arg(plainText(player.step().question->text).toHtmlEscaped()),
            "lessonQuestion");
    if (record.stage == Stage::asking) {
        showOptions(*player.step().question, player);
        endAsk();
    } else if (record.stage == Stage::revealing)
        addMuted(tr("The run continues…"), "lessonWaiting");
    else
        showAnswer(player);
}

OptionButton* LessonPanel::addOption(const QString& text, bool several)
{
    const std::size_t place = m_options.size();
    auto* option = new OptionButton(m_theme, static_cast<int>(place) + 1, text,
                                    several ? OptionButton::Mark::several : OptionButton::Mark::one, m_body);
    option->setObjectName(QStringLiteral("lessonOption%1").arg(place + 1));
    option->setFont(m_body->font());
    m_column->addWidget(option);
    m_options.push_back(option);
    if (m_lecture > 0) {
        connect(option, &QAbstractButton::clicked, this, [this, place] { raiseHands(place, 1); });
        connect(option, &OptionButton::handLowered, this, [this, place] { raiseHands(place, -1); });
        return option;
    }
    connect(option, &QAbstractButton::clicked, this, [this, option, several] {
        for (OptionButton* other : m_options)
            if (other != option && (!several || option == m_noClient || other == m_noClient))
                other->setChecked(false);
        if (!several)
            option->setChecked(true);
        chose();
    });
    return option;
}

void LessonPanel::showOptions(const Question& question, const lesson::Player& player)
{
    m_bet->show();
    switch (question.kind) {
    case Question::Kind::options:
        for (const lesson::Option& option : question.options)
            addOption(plainText(option.text), false);
        break;
    case Question::Kind::number:
        m_number = new QSpinBox(m_body);
        m_number->setObjectName("lessonNumber");
        m_number->setRange(kNoNumber, kMaxNumber);
        m_number->setSpecialValueText(QStringLiteral(" ")); // an empty text would show the number
        m_number->setValue(m_draftNumber);
        m_number->setAccessibleName(plainText(question.text));
        m_column->addWidget(m_number);
        connect(m_number, &QSpinBox::valueChanged, this, [this](int value) {
            m_draftNumber = value;
            chose();
        });
        break;
    case Question::Kind::who:
        for (const sim::Participant& client : sim::participants(*player.step().scenario))
            addOption(QString::fromStdString(client.name), true);
        m_noClient = addOption(tr("No client"), true);
        break;
    }
    for (const int chosen : m_chosen)
        if (chosen < static_cast<int>(m_options.size()))
            m_options.at(static_cast<std::size_t>(chosen))->setChecked(true);
    if (m_lecture > 0)
        chooseByHands();
    if (m_lecture > 0 && !m_options.empty())
        addMuted(tr("Each click or digit counts one hand, a right click or Backspace takes one back. Most "
                    "hands win."),
                 "lessonHandsHint");
    else if (m_noClient && player.step().until) // otherwise the picture has no client yet
        addMuted(tr("Or click the clients in the diagram."), "lessonPointHint");
    chose();
}

bool LessonPanel::asks() const { return !m_bet->isHidden(); }

Bet LessonPanel::draftBet() const
{
    Bet bet;
    bet.number = static_cast<std::uint64_t>(std::max(0, m_draftNumber));
    if (!m_chosen.empty() && !m_noClient)
        bet.option = static_cast<std::size_t>(m_chosen.front());
    for (const int chosen : m_chosen)
        if (const OptionButton* option = m_options.at(static_cast<std::size_t>(chosen));
            m_noClient && option != m_noClient)
            bet.clients.push_back(option->text().toStdString());
    return bet;
}

void LessonPanel::chose()
{
    m_chosen.clear();
    for (std::size_t i = 0; i < m_options.size(); ++i)
        if (m_options[i]->isChecked())
            m_chosen.push_back(static_cast<int>(i));
    m_bet->setEnabled(m_number ? m_draftNumber != kNoNumber : !m_chosen.empty());
    m_bet->setToolTip(m_bet->isEnabled() ? QString() : tr("Choose an answer first."));
}

void LessonPanel::raiseHands(std::size_t option, int more)
{
    m_hands.resize(m_options.size());
    if (more > 0)
        m_raised.push_back(option);
    else if (const auto last = std::find(m_raised.rbegin(), m_raised.rend(), option); last != m_raised.rend())
        m_raised.erase(std::next(last).base());
    m_hands[option] = std::max(0, m_hands[option] + more);
    chooseByHands();
    chose();
}

// Chooses the answers with the most hands; where only one can be right, the first of them.
void LessonPanel::chooseByHands()
{
    m_hands.resize(m_options.size());
    const int most = m_hands.empty() ? 0 : *std::max_element(m_hands.begin(), m_hands.end());
    bool chosen = false;
    for (std::size_t i = 0; i < m_options.size(); ++i) {
        const bool wins = most > 0 && m_hands[i] == most && !(chosen && !m_noClient);
        m_options[i]->setChecked(wins);
        m_options[i]->setHands(m_hands[i]);
        chosen = chosen || wins;
    }
}

int LessonPanel::handsFor(const Question& question, const Bet& answer) const
{
    if (question.kind == Question::Kind::options)
        return answer.option < m_hands.size() ? m_hands[answer.option] : 0;
    int hands = 0;
    const auto clients = sim::participants(*m_step->scenario);
    for (std::size_t i = 0; i < m_hands.size(); ++i) {
        const bool right = i < clients.size() ? std::find(answer.clients.begin(), answer.clients.end(),
                                                          clients[i].name) != answer.clients.end()
                                              : answer.clients.empty(); // "No client"
        hands += right ? m_hands[i] : 0;
    }
    return hands;
}

void LessonPanel::setLecture(double scale) { m_lecture = scale; }

void LessonPanel::chooseClient(const QString& name)
{
    if (!m_noClient)
        return;
    for (OptionButton* option : m_options)
        if (option != m_noClient && option->text() == name && !option->isChecked())
            option->click();
}

void LessonPanel::showAnswer(const lesson::Player& player)
{
    const lesson::Step& step = player.step();
    const lesson::StepRecord& record = player.record();
    const Palette& palette = m_theme->palette();
    const bool right = record.right(step);
    if (record.bet) {
        addText(QStringLiteral("<b>%1</b>").arg(right ? tr("✓ Right.") : tr("✗ The run says otherwise.")),
                "lessonVerdict", (right ? palette.holdsText : palette.staleText).name());
        addMuted(tr("Your bet: %1").arg(answerText(*step.question, *record.bet).toHtmlEscaped()),
                 "lessonBetText");
    }
    if (record.answer) {
        const QString answer =
            record.answer->is ? answerText(*step.question, *record.answer->is) : tr("none of these");
        addText(tr("The run: %1").arg(QStringLiteral("<b>%1</b>").arg(answer.toHtmlEscaped())),
                "lessonAnswer");
        if (const lesson::Text* betrays =
                record.bet ? lesson::betrayedBy(*step.question, *record.bet, *record.answer) : nullptr)
            addText(richText(*betrays), "lessonBetrays");
        if (const int raised = std::accumulate(m_hands.begin(), m_hands.end(), 0);
            raised > 0 && record.answer->is)
            addText(tr("%1 of %n hands were right.", nullptr, raised)
                        .arg(handsFor(*step.question, *record.answer->is)),
                    "lessonHands");
        if (record.answer->proof.valid()) {
            QPushButton* proof = addButton(tr("Show the Event That Proves It"), "lessonProof", false);
            connect(proof, &QPushButton::clicked, this, &LessonPanel::proofRequested);
        }
    }
    showAfter(player);
}

// Shows the author's text only if it is true of this run: the learner may have ended what it describes.
void LessonPanel::showAfter(const lesson::Player& player)
{
    const lesson::Step& step = player.step();
    if (player.record().afterHolds && !step.after.empty())
        addText(richText(step.after), "lessonAfter");
    for (const lesson::Text* remark : player.record().remarks)
        addText(richText(*remark), "lessonRemark");
    if (!player.record().afterHolds)
        addMuted(tr("This run did not go as the lesson explains. \"Do It Again\" plays the step again."),
                 "lessonOtherRun");
}

void LessonPanel::showTask(const lesson::Player& player)
{
    const lesson::Step& step = player.step();
    const lesson::StepRecord& record = player.record();
    const Palette& palette = m_theme->palette();
    const bool asks = record.stage == Stage::doing && !player.mend() && !player.puzzle();
    if (asks)
        beginAsk();
    addText(QStringLiteral("<b>%1</b>").arg(plainText(step.task->text).toHtmlEscaped()), "lessonTask");
    for (std::size_t i = 0; i < record.hints; ++i)
        addMuted(plainText(step.task->hints[i]).toHtmlEscaped(), "lessonHint");
    if (record.stage == Stage::done) {
        const std::optional<std::size_t> moves = record.moves;
        const QString done =
            moves ? tr("✓ Done in %n moves.", nullptr, static_cast<int>(*moves)) : tr("✓ Done.");
        addText(QStringLiteral("<b>%1</b>").arg(done), "lessonVerdict", palette.holdsText.name());
        addChange(record.change);
        if (!record.verdict.english().empty())
            addText(translateMessage(record.verdict).toHtmlEscaped(), "lessonProved",
                    palette.holdsText.name());
        if (moves)
            addMuted(shortestText(*step.task->puzzle), "lessonShortest");
        if (record.goalAtStart)
            addMuted(tr("This was so before you did anything: a mistake of the lesson file."),
                     "lessonGoalAtStart");
        showAfter(player);
        if (step.task->mend)
            addAlgorithm(*step.task->mend, record.change);
        return;
    }
    if (player.mend())
        showMend(*step.task->mend, *player.mend(), record);
    if (lesson::PuzzleGame* game = player.puzzle())
        showMoves(*game, *step.task->puzzle);
    if (record.hints < step.task->hints.size())
        connect(addButton(tr("Give Me a Hint"), "lessonHintButton", false), &QPushButton::clicked, this,
                &LessonPanel::hintRequested);
    if (asks)
        endAsk();
}

QString LessonPanel::shortestText(const lesson::Puzzle& puzzle)
{
    return tr("The shortest known way has %n moves.", nullptr, static_cast<int>(puzzle.solution.size()));
}

// Those of each client under its name, then what concerns no client, then the faults.
void LessonPanel::showMoves(lesson::PuzzleGame& game, const lesson::Puzzle& puzzle)
{
    const std::size_t taken = game.taken().size();
    addMuted(tr("Moves so far: %1.").arg(taken) + u' ' + shortestText(puzzle), "lessonMovesSoFar");
    const std::vector<lesson::PuzzleGame::Move> moves = game.moves();
    QString group;
    for (const lesson::PuzzleGame::Move& move : moves) {
        const QString heading = move.fault               ? tr("Faults (%1 left)").arg(game.faultsLeft())
                                : move.is.client.empty() ? tr("Everybody")
                                                         : QString::fromStdString(move.is.client);
        if (heading != group)
            addText(QStringLiteral("<b>%1</b>").arg(heading.toHtmlEscaped()), "lessonMovesOf");
        group = heading;
        connect(addMove(translateMessage(move.text), OptionButton::Mark::none), &QAbstractButton::clicked,
                this, [this, step = move.step] { emit moveMade(step); });
    }
    if (game.isOver())
        addMuted(tr("Nothing else can happen any more."), "lessonNoMoves");
    m_takeBack = addButton(tr("Take Back a Move"), "lessonTakeBack", false);
    m_takeBack->setEnabled(taken > 0);
    connect(m_takeBack, &QPushButton::clicked, this, &LessonPanel::takeBackRequested);
}

// What the last proof says, the algorithm, and the changes by choice.
void LessonPanel::showMend(const lesson::Mend& mend, const lesson::MendGame& game,
                           const lesson::StepRecord& record)
{
    const std::optional<lesson::MendChange>& changed = game.changed();
    addChange(changed);
    if (record.verdict.english().empty())
        addMuted(tr("Every schedule is being tried…"), "lessonProving");
    else
        addText(translateMessage(record.verdict).toHtmlEscaped(), "lessonProved",
                m_theme->palette().staleText.name());
    addAlgorithm(mend, changed);
    addText(QStringLiteral("<b>%1</b>").arg(tr("Change one thing:")), "lessonMovesOf");
    for (const lesson::MendChange& change : game.changes()) {
        OptionButton* button = addMove(changeText(change), OptionButton::Mark::one);
        button->setChecked(changed == change);
        connect(button, &QAbstractButton::clicked, this, [this, change] { emit changeMade(change); });
    }
}

QString LessonPanel::changeText(const lesson::MendChange& change)
{
    const explore::ChoiceRow& row = explore::choiceRows()[static_cast<std::size_t>(change.choice)];
    //: a choice of a recipe, and the option to take: "The node: ephemeral: it goes with its session"
    return tr("%1: %2").arg(translateMessage(row.title), translateMessage(row.options[change.option].label));
}

void LessonPanel::addChange(const std::optional<lesson::MendChange>& change)
{
    if (change)
        addText(
            tr("Your change: %1").arg(QStringLiteral("<b>%1</b>").arg(changeText(*change).toHtmlEscaped())),
            "lessonChange");
}

void LessonPanel::addAlgorithm(const lesson::Mend& mend, const std::optional<lesson::MendChange>& change)
{
    addText(algorithmHtml(withChange(mend.recipe, change),
                          change ? std::optional(change->choice) : std::nullopt, m_theme->palette()),
            "lessonAlgorithm")
        ->setFont(m_theme->fonts().mono);
}

OptionButton* LessonPanel::addMove(const QString& text, OptionButton::Mark mark)
{
    const int number = static_cast<int>(m_moves.size()) + 1;
    auto* move = new OptionButton(m_theme, number <= kMostDigits ? number : 0, text, mark, m_body);
    move->setObjectName(QStringLiteral("lessonMove%1").arg(number));
    move->setFont(m_body->font());
    m_column->addWidget(move);
    m_moves.push_back(move);
    return move;
}

void LessonPanel::showLearned(const lesson::Player& player)
{
    const std::vector<const lesson::Text*> learned = player.learned();
    const bool open = !player.atEnd() && player.record().stage == Stage::asking; // a question is open
    if (learned.empty())
        return;
    const Palette& palette = m_theme->palette();
    m_column->addSpacing(6);
    addMuted(QStringLiteral("<b>%1</b>").arg(tr("What you know so far")), "lessonLearnedTitle");
    for (const lesson::Text* sentence : learned)
        addText(QStringLiteral("✓ %1").arg(plainText(*sentence).toHtmlEscaped()), "lessonLearned",
                palette.holdsText.name());
    if (open)
        addText(QStringLiteral("? %1").arg(plainText(player.step().title).toHtmlEscaped()), "lessonOpen");
}

void LessonPanel::showEnd(const lesson::Player& player, Place place)
{
    m_place->setText(tr("The end of the lesson"));
    std::size_t right = 0;
    std::size_t bets = 0;
    for (std::size_t i = 0; i < player.lesson().steps.size(); ++i)
        if (const lesson::StepRecord* record = player.recordOf(i); record && record->bet) {
            ++bets;
            right += record->right(player.lesson().steps[i]) ? 1 : 0;
        }
    if (bets > 0)
        addText(tr("%1 of %n bets were right.", nullptr, static_cast<int>(bets)).arg(right), "lessonScore");
    showSkipped(player);
    showLearned(player);
    if (place.number > 0 && place.number < place.count) {
        m_nextLesson = addButton(tr("Next Lesson"), "lessonNextLesson", true);
        connect(m_nextLesson, &QPushButton::clicked, this, &LessonPanel::nextLessonRequested);
    }
}

void LessonPanel::showSkipped(const lesson::Player& player)
{
    const std::set<std::size_t> skipped = player.skipped();
    if (skipped.empty())
        return;
    addMuted(tr("You skipped %Ln steps: the lesson does not count as done yet.", nullptr,
                static_cast<int>(skipped.size())),
             "lessonSkipped");
    for (const std::size_t step : skipped) {
        //: a button that leads there: the number and the title of a step of the lesson
        const QString text =
            tr("Step %1: %2").arg(step + 1).arg(plainText(player.lesson().steps[step].title));
        QPushButton* way = addButton(text, "lessonSkippedStep" + QByteArray::number(step + 1), false);
        connect(way, &QPushButton::clicked, this, [this, step] { emit stepRequested(step); });
    }
}

QPoint LessonPanel::pointerStart(bool atLeft) const
{
    const auto* label = m_body ? m_body->findChild<QLabel*>(QStringLiteral("lessonText")) : nullptr;
    const int y = label ? label->mapTo(this, label->rect().center()).y() : height() / 3;
    return {atLeft ? 0 : width(), std::clamp(y, 0, height())};
}

void LessonPanel::keyPressEvent(QKeyEvent* event)
{
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    const int digit = event->key() - Qt::Key_0;
    if (digit >= 1 && digit <= kMostDigits && digit <= static_cast<int>(m_moves.size())) {
        m_moves.at(static_cast<std::size_t>(digit - 1))->click();
    } else if (event->key() == Qt::Key_Backspace && m_takeBack && m_takeBack->isEnabled()) {
        m_takeBack->click();
    } else if (asks() && digit >= 1 && digit <= static_cast<int>(m_options.size())) {
        OptionButton* option = m_options.at(static_cast<std::size_t>(digit - 1));
        option->click();
        m_scroll->ensureWidgetVisible(option);
    } else if (enter && asks()) {
        if (m_bet->isEnabled())
            m_bet->click();
    } else if (enter && m_nextLesson) {
        m_nextLesson->click();
    } else if (enter && m_next->isVisible() && m_canGoOn) {
        m_next->click();
    } else if (event->key() == Qt::Key_Backspace && asks() && !m_raised.empty()) {
        raiseHands(m_raised.back(), -1);
    } else if (event->key() == Qt::Key_Backspace && m_back->isEnabled()) {
        m_back->click();
    } else {
        QWidget::keyPressEvent(event);
    }
}

} // namespace lockscope::ui

#include "moc_lesson_panel.cpp"
