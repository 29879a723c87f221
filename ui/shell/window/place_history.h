// Back and Forward: remembers the moments and selections from which one jumped or selected something else.
// GUI thread.
#pragma once

#include <QObject>

#include "ui/models/run/run_model.h"
#include "ui/models/run/selection.h"

#include <vector>

class QAction;

namespace lockscope::ui {

class PlaceHistory : public QObject
{
    Q_OBJECT
public:
    PlaceHistory(RunModel* run, Selection* selection, QAction* back, QAction* forward, QObject* parent);

private:
    struct Place
    {
        std::size_t position = 0;
        bool following = true; // at the end, wherever that is by then
        Selected selected{};
    };
    void clear();
    void arrive();
    void go(int delta);
    void enable();
    Place here() const { return {m_run->position(), m_run->following(), m_selection->now()}; }

    RunModel* m_run;
    Selection* m_selection;
    QAction* m_back;
    QAction* m_forward;
    std::vector<Place> m_places; // the oldest first
    std::size_t m_at = 0;        // the one where the user is
    bool m_arriving = false;     // arrive() will be called, once for one click
    bool m_going = false;
};

} // namespace lockscope::ui
