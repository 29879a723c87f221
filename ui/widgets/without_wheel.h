// A control that leaves the wheel to what scrolls around it: turning the wheel over a form or a bar changes
// no value. GUI thread.
#pragma once

#include <QWheelEvent>

namespace lockscope::ui {

template <class Control>
class WithoutWheel : public Control
{
public:
    using Control::Control;

protected:
    void wheelEvent(QWheelEvent* event) override { event->ignore(); }
};

} // namespace lockscope::ui
