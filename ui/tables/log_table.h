// The table of the protocol log: follows the newest line while it is at the end. GUI thread.
#pragma once

#include "ui/tables/plain_table.h"

#include <functional>

namespace lockscope::ui {

class LogModel;

class LogTable : public PlainTable
{
    Q_OBJECT
public:
    static constexpr int kRowHeight = 25;
    LogTable(LogModel* model, Look* look, QWidget* parent);
    // While a line is looked at, new ones do not push it away.
    void setHeld(bool held) { m_held = held; }
    void watchEnd(); // after the model was set
    void goToEnd();  // and stays there
    // Other lines, the same place: the chosen line when it is among them, else the end when that was in view.
    void keepPlace(const std::function<void()>& change, const std::function<int()>& chosenRow);

signals:
    void lineOpened(int row); // Enter or a double click

protected:
    void layOutColumns(int width) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    LogModel* m_log;
    bool m_held = false;
    bool m_atEnd = true;
};

} // namespace lockscope::ui
