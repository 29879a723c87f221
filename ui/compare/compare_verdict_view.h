// The verdict of a comparison: the table, the two bars, and what one can do with the whole page. GUI thread.
#pragma once

#include <QWidget>

#include "ui/compare/compared_load.h"

class QPushButton;
class QTableView;

namespace lockscope::ui {

class CompareTableModel;
class Look;

class CompareVerdictView : public QWidget
{
    Q_OBJECT
public:
    CompareVerdictView(const replay::Comparison& comparison, const ComparedLoad& load, const QString& a,
                       const QString& b, Look* look, QWidget* parent = nullptr);
    QTableView* table() const { return m_table; }
    void setShowsDifference(bool on);
    QSize sizeHint() const override { return {1100, 260}; }
    QSize minimumSizeHint() const override; // all rows

signals:
    void differenceWanted(bool on);
    void htmlWanted();
    void picturesWanted();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildTable(CompareTableModel* model);
    void applyLook();
    void fitRows();
    QPushButton* button(const QString& name, const QString& words, const QString& explanation);

    Look* m_look;
    QTableView* m_table;
    QPushButton* m_difference;
};

} // namespace lockscope::ui
