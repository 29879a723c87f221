// The bars of the protocol's lanes at the moments that have a row, and the free parts of each lane. Queries
// only the range shown. Pure; any thread.
#pragma once

#include "ui/protocol/protocol_picture.h"

namespace lockscope::ui {

class ProtocolSpans
{
public:
    ProtocolSpans() = default;
    ProtocolSpans(const ProtocolInput& input, const std::vector<TraceTime>& moments); // in order

    const std::vector<replay::Span>& of(std::size_t lane) const { return m_lanes[lane]; } // overlays last
    bool any(std::size_t lane, TraceTime from, TraceTime to) const;

private:
    std::vector<std::vector<replay::Span>> m_lanes;
    TraceTime m_now{};
};

} // namespace lockscope::ui
