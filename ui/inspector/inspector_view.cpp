#include "ui/inspector/inspector_view.h"

#include "ui/inspector/handoff_bar.h"
#include "ui/inspector/inspector_model.h"
#include "ui/inspector/inspector_table.h"
#include "ui/models/run/go_to_event.h"
#include "ui/models/run/run_model.h"
#include "ui/models/style/command_table.h"
#include "ui/models/style/format.h"
#include "ui/models/style/retranslate.h"
#include "ui/texts/inspection_copy.h"
#include "ui/widgets/panel_parts.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace lockscope::ui {

namespace {
constexpr std::size_t kMaxHistory = 100;
} // namespace

InspectorView::InspectorView(RunModel* run, Selection* selection, Theme* theme, QWidget* parent)
    : QWidget(parent)
    , m_run(run)
    , m_selection(selection)
    , m_theme(theme)
    , m_model(new InspectorModel(run, selection, this))
    , m_table(new InspectorTable(m_model, theme, this))
    , m_back(addCommandTo(this, "inspector.back", [this] { goBack(); }))
    , m_copyText(addCommandTo(this, "inspector.copyText", [this] { copyText(); }))
    , m_copyJson(addCommandTo(this, "inspector.copyJson", [this] { copyJson(); }))
{
    build();
    m_model->setShown(false);
    connect(m_table, &InspectorTable::linkFollowed, this, &InspectorView::follow);
    connect(m_table, &QWidget::customContextMenuRequested, this, &InspectorView::showMenu);
    connect(m_model, &InspectorModel::subjectChanged, this, &InspectorView::updateSubject);
    connect(selection, &Selection::changed, this, &InspectorView::updateSubject);
    connect(run, &RunModel::stateChanged, this, &InspectorView::updateSubject);
    connect(run, &RunModel::stateChanged, m_table, &PlainTable::layOutNow);
    connect(run, &RunModel::runChanged, this, [this] {
        m_history.clear();
        updateSubject();
    });
    connect(theme, &Theme::changed, this, &InspectorView::applyTheme);
    applyTheme();
    updateSubject();
}

void InspectorView::build()
{
    onRetranslate(this, [this] { retranslate(); });
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    auto* buttons = new QHBoxLayout;
    buttons->setContentsMargins(8, 2, 8, 4);
    for (QAction* action : {m_back, m_copyText, m_copyJson}) {
        auto* button = new QToolButton(this);
        button->setAutoRaise(true);
        button->setToolButtonStyle(Qt::ToolButtonTextOnly);
        button->setDefaultAction(action);
        button->setFocusPolicy(Qt::TabFocus);
        buttons->addWidget(button);
        if (action == m_back)
            buttons->addStretch(1);
    }
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(new HandoffBar(m_model, m_theme, this));
    column->addWidget(m_table, 1);
    column->addLayout(buttons);
    setFocusProxy(m_table);
}

void InspectorView::retranslate()
{
    //: name of a card for screen readers: all that is known of the selected item
    setAccessibleName(tr("Inspector"));
    m_table->setAccessibleName(tr("Inspector"));
    m_table->setEmptyText(m_model->emptyText());
}

void InspectorView::showEvent(QShowEvent* event)
{
    m_model->setShown(true);
    updateSubject();
    QWidget::showEvent(event);
}

void InspectorView::hideEvent(QHideEvent* event)
{
    m_model->setShown(false);
    QWidget::hideEvent(event);
}

void InspectorView::applyTheme()
{
    for (QToolButton* button : findChildren<QToolButton*>())
        button->setFont(m_theme->fonts().small);
}

void InspectorView::updateSubject()
{
    const bool something = m_selection->now().kind != Selected::Kind::nothing && m_run->hasRun();
    m_copyText->setEnabled(something);
    m_copyJson->setEnabled(something);
    m_back->setEnabled(!m_history.empty());
    m_table->setEmptyText(m_model->emptyText());
    const Inspection& subject = m_model->subject();
    if (subject.what.kind != m_shown.kind)
        m_table->scrollToTop();
    m_shown = subject.what;
    const QString caption =
        subject.title.isEmpty() ? subject.kind : tr("%1 · %2").arg(subject.kind, subject.title);
    setCaption(caption);
}

// ---- links -----------------------------------------------------------------------------------------------

void InspectorView::follow(const QModelIndex& cell)
{
    const Fact fact = m_model->fact(cell.row());
    if (cell.column() == InspectorModel::Event) {
        goTo(fact.event);
        return;
    }
    remember();
    m_selection->select(fact.target);
    updateSubject();
}

void InspectorView::goTo(EventIndex event)
{
    const trace::TraceStore* store = m_run->store();
    if (!store || !event.valid() || event.value >= store->count())
        return;
    remember();
    goToEvent(*m_run, *m_selection, event, store->at(event).client);
    updateSubject();
}

void InspectorView::remember()
{
    if (m_history.size() == kMaxHistory)
        m_history.erase(m_history.begin());
    m_history.push_back({m_selection->now(), m_run->position(), m_run->following()});
}

void InspectorView::goBack()
{
    if (m_history.empty())
        return;
    const HistoryEntry last = m_history.back();
    m_history.pop_back();
    if (last.following)
        m_run->follow();
    else if (last.position > 0 && last.position == m_run->store()->count())
        m_run->goToEvent(
            EventIndex{static_cast<std::uint32_t>(last.position - 1)}); // at the end, without following
    else
        m_run->seekEvent(last.position);
    m_selection->select(last.what);
    updateSubject();
}

// ---- copies ----------------------------------------------------------------------------------------------

void InspectorView::copyText() const { QGuiApplication::clipboard()->setText(asText(m_model->inspect())); }

void InspectorView::copyJson() const { QGuiApplication::clipboard()->setText(asJson(m_model->inspect())); }

void InspectorView::showMenu(const QPoint& place)
{
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const QPersistentModelIndex row = m_table->indexAt(place);
    for (const int column : {InspectorModel::Event, InspectorModel::Value}) {
        const QModelIndex cell = row.isValid() ? QModelIndex(row).siblingAtColumn(column) : QModelIndex();
        if (!m_model->isLink(cell))
            continue;
        const Fact& fact = m_model->fact(cell.row());
        QString words = column == InspectorModel::Event
                            ? tr("Go to event %1").arg(format::eventNumber(fact.event))
                            : tr("Inspect %1").arg(fact.value);
        menu->addAction(words.replace(u'&', QLatin1String("&&")), this,
                        [this, link = QPersistentModelIndex(cell)] {
                            if (link.isValid())
                                follow(link);
                        });
    }
    menu->addSeparator();
    menu->addActions({m_back, m_copyText, m_copyJson});
    menu->popup(m_table->viewport()->mapToGlobal(place));
}

} // namespace lockscope::ui

#include "moc_inspector_view.cpp"
