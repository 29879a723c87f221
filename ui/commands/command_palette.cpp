#include "ui/commands/command_palette.h"

#include "ui/commands/command_delegate.h"
#include "ui/models/style/theme.h"

#include <QAction>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace lockscope::ui {

namespace {

constexpr int kMaxWidth = 640;
constexpr int kPaletteHeight = 440;
constexpr int kTop = 70;
constexpr int kPageRows = 10;

} // namespace

CommandPalette::CommandPalette(std::vector<CommandEntry> entries, const Theme* theme, QWidget* window)
    : Overlay(theme, window)
    , m_theme(theme)
    , m_list(new CommandList(std::move(entries), this))
    , m_input(new QLineEdit(this))
    , m_view(new QListView(this))
    , m_description(new QLabel(this))
{
    setObjectName("commandPalette");
    //: title of a window, and its list: all commands of the program
    setWindowTitle(tr("Commands"));
    m_input->setObjectName("commandInput");
    m_input->setAccessibleName(tr("Search commands"));
    m_input->setPlaceholderText(tr("Type to filter, press Enter to run"));
    m_input->setClearButtonEnabled(true);
    m_view->setObjectName("commandView");
    m_view->setAccessibleName(tr("Commands"));
    m_view->setModel(m_list);
    m_view->setItemDelegate(new CommandDelegate(theme, m_view));
    m_view->setFocusPolicy(Qt::NoFocus);
    m_view->setUniformItemSizes(true);
    m_description->setTextFormat(Qt::PlainText);
    m_description->setWordWrap(true);
    m_description->setMinimumHeight(2 * QFontMetrics(theme->fonts().small).lineSpacing() + 4);
    m_description->setContentsMargins(4, 0, 4, 0);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 10, 10, 8);
    column->addWidget(m_input);
    column->addWidget(m_view, 1);
    column->addWidget(m_description);
    connect(m_input, &QLineEdit::textChanged, this, [this](const QString& typed) {
        m_list->setQuery(typed);
        moveSelection(0);
        fitHeight();
    });
    connect(m_view, &QListView::clicked, this, [this] { choose(); });
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &CommandPalette::showDescription);
    const int width = std::min(kMaxWidth, window->width() - 40);
    m_maxHeight = std::min(kPaletteHeight, window->height() - kTop - 20);
    resize(width, m_maxHeight);
    move((window->width() - width) / 2, kTop);
    moveSelection(0);
    fitHeight();
    m_input->setFocus();
}

// Makes the palette only as high as its rows, so that it covers little.
void CommandPalette::fitHeight()
{
    const int rows = m_list->rowCount() * std::max(0, m_view->sizeHintForRow(0)) + 2 * m_view->frameWidth();
    m_view->setFixedHeight(rows);
    const int whole = layout()->hasHeightForWidth() ? layout()->totalHeightForWidth(width())
                                                    : layout()->totalSizeHint().height();
    m_view->setFixedHeight(std::max(0, rows - std::max(0, whole - m_maxHeight)));
    layout()->activate(); // the layout limits the height of the window
    resize(width(), std::min(whole, m_maxHeight));
}

void CommandPalette::showDescription()
{
    const CommandEntry* entry = m_list->entry(m_view->currentIndex().row());
    m_description->setFont(m_theme->fonts().small);
    QPalette colours = m_description->palette();
    colours.setColor(QPalette::WindowText, m_theme->palette().textMuted);
    m_description->setPalette(colours);
    m_description->setText(entry ? entry->description : tr("No matching command."));
}

// 0 selects the first row.
void CommandPalette::moveSelection(int by)
{
    const int count = m_list->rowCount();
    const int now = by == 0 ? 0 : m_view->currentIndex().row() + by;
    const int row = std::clamp(now, 0, std::max(0, count - 1));
    m_view->setCurrentIndex(m_list->index(row, 0));
    showDescription();
}

// Runs the command after the palette has closed: it may open a window.
void CommandPalette::choose(bool alternative)
{
    const CommandEntry* entry = m_list->entry(m_view->currentIndex().row());
    if (!entry || !entry->enabled) {
        return;
    }
    const auto run = alternative && entry->runAlternative ? entry->runAlternative : entry->run;
    QTimer::singleShot(0, parentWidget(), [action = entry->action, run] {
        if (action) {
            action->trigger();
        } else if (run) {
            run();
        }
    });
    accept();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::KeyPress || watched != m_input) {
        return Overlay::eventFilter(watched, event);
    }
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Down:
        moveSelection(1);
        return true;
    case Qt::Key_Up:
        moveSelection(-1);
        return true;
    case Qt::Key_PageDown:
        moveSelection(kPageRows);
        return true;
    case Qt::Key_PageUp:
        moveSelection(-kPageRows);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        choose(static_cast<QKeyEvent*>(event)->modifiers().testFlag(Qt::ShiftModifier));
        return true;
    default:
        return Overlay::eventFilter(watched, event);
    }
}

} // namespace lockscope::ui

#include "moc_command_palette.cpp"
