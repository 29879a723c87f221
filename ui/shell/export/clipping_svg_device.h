// A paint device that writes SVG and obeys clips, which the SVG generator of Qt 6.4 ignores: what is drawn
// under one clip is one fragment in a group with it. Each text is as long as it was measured here, whatever
// font draws it. GUI thread.
#pragma once

#include <QByteArray>
#include <QPaintDevice>
#include <QSize>

#include <memory>

namespace lockscope::ui {

class ClippingSvgDevice : public QPaintDevice
{
public:
    ClippingSvgDevice(const QSize& size, const QByteArray& prefix); // of all ids in it
    ~ClippingSvgDevice() override;

    QByteArray clips() const; // for the defs; both once no painter is active
    QByteArray body() const;

    QPaintEngine* paintEngine() const override;

protected:
    int metric(PaintDeviceMetric metric) const override;

private:
    class Engine;
    std::unique_ptr<Engine> m_engine;
    QSize m_size;
};

} // namespace lockscope::ui
