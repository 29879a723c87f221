// Drawings for the page of a run, as SVG in HTML: lanes of the clients and a histogram. Their colours are the
// page's (classes waiting, holding, ...); a pattern or a place goes with every colour. Pure; any thread.
#pragma once

#include "core/exports/folded_trace.h"

#include <string>

namespace lockscope::exports {

inline constexpr std::size_t kMaxLanes = 40;

std::string lanesDrawing(const FoldedTrace& folded);
std::string handoffDrawing(const replay::Histogram& handoff); // empty without a handoff

} // namespace lockscope::exports
