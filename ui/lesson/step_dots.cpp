#include "ui/lesson/step_dots.h"

#include "ui/models/style/theme.h"

#include <QPainter>

namespace lockscope::ui {

namespace {
constexpr int kDistance = 16;
constexpr int kDotsHeight = 14;
} // namespace

StepDots::StepDots(const Theme* theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
{}

void StepDots::setSteps(const std::vector<bool>& done, std::size_t current)
{
    m_done = done;
    m_current = current;
    updateGeometry();
    update();
}

QSize StepDots::sizeHint() const { return {static_cast<int>(m_done.size()) * kDistance, kDotsHeight}; }

void StepDots::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    const Palette& palette = m_theme->palette();
    for (std::size_t i = 0; i < m_done.size(); ++i) {
        const bool current = i == m_current;
        painter.setBrush(current ? palette.accent : m_done[i] ? palette.holds : palette.cardBorder);
        const double radius = current ? 5.5 : 4;
        painter.drawEllipse(QPointF((static_cast<double>(i) + 0.5) * kDistance, kDotsHeight / 2.0), radius,
                            radius);
    }
}

} // namespace lockscope::ui

#include "moc_step_dots.cpp"
