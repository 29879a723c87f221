// Drawings for the page of a run, as SVG in HTML: lanes of the clients and a histogram. Their colors come
// from the page's styles (classes waiting, holding, ...), each with a pattern or a position. Pure; any
// thread.
#pragma once

#include "core/exports/folded_trace.h"

#include <string>

namespace lockscope::exports {

inline constexpr std::size_t kMaxLanes = 40;

std::string lanesDrawing(const FoldedTrace& folded);
std::string handoffDrawing(const replay::Histogram& handoff); // empty without a handoff

} // namespace lockscope::exports
