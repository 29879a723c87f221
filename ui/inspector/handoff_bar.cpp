#include "ui/inspector/handoff_bar.h"

#include "ui/inspector/inspector_model.h"
#include "ui/models/style/format.h"

#include <QPainter>

#include <algorithm>

namespace lockscope::ui {

namespace {

constexpr qreal kBarSide = 14, kBarTop = 10, kBarHeight = 20;
constexpr qreal kMinPartWidth = 4; // so that every part is visible
constexpr qreal kPartGap = 1;

QColor fillOf(Tone tone, const Palette& palette)
{
    switch (tone) {
    case Tone::wake:
        return palette.wake;
    case Tone::waits:
        return palette.waits;
    case Tone::holds:
        return palette.holds;
    default:
        return palette.textFaint;
    }
}

} // namespace

HandoffBar::HandoffBar(const InspectorModel* model, Theme* theme, QWidget* parent)
    : Canvas(theme, parent)
    , m_model(model)
{
    setObjectName("handoffBar");
    setFocusPolicy(Qt::NoFocus);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(model, &QAbstractItemModel::dataChanged, this, &HandoffBar::collect);
    connect(model, &QAbstractItemModel::rowsInserted, this, &HandoffBar::collect);
    connect(model, &QAbstractItemModel::rowsRemoved, this, &HandoffBar::collect);
    connect(model, &QAbstractItemModel::modelReset, this, &HandoffBar::collect);
    collect();
}

void HandoffBar::collect()
{
    m_parts.clear();
    QStringList words;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const Fact& fact = m_model->fact(row);
        if (fact.duration) {
            m_parts.append({fact.label, *fact.duration, fact.tone, {}});
            words << fact.label + u' ' + format::duration(*fact.duration);
        }
    }
    setAccessibleName(tr("Parts of the handoff"));
    setAccessibleDescription(words.join(QStringLiteral(", ")));
    setVisible(!m_parts.isEmpty());
    layOut();
    invalidate();
}

// Every part gets the minimum width and a share of the rest, so that short parts are visible too.
void HandoffBar::layOut()
{
    if (m_parts.isEmpty())
        return;
    const auto count = static_cast<qreal>(m_parts.size());
    const qreal room = std::max<qreal>(0, width() - 2 * kBarSide - (count - 1) * kPartGap);
    const qreal shared = std::max<qreal>(0, room - count * kMinPartWidth);
    Duration all{};
    for (const Part& part : m_parts)
        all += part.duration;
    qreal x = kBarSide;
    for (Part& part : m_parts) {
        const qreal share = all > Duration{} ? std::chrono::duration<qreal>(part.duration) / all : 1 / count;
        part.box = QRectF(x, kBarTop, kMinPartWidth + share * shared, kBarHeight);
        x = part.box.right() + kPartGap;
    }
}

QString HandoffBar::tipAt(QPointF point)
{
    for (const Part& part : m_parts)
        if (part.box.contains(point))
            return tr("%1: %2").arg(part.label, format::duration(part.duration));
    return {};
}

std::vector<AccessibleItem> HandoffBar::accessibleItems()
{
    std::vector<AccessibleItem> items;
    for (const Part& part : m_parts)
        items.push_back({QAccessible::Graphic, part.box.toAlignedRect(),
                         tr("%1: %2").arg(part.label, format::duration(part.duration))});
    return items;
}

void HandoffBar::draw(QPainter& painter, const QRegion&)
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    for (const Part& part : m_parts) {
        painter.setBrush(fillOf(part.tone, theme()->palette()));
        painter.drawRoundedRect(part.box, 2, 2);
    }
}

void HandoffBar::resizeEvent(QResizeEvent* event)
{
    layOut();
    Canvas::resizeEvent(event);
}

} // namespace lockscope::ui

#include "moc_handoff_bar.cpp"
