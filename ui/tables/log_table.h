// The table of the protocol log: follows the newest line while it is at the end. GUI thread.
#pragma once

#include "ui/models/rows/log_model.h"
#include "ui/tables/plain_table.h"

#include <functional>

namespace lockscope::ui {

class LogTable : public PlainTable
{
    Q_OBJECT
public:
    static constexpr int kRowHeight = 25;
    LogTable(LogModel* model, Theme* theme, QWidget* parent);
    void scrollTo(const QModelIndex& index, ScrollHint hint = EnsureVisible) override;
    // While held, new lines do not scroll the table.
    void setHeld(bool held) { m_held = held; }
    void watchEnd();                           // call it after setting the model
    void goToEnd();                            // and follows new lines
    int markedRow() const;                     // -1: none
    int newerLines() const { return m_newer; } // added since the end was last visible
    // Applies a change of the lines and keeps the position: the chosen line if it is still there, otherwise
    // the end if that was visible or new lines are held.
    void keepPlace(const std::function<void()>& change, const std::function<int()>& chosenRow);

signals:
    void lineOpened(int row); // Enter or a double click
    void newerLinesChanged();

protected:
    void layOutColumns(int width) override; // the latency is shown only where there is room
    void keyPressEvent(QKeyEvent* event) override;
    void updateGeometries() override;

private:
    void setNewerLines(int lines);
    int newerAmong(int first, int last) const;
    LogModel* m_log;
    int m_newer = 0;
    std::size_t m_oldEvents =
        0; // the number of events whose lines are not newer when a filter adds them again
    bool m_held = false;
    bool m_atEnd = true;
};

} // namespace lockscope::ui
