#include "ui/commands/command_palette.h"

#include "ui/commands/command_delegate.h"
#include "ui/models/look.h"

#include <QAction>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace lockscope::ui {

namespace {

constexpr int kWidest = 640;
constexpr int kCommandPaletteHeight = 440;
constexpr int kTop = 70;
constexpr int kPage = 10;

} // namespace

CommandPalette::CommandPalette(std::vector<CommandEntry> entries, const Look* look, QWidget* window)
    : QDialog(window, Qt::Popup | Qt::FramelessWindowHint)
    , m_look(look)
    , m_list(new CommandList(std::move(entries), this))
    , m_input(new QLineEdit(this))
    , m_view(new QListView(this))
    , m_about(new QLabel(this))
{
    setObjectName("commandPalette");
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Commands"));
    m_input->setObjectName("commandInput");
    m_input->setAccessibleName(tr("Search for a command"));
    m_input->setPlaceholderText(tr("Type a few letters of a command or a scenario"));
    m_input->setClearButtonEnabled(true);
    m_view->setObjectName("commandView");
    m_view->setAccessibleName(tr("Commands"));
    m_view->setModel(m_list);
    m_view->setItemDelegate(new CommandDelegate(look, m_view));
    m_view->setFocusPolicy(Qt::NoFocus);
    m_view->setUniformItemSizes(true);
    m_about->setTextFormat(Qt::PlainText);
    m_about->setWordWrap(true);
    m_about->setMinimumHeight(2 * QFontMetrics(look->fonts().small).lineSpacing() + 4);
    m_about->setContentsMargins(4, 0, 4, 0);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 10, 10, 8);
    column->addWidget(m_input);
    column->addWidget(m_view, 1);
    column->addWidget(m_about);
    m_input->installEventFilter(this);
    connect(m_input, &QLineEdit::textChanged, this, [this](const QString& typed) {
        m_list->setTyped(typed);
        move(0);
    });
    connect(m_view, &QListView::clicked, this, [this] { choose(); });
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, &CommandPalette::showAbout);
    const int width = std::min(kWidest, window->width() - 40);
    resize(width, std::min(kCommandPaletteHeight, window->height() - kTop - 20));
    QDialog::move(window->mapToGlobal(QPoint((window->width() - width) / 2, kTop)));
    move(0);
    m_input->setFocus();
}

void CommandPalette::showAbout()
{
    const CommandEntry* entry = m_list->entry(m_view->currentIndex().row());
    m_about->setFont(m_look->fonts().small);
    QPalette colours = m_about->palette();
    colours.setColor(QPalette::WindowText, m_look->palette().textMuted);
    m_about->setPalette(colours);
    m_about->setText(entry ? entry->about : tr("No command has these words or letters."));
}

// 0: to the first one.
void CommandPalette::move(int by)
{
    const int count = m_list->rowCount();
    const int now = by == 0 ? 0 : m_view->currentIndex().row() + by;
    const int row = std::clamp(now, 0, std::max(0, count - 1));
    m_view->setCurrentIndex(m_list->index(row, 0));
    showAbout();
}

// Done after it is closed: a command may open a window of its own.
void CommandPalette::choose(bool otherWay)
{
    const CommandEntry* entry = m_list->entry(m_view->currentIndex().row());
    if (!entry || !entry->possible) {
        return;
    }
    const auto run = otherWay && entry->runOther ? entry->runOther : entry->run;
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
    if (watched != m_input || event->type() != QEvent::KeyPress) {
        return QDialog::eventFilter(watched, event);
    }
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Down:
        move(1);
        return true;
    case Qt::Key_Up:
        move(-1);
        return true;
    case Qt::Key_PageDown:
        move(kPage);
        return true;
    case Qt::Key_PageUp:
        move(-kPage);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        choose(static_cast<QKeyEvent*>(event)->modifiers().testFlag(Qt::ShiftModifier));
        return true;
    default:
        return QDialog::eventFilter(watched, event);
    }
}

void CommandPalette::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_look->palette().card);
    painter.setPen(m_look->palette().cardBorder);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

} // namespace lockscope::ui
