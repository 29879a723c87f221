#include "ui/timeline/timeline_search_bar.h"

#include "ui/models/run/go_to_event.h"
#include "ui/models/style/format.h"
#include "ui/models/style/retranslate.h"
#include "ui/widgets/log_filter_edit.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QToolButton>

namespace lockscope::ui {

TimelineSearchBar::TimelineSearchBar(RunModel* run, Selection* selection, EventSearch* search, Theme* theme,
                                     QWidget* parent)
    : QWidget(parent)
    , m_run(run)
    , m_selection(selection)
    , m_search(search)
    , m_theme(theme)
    , m_edit(new LogFilterEdit(run, this))
    , m_result(new QLabel(this))
    , m_previous(new QToolButton(this))
    , m_next(new QToolButton(this))
    , m_close(new QToolButton(this))
{
    assemble();
    onRetranslate(this, [this] {
        m_edit->setAccessibleName(tr("Timeline search"));
        m_previous->setText(QStringLiteral("↑"));
        m_previous->setAccessibleName(tr("Previous match"));
        m_previous->setToolTip(tr("Previous match (Shift+F3)"));
        m_next->setText(QStringLiteral("↓"));
        m_next->setAccessibleName(tr("Next match"));
        m_next->setToolTip(tr("Next match (F3)"));
        m_close->setText(QStringLiteral("×"));
        m_close->setAccessibleName(tr("Close Search"));
        m_close->setToolTip(tr("Close the search (Esc)"));
        showResult();
    });
    connect(m_edit, &QLineEdit::textChanged, this, &TimelineSearchBar::apply);
    connect(m_previous, &QToolButton::clicked, this, &TimelineSearchBar::previous);
    connect(m_next, &QToolButton::clicked, this, &TimelineSearchBar::next);
    connect(m_close, &QToolButton::clicked, this, &TimelineSearchBar::close);
    connect(search, &EventSearch::changed, this, [this] {
        if (m_wanted)
            go(true);
        showResult();
    });
    connect(run, &RunModel::runChanged, this, [this] {
        m_at = EventIndex::none();
        m_wanted = false;
        showResult();
    });
    connect(theme, &Theme::changed, this, &TimelineSearchBar::applyTheme);
    applyTheme();
    hide();
}

void TimelineSearchBar::assemble()
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 2, 8, 2);
    row->setSpacing(4);
    row->addWidget(m_edit, 1);
    row->addWidget(m_result);
    for (QToolButton* button : {m_previous, m_next, m_close}) {
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::TabFocus);
        row->addWidget(button);
    }
    m_result->setObjectName("searchSaid");
    m_result->setTextFormat(Qt::PlainText);
    m_edit->setObjectName("timelineSearch");
    m_edit->installEventFilter(this);
}

void TimelineSearchBar::applyTheme()
{
    m_edit->setFont(m_theme->fonts().small);
    m_result->setFont(m_theme->fonts().small);
    showResult();
}

QString TimelineSearchBar::resultText() const { return m_result->text(); }

void TimelineSearchBar::open()
{
    show();
    m_edit->setFocus(Qt::ShortcutFocusReason);
    m_edit->selectAll();
    apply();
}

void TimelineSearchBar::close()
{
    m_search->setFilter({});
    m_at = EventIndex::none();
    m_wanted = false;
    hide();
    emit found(EventIndex::none());
    emit closed();
}

void TimelineSearchBar::apply()
{
    const auto [filter, fault] = parseLogFilter(m_edit->text());
    m_edit->markError(fault);
    m_search->setFilter(fault ? LogFilter{} : filter);
    m_at = EventIndex::none();
    m_wanted = false;
    emit found(EventIndex::none());
    showResult();
}

void TimelineSearchBar::next() { go(true); }

void TimelineSearchBar::previous() { go(false); }

// Searches from the match that was jumped to, else from the cursor. The first match follows the last.
void TimelineSearchBar::go(bool forward)
{
    if (isHidden()) {
        open();
        return;
    }
    m_wanted = false;
    const std::size_t count = m_search->count();
    const std::size_t from = m_at.valid()                    ? m_at.value + (forward ? 1u : 0u)
                             : forward && m_run->following() ? 0
                                                             : m_run->position();
    const std::size_t first = m_search->firstFrom(from);
    if (forward && first == count && m_search->searching())
        m_wanted = true;
    else if (count > 0) {
        m_wrapped = forward ? first == count : first == 0;
        goTo(forward ? (m_wrapped ? 0 : first) : (m_wrapped ? count : first) - 1);
    }
    showResult();
}

void TimelineSearchBar::goTo(std::size_t number)
{
    m_at = m_search->match(number);
    goToEvent(*m_run, *m_selection, m_at, m_run->store()->at(m_at).client);
    emit found(m_at);
}

QString TimelineSearchBar::words() const
{
    if (const auto fault = parseLogFilter(m_edit->text()).fault)
        return fault->message();
    if (!m_search->active())
        return {};
    const QString all = format::count(m_search->count());
    if (m_search->searching())
        return tr("%1 so far…").arg(all);
    if (m_search->count() == 0)
        return tr("no event matches");
    if (!m_at.valid())
        return tr("%Ln events match", nullptr, static_cast<int>(m_search->count()));
    const QString number = format::count(m_search->firstFrom(m_at.value) + 1);
    return (m_wrapped ? tr("%1 of %2, wrapped around") : tr("%1 of %2")).arg(number, all);
}

void TimelineSearchBar::showResult()
{
    const bool wrong = parseLogFilter(m_edit->text()).fault ||
                       (m_search->active() && !m_search->searching() && m_search->count() == 0);
    QPalette colours = m_theme->widgetPalette();
    colours.setColor(QPalette::WindowText,
                     wrong ? m_theme->palette().staleText : m_theme->palette().textMuted);
    m_result->setPalette(colours);
    m_result->setText(words());
    m_next->setEnabled(m_search->active());
    m_previous->setEnabled(m_search->active());
}

bool TimelineSearchBar::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_edit || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_Escape)
        close();
    else if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter)
        go(!key->modifiers().testFlag(Qt::ShiftModifier));
    else
        return QWidget::eventFilter(watched, event);
    return true;
}

} // namespace lockscope::ui

#include "moc_timeline_search_bar.cpp"
