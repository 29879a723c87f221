// The bracket beside the lanes: the durations of the parts of one handoff. Pure; GUI thread.
#pragma once

#include "ui/protocol/protocol_picture.h"

namespace lockscope::ui {

// `top`, `bottom`: the visible part of the picture. Numbers are placed there, those of the longest parts
// first.
ProtocolBracket layOutBracket(const replay::Handoff& handoff, const ProtocolPicture& picture,
                              const QFont& font, double top, double bottom);

} // namespace lockscope::ui
