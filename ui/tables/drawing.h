// Drawing that the delegates of the tables share: dots, pills, icons, tabular digits. Every rectangle is in
// the painter's units. GUI thread.
#pragma once

#include "ui/models/style/theme.h"
#include "ui/models/style/tone.h"

#include <QAbstractItemView>
#include <QPainter>
#include <QString>

namespace lockscope::ui::drawing {

// Marks a selected row by its background and by a bar at its left, so that it does not depend on a color
// alone.
void drawRowBackground(QPainter& painter, const QRect& row, bool selected, bool first,
                       const Palette& palette);
void drawDot(QPainter& painter, QPointF centre, qreal radius, const QColor& colour);
// Right-aligned text with tabular digits: all have the width of the widest one, so that a running number does
// not shift.
void drawTabularDigits(QPainter& painter, const QRect& box, const QString& text, const Theme& theme);
int tabularWidth(const QFontMetricsF& metrics, const QString& text);
// A rounded box with a short text, right-aligned in `room`.
void drawPill(QPainter& painter, const QRect& room, const QString& text, Tone tone, bool selected,
              const Theme& theme);
int pillWidth(const QString& text, const Theme& theme);

enum class StatusIcon { kept, disputed, violated, open };
// Each has its own shape: a round check, an octagon with "!", an empty ring.
void drawStatusIcon(QPainter& painter, QPointF centre, qreal radius, StatusIcon icon, const Palette& palette);

// For a view that draws its own background: the card behind it need not be drawn.
void makeOpaque(QAbstractItemView& view);
void drawBackground(QAbstractItemView& view, const QRegion& region, const Theme& theme);
// Fades out a row that the upper or lower edge cuts. Call it last in the paint event of a view after
// makeOpaque().
void fadeCutRows(QAbstractItemView& view, const Theme& theme);
// The text of a view without rows.
void drawEmptyText(QAbstractItemView& view, const QString& text, const Theme& theme);

} // namespace lockscope::ui::drawing
