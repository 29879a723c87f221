// The title of the charts' card, with a menu that chooses one chart or all. GUI thread.
#pragma once

#include <QMenu>
#include <QToolButton>

namespace lockscope::ui {

class Theme;

class ChartChooser : public QToolButton
{
    Q_OBJECT
public:
    ChartChooser(Theme* theme, QWidget* parent);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Theme* m_theme;
};

} // namespace lockscope::ui
