// The steps of a lesson as dots: which are done, and the current one. GUI thread.
#pragma once

#include <QWidget>

#include <vector>

namespace lockscope::ui {

class Theme;

class StepDots : public QWidget
{
    Q_OBJECT
public:
    StepDots(const Theme* theme, QWidget* parent);
    void setSteps(const std::vector<bool>& done, std::size_t current);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme* m_theme;
    std::vector<bool> m_done;
    std::size_t m_current = 0;
};

} // namespace lockscope::ui
