// A horizontal slider whose handle jumps to a click and can be dragged on from there. Styles would move it by
// one page, which is useless here, where a position is a moment of the run. GUI thread.
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
