// Why holds ended, as bars: of the locks that are chosen. GUI thread.
#pragma once

#include <QWidget>

#include "core/history/lock_table.h"
#include "ui/models/look.h"

#include <vector>

namespace lockscope::ui {

class EndsChart : public QWidget
{
    Q_OBJECT
public:
    EndsChart(Look* look, QWidget* parent = nullptr);
    void show(const history::Ends& ends);
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
    Look* m_look;
    history::Ends m_ends;
};

} // namespace lockscope::ui
