#include "ui/shell/runbar/jump_slider.h"

#include <QMouseEvent>
#include <QStyleOptionSlider>

namespace lockscope::ui {

void JumpSlider::mousePressEvent(QMouseEvent* event)
{
    QStyleOptionSlider option;
    initStyleOption(&option);
    const auto rectOf = [&](QStyle::SubControl part) {
        return style()->subControlRect(QStyle::CC_Slider, &option, part, this);
    };
    const QRect handle = rectOf(QStyle::SC_SliderHandle);
    if (event->button() == Qt::LeftButton && !handle.contains(event->pos())) {
        const QRect groove = rectOf(QStyle::SC_SliderGroove);
        setSliderPosition(QStyle::sliderValueFromPosition(
            minimum(), maximum(), event->pos().x() - handle.width() / 2 - groove.left(),
            groove.width() - handle.width(), option.upsideDown));
    }
    QSlider::mousePressEvent(event); // the handle is under the mouse now
}

} // namespace lockscope::ui
