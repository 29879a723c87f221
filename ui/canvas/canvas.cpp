#include "ui/canvas/canvas.h"

#include "ui/models/style/command_table.h"
#include "ui/models/style/format.h"
#include "ui/models/style/text_cache.h"

#include <QAction>
#include <QCoreApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <utility>

namespace lockscope::ui {

namespace {

// Ignores Shift for symbols, which need it on some keyboards. A letter with Shift is a different key.
bool presses(const QKeyEvent& event, const QKeySequence& keys)
{
    const QKeyCombination wanted = keys[0];
    const bool letter = event.key() >= Qt::Key_A && event.key() <= Qt::Key_Z;
    const Qt::KeyboardModifiers ignored =
        letter ? Qt::KeypadModifier : Qt::ShiftModifier | Qt::KeypadModifier;
    return event.key() == wanted.key() && (event.modifiers() & ~ignored) == wanted.keyboardModifiers();
}

// Null: the event presses none of their keys.
QAction* commandFor(const QKeyEvent& event, const QList<QAction*>& commands)
{
    for (QAction* command : commands)
        for (const QKeySequence& keys : command->shortcuts())
            if (presses(event, keys) && command->isEnabled())
                return command;
    return nullptr;
}

} // namespace

bool showToolTip(QEvent* event, QWidget* owner, const std::function<QString(QPoint)>& tipAt)
{
    if (event->type() != QEvent::ToolTip)
        return false;
    const auto* help = static_cast<QHelpEvent*>(event);
    // An empty text hides the tip.
    QToolTip::showText(help->globalPos(), format::toolTip(tipAt(help->pos())), owner);
    return true;
}

void drawEmptyState(QPainter& painter, const QRectF& room, const QString& text, const Theme& theme)
{
    const QRectF inside = room.adjusted(24, 8, -24, -8);
    constexpr int kFlags = Qt::AlignCenter | Qt::TextWordWrap;
    painter.setFont(theme.fonts().text);
    // Lines that run through an empty view end at the text.
    painter.fillRect(painter.boundingRect(inside, kFlags, text).adjusted(-6, -4, 6, 4), theme.palette().card);
    painter.setPen(theme.palette().textMuted);
    painter.drawText(inside, kFlags, text);
}

QList<QAction*> canvasCommands(const QWidget& view)
{
    QList<const Canvas*> canvases = view.findChildren<const Canvas*>();
    if (const auto* own = qobject_cast<const Canvas*>(&view))
        canvases.prepend(own);
    QList<QAction*> all;
    for (const Canvas* canvas : canvases)
        for (QAction* command : canvas->commands())
            if (std::none_of(all.begin(), all.end(), [command](const QAction* other) {
                    return other->text() == command->text() && other->shortcuts() == command->shortcuts();
                }))
                all << command;
    return all;
}

Canvas::Canvas(Theme* theme, QWidget* parent, Qt::Orientation scrolls)
    : QWidget(parent)
    , m_theme(theme)
    , m_bar(new QScrollBar(scrolls, this))
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    m_bar->hide();
    m_bar->setCursor(Qt::ArrowCursor);
    connect(m_bar, &QScrollBar::valueChanged, this, [this](int value) { scrollTo(value); });
    theme->onChange(this, [this] { invalidate(); });
    connect(theme, &Theme::forPrintChanged, this, [this] {
        updateBar();
        invalidate();
    });
}

void Canvas::invalidate(const QRect& part)
{
    m_stale = true;
    itemsChanged();
    part.isNull() ? update() : update(part);
}

void Canvas::countBuild()
{
    m_stale = false;
    ++m_builds;
}

QAction* Canvas::addCommand(const char* name, std::function<void()> act)
{
    QAction* action = makeCommand(name, this);
    // The canvas handles the key itself. As its shortcut it also works with a keyboard layout without Latin
    // letters, for which Qt knows the letter of the key in another layout.
    action->setShortcutContext(Qt::WidgetShortcut);
    QWidget::addAction(action);
    connect(action, &QAction::triggered, this, std::move(act));
    m_commands << action;
    return action;
}

void Canvas::addPageCommands(std::function<void(int pages)> scroll)
{
    if (!scroll)
        scroll = [this](int pages) { scrollTo(m_scroll.value + pages * m_scroll.page); };
    addCommand("page.pageUp", [scroll] { scroll(-1); });
    addCommand("page.pageDown", [scroll] { scroll(1); });
}

