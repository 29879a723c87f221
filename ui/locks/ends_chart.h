// A bar chart of how the holds of the selected locks ended. GUI thread.
#pragma once

#include <QWidget>

#include "core/history/lock_event.h"
#include "ui/models/style/theme.h"

#include <vector>

namespace lockscope::ui {

class EndsChart : public QWidget
{
    Q_OBJECT
public:
    EndsChart(Theme* theme, QWidget* parent = nullptr);
    void show(const history::EndCounts& ends);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Bar
    {
        QString name;
        std::uint64_t count;
        QColor colour;
    };
    std::vector<Bar> bars() const;
    void describe();
    Theme* m_theme;
    history::EndCounts m_ends;
};

} // namespace lockscope::ui
