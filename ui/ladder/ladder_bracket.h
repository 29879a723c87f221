// The scale of one handoff, beside the lanes: how long it took from each of its moments to the next. Pure.
#pragma once

#include "ui/ladder/ladder_picture.h"

namespace lockscope::ui {

// `top`, `bottom`: what of the picture will be in view; numbers stand there, those of the longest parts
// first.
LadderBracket layOutBracket(const replay::Handoff& handoff, const LadderPicture& picture, const QFont& font,
                         double top, double bottom);

} // namespace lockscope::ui
