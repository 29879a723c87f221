// What the delegates of the tables share: dots, pills, icons, steady digits. Pure painting
// with colours that are given; every rectangle is in the painter's units.
#pragma once

#include "ui/models/theme.h"
#include "ui/models/tone.h"

#include <QAbstractItemView>
#include <QPainter>
#include <QString>

namespace lockscope::ui::drawing {

// Selection as background and as a bar at the left of the row, so that it does not hang on a colour alone.
void drawRowBackground(QPainter& painter, const QRect& row, bool selected, bool first, const Palette& palette);
void dot(QPainter& painter, QPointF centre, qreal radius, const QColor& colour);
// Right-aligned text whose digits all have the width of the widest one: counting up does not make it dance.
void steady(QPainter& painter, const QRect& box, const QString& text, const Theme& theme);
int tabularWidth(const QFontMetricsF& metrics, const QString& text);
// A rounded box with a short word in it, right-aligned in `room`; returns the box.
QRect pill(QPainter& painter, const QRect& room, const QString& text, Tone tone, bool selected,
           const Theme& theme);
int pillWidth(const QString& text, const Theme& theme);

enum class Mark { kept, disputed, violated, open };
// Each has its own shape: a round check, an octagon with "!", an empty ring.
void mark(QPainter& painter, QPointF centre, qreal radius, Mark mark, const Palette& palette);

// A view that draws its ground itself: the card behind it need not be drawn as well.
void makeOpaque(QAbstractItemView& view);
void ground(QAbstractItemView& view, const QRegion& region, const Theme& theme);
// A row that the upper or lower edge cuts through fades out towards it, so that it is seen to go on there.
// Last in a paint event of a view that makeOpaque() was called for.
void fadeCutRows(QAbstractItemView& view, const Theme& theme);
// What to do when there is nothing to show.
void emptyText(QAbstractItemView& view, const QString& text, const Theme& theme);

} // namespace lockscope::ui::drawing
