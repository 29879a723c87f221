// A slider that goes where it is clicked, and on from there with the mouse: a place on it is a moment, and the
// step by a page that styles make there is none. GUI thread.
#pragma once

#include <QSlider>

namespace lockscope::ui {

class JumpSlider : public QSlider
{
public:
    using QSlider::QSlider;

protected:
    void mousePressEvent(QMouseEvent* event) override;
};

} // namespace lockscope::ui
