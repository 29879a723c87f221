// The name and the color of every lane, read from the trace, independent of the cursor: a lane exists before
// the cursor reaches the event that added it. GUI thread.
#pragma once

#include "ui/models/run/merged_clocks.h"
#include "ui/models/run/run_model.h"
#include "ui/models/run/short_names.h"

#include <QFont>
#include <QString>

#include <optional>
#include <vector>

namespace lockscope::ui {

class LaneNames
{
public:
    void clear();
    // Reads the timeline's clients that were not read before. Returns false if there were none.
    bool update(const trace::TraceStore& store, const replay::Timeline& timeline);

    QString name(ClientId lane) const; // plain text, length-capped; "client 7" without a name
    // Shorter ones, too: see ShortNames. In a merged run without the name of the client's trace.
    QString variants(ClientId lane) const;
    int traceOf(ClientId lane) const; // of a merged run, in clocks().traces; -1: not known
    // The lanes of a merged run, those of a trace together; empty: the run was not merged.
    std::vector<ClientId> byTrace() const;
    const MergedClocks& clocks() const { return m_clocks; }
    std::uint16_t colour(ClientId lane) const;
    int widest(const QFont& font) const;      // pixels; measured once for each name and font
    int widestShort(const QFont& font) const; // the same, of the shortest variants

private:
    struct Lane
    {
        QString name;
        std::uint16_t colour = 0;
        bool named = false;
        int trace = -1; // of a merged run
        QString own;    // the name without that of the trace
    };
    std::vector<Lane> m_lanes;
    MergedClocks m_clocks;
    ShortNames m_short;
    std::size_t m_read = 0; // of Timeline::clientsAdded()
    mutable QFont m_measuredFont;
    mutable std::size_t m_measured = 0;
    mutable int m_widest = 0;
    mutable QFont m_shortFont;
    mutable std::optional<int> m_widestShort;
};

} // namespace lockscope::ui