QAction* Canvas::command(const char* name) const
{
    const auto found = std::find_if(m_commands.begin(), m_commands.end(), [name](const QAction* action) {
        return action->objectName() == QLatin1String(name);
    });
    return found == m_commands.end() ? nullptr : *found;
}

QRect Canvas::room() const
{
    if (m_bar->isHidden())
        return rect();
    return m_bar->orientation() == Qt::Vertical ? rect().adjusted(0, 0, -m_bar->width(), 0)
                                                : rect().adjusted(0, 0, 0, -m_bar->height());
}

void Canvas::showScroll(const Scroll& scroll)
{
    if (std::exchange(m_scroll, scroll) != scroll)
        QMetaObject::invokeMethod(this, &Canvas::updateBar, Qt::QueuedConnection);
}

void Canvas::scrollTo(int value)
{
    m_scroll.value = std::clamp(value, 0, m_scroll.hidden);
    updateBar();
    invalidate();
}

void Canvas::bringIntoView(double begin, double end)
{
    constexpr int kMargin = 8;
    if (begin < m_scroll.value)
        scrollTo(static_cast<int>(begin) - kMargin);
    else if (end > m_scroll.value + m_scroll.page)
        scrollTo(static_cast<int>(end - m_scroll.page) + kMargin);
}

void Canvas::updateBar()
{
    const QSignalBlocker quiet(m_bar);
    m_bar->setRange(0, m_scroll.hidden);
    m_bar->setPageStep(std::max(1, m_scroll.page));
    m_bar->setSingleStep(std::max(1, m_scroll.line));
    m_bar->setValue(m_scroll.value);
    const bool shown = m_scroll.hidden > 0 && !m_theme->forPrint();
    if (m_bar->isHidden() == shown) {
        m_bar->setVisible(shown);
        placeBar();
        invalidate();
    }
}

// The bar ends before the rounded corner of the card.
void Canvas::placeBar()
{
    constexpr int kCorner = 3;
    QRect place = rect();
    if (m_bar->orientation() == Qt::Vertical)
        place.adjust(width() - m_bar->sizeHint().width(), 0, 0, -kCorner);
    else
        place.adjust(0, height() - m_bar->sizeHint().height(), -kCorner, 0);
    m_bar->setGeometry(place);
}

void Canvas::paintEvent(QPaintEvent* event)
{
    QPainter painter(this);
    for (const QRect& part : event->region())
        painter.fillRect(part, m_theme->palette().card);
    const QString text = emptyText(); // before draw(): the call brings the view up to date
    painter.save();
    draw(painter, event->region());
    painter.restore();
    if (!text.isEmpty())
        drawEmptyState(painter, room(), text, *m_theme);
    if (!hasFocus() || !framesFocus())
        return;
    painter.setRenderHint(QPainter::Antialiasing); // the line lies within, at a scale of 1.25 too
    painter.setPen(m_theme->palette().accent);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(room()).adjusted(0.5, 0.5, -0.5, -0.5));
}

void Canvas::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    placeBar();
    invalidate();
}

void Canvas::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    const QEvent::Type type = event->type();
    if (type == QEvent::LanguageChange || type == QEvent::FontChange || type == QEvent::LayoutDirectionChange)
        invalidate();
}

void Canvas::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

void Canvas::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    update();
}

void Canvas::keyPressEvent(QKeyEvent* event)
{
    if (QAction* command = commandFor(*event, m_commands))
        command->trigger();
    else
        QWidget::keyPressEvent(event);
}

void Canvas::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !selectAt(event->position()))
        QWidget::mousePressEvent(event);
}

void Canvas::mouseMoveEvent(QMouseEvent* event)
{
    if (event->buttons() == Qt::NoButton)
        hover(event->position());
}

void Canvas::leaveEvent(QEvent* event)
{
    QWidget::leaveEvent(event);
    hover(std::nullopt);
}

void Canvas::wheelEvent(QWheelEvent* event)
{
    if (m_bar->maximum() > 0)
        QCoreApplication::sendEvent(m_bar, event);
    else
        QWidget::wheelEvent(event);
}

bool Canvas::event(QEvent* event)
{
    // While it has the focus, it takes its keys even if the window uses them for something else.
    if (event->type() == QEvent::ShortcutOverride &&
        commandFor(*static_cast<QKeyEvent*>(event), m_commands)) {
        event->accept();
        return true;
    }
    return showToolTip(event, this, [this](QPoint at) { return tipAt(at); }) || QWidget::event(event);
}

} // namespace lockscope::ui

#include "moc_canvas.cpp"
