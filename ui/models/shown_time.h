// The moment that a table's durations are shown for: the run's cursor, in steps that can be read while the
// run is followed, and exactly that moment as soon as it stands still. GUI thread.
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
    void catchUp(); // without a word

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
