// The name and the colour of every lane, read once from the trace, independent of the cursor: a lane exists
// before the cursor reaches the event that added it. The store must outlive the names or clear(). GUI thread.
#pragma once

#include "ui/models/run_model.h"

#include <QFont>
#include <QString>

#include <vector>

namespace lockscope::ui {

class LaneNames
{
public:
    void clear();
    // Continues reading until `laneCount` lanes are known. Reads each event at most once.
    void update(const trace::TraceStore* store, std::size_t laneCount);

    QString name(ClientId lane) const; // plain text, length-capped; "client 7" without a name
    std::uint16_t colour(ClientId lane) const;
    TraceTime firstAdded() const { return m_firstAdded; } // of the first client; zero when there is none
    std::size_t known() const { return m_known; }
    int widest(const QFont& font) const; // pixels; measured once for each name and font

private:
    struct Lane
    {
        QString name;
        std::uint16_t colour = 0;
        bool named = false;
    };
    std::vector<Lane> m_lanes;
    std::size_t m_known = 0;
    std::size_t m_read = 0; // events looked at
    TraceTime m_firstAdded{};
    mutable QFont m_measuredFont;
    mutable std::size_t m_measured = 0;
    mutable int m_widest = 0;
};

} // namespace lockscope::ui
