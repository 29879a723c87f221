// The verdict of a comparison: the table, the two bars, and the buttons for the whole page. GUI thread.
#pragma once

#include <QWidget>

#include "ui/compare/compared_load.h"

class QBoxLayout;
class QPushButton;
class QTableView;

namespace lockscope::ui {

class CompareTableModel;
class Theme;

class CompareVerdictView : public QWidget
{
    Q_OBJECT
public:
    CompareVerdictView(const replay::Comparison& comparison, const ComparedLoad& load, const QString& a,
                       const QString& b, Theme* theme, QWidget* parent = nullptr);
    QTableView* table() const { return m_table; }
    void setShowsDifference(bool on);
    QSize sizeHint() const override { return {1100, 260}; }
    QSize minimumSizeHint() const override; // fits all rows

signals:
    void differenceToggled(bool on);
    void htmlRequested();
    void picturesRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildTable(CompareTableModel* model);
    void applyTheme();
    void placeBars(bool beside);
    void fitRows();
    QPushButton* button(const QString& name, const QString& words, const QString& explanation);

    Theme* m_theme;
    QTableView* m_table;
    QBoxLayout* m_row = nullptr;
    int m_besideWidth = 0; // from this width on, the bars are beside the table
    QPushButton* m_difference;
};

} // namespace lockscope::ui
