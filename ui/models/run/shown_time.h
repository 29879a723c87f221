// The time for which a table shows durations: the run's cursor, in steps slow enough to read while the run is
// followed, and exact as soon as the cursor rests. GUI thread.
#pragma once

#include <QTimer>

#include "core/base/time.h"

namespace lockscope::ui {

class RunModel;

class ShownTime : public QObject
{
    Q_OBJECT
public:
    explicit ShownTime(const RunModel* run, QObject* parent);
    TraceTime now() const { return m_now; }
    void catchUp(); // without a signal

signals:
    void moved();

private:
    void follow();
    void move();
    const RunModel* m_run;
    TraceTime m_now{};
    QTimer m_rest; // until the cursor has rested, or the next step is due
};

} // namespace lockscope::ui
