// What is wrong with a link as traces had it before it was fields: in words, side by side. Pure; private to the
// trace layer's reading side.
#pragma once

#include "core/trace/event.h"

namespace lockscope::trace {

// The words of the event become its fields. Unless every one of them is known, the words stay and no field is set.
void takeApart(LinkState& link);

} // namespace lockscope::trace
