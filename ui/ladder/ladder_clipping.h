// What the edges of the view do to a ladder: what lies outside goes, and words that would be cut. Pure.
#pragma once

#include "ui/ladder/ladder_picture.h"

namespace lockscope::ui {

// What is not in view is neither drawn nor clicked; words that an edge would cut are left to the tool tips.
void clipToView(LadderPicture& picture, const QFont& mono);
// What an arrow's label covers, slanted as it is.
QRectF labelBounds(const LadderArrow& arrow, const QFont& mono);

} // namespace lockscope::ui
