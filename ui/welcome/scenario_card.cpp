#include "ui/welcome/scenario_card.h"

#include "ui/models/style/theme.h"
#include "ui/welcome/scenario_picture.h"

#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <QTextLayout>

#include <algorithm>

namespace lockscope::ui {

namespace {

constexpr qreal kRadius = 8;
constexpr int kPicture = 104;
constexpr int kCardSide = 14;
constexpr int kTitleLines = 2;
constexpr int kLines = 4; // title and text together

// Paints up to `most` lines, that last one elided if necessary. Returns the number of lines.
int paintLines(QPainter& painter, const QRectF& room, const QString& text, int most)
{
    const QFontMetricsF metrics(painter.font());
    QTextLayout layout(text, painter.font());
    QTextOption option;
    option.setWrapMode(QTextOption::WordWrap);
    layout.setTextOption(option);
    layout.beginLayout();
    int count = 0;
    qreal y = room.top();
    while (count < most) {
        QTextLine line = layout.createLine();
        if (!line.isValid()) {
            break;
        }
        line.setLineWidth(room.width());
        const bool last = ++count == most;
        const QString rest = text.mid(line.textStart());
        const QString words = last ? metrics.elidedText(rest, Qt::ElideRight, room.width())
                                   : text.mid(line.textStart(), line.textLength());
        painter.drawText(QPointF(room.left(), y + metrics.ascent()), words);
        y += metrics.lineSpacing();
    }
    layout.endLayout();
    return count;
}

} // namespace

ScenarioCard::ScenarioCard(const ScenarioEntry& story, const Theme* theme, QWidget* parent)
    : QAbstractButton(parent)
    , m_name(story.name)
    , m_line(story.line)
    , m_group(story.group)
    , m_plan(planOf(story.scenario))
    , m_theme(theme)
{
    setObjectName("scenario." + story.name);
    connect(this, &ScenarioCard::clicked, this, [this] { emit chosen(false); });
    setText(story.title);
    setAccessibleName(story.title);
    setAccessibleDescription(story.line);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover); // painted differently under the mouse
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

bool ScenarioCard::matches(const QString& typed) const
{
    const QString all = text() + ' ' + m_line + ' ' + m_name;
    const QStringList words = typed.split(' ', Qt::SkipEmptyParts);
    return std::all_of(words.begin(), words.end(),
                       [&](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
}

QSize ScenarioCard::sizeHint() const
{
    const int title = QFontMetrics(m_theme->fonts().title).lineSpacing();
    const int line = QFontMetrics(m_theme->fonts().small).lineSpacing();
    return {300, kPicture + 12 + kTitleLines * title + (kLines - kTitleLines) * line + 14};
}

void ScenarioCard::paintEvent(QPaintEvent*)
{
    const Palette& palette = m_theme->palette();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF frame = QRectF(rect()).adjusted(1, 1, -1, -1);
    QPainterPath shape;
    shape.addRoundedRect(frame, kRadius, kRadius);
    painter.fillPath(shape, isDown() ? palette.panel : palette.card);
    const QRectF top(frame.left(), frame.top(), frame.width(), kPicture);
    painter.save();
    painter.setClipPath(shape);
    painter.fillRect(top, palette.panel);
    paintScenario(painter, top, m_plan, palette, m_theme->fonts().title);
    painter.restore();
    const bool marked = hasFocus();
    painter.setPen(QPen(marked         ? palette.accent
                        : underMouse() ? palette.textFaint
                                       : palette.cardBorder,
                        marked ? 2 : 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(frame, kRadius, kRadius);
    paintText(painter, frame.adjusted(kCardSide, kPicture + 11, -kCardSide, -8));
}

// A title of two lines leaves fewer lines for the text.
void ScenarioCard::paintText(QPainter& painter, QRectF room) const
{
    painter.setFont(m_theme->fonts().title);
    painter.setPen(m_theme->palette().text);
    const int lines = paintLines(painter, room, text(), kTitleLines);
    room.setTop(room.top() + lines * QFontMetricsF(painter.font()).lineSpacing() + 3);
    painter.setFont(m_theme->fonts().small);
    painter.setPen(m_theme->palette().textMuted);
    paintLines(painter, room, m_line, kLines - lines);
}

void ScenarioCard::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
        emit moveRequested(event->key());
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        emit chosen(event->modifiers().testFlag(Qt::ShiftModifier));
        break;
    default:
        QAbstractButton::keyPressEvent(event);
    }
}

} // namespace lockscope::ui

#include "moc_scenario_card.cpp"
