// All handoffs of the run: who, from whom, their parts, waited, held. A click on a title sorts, a field
// filters, and a row selects its handoff in all views; Enter or a double click moves them to it. GUI thread.
#pragma once

#include <QWidget>

#include "ui/canvas/view.h"

class QSortFilterProxyModel;

namespace lockscope::ui {

class HandoffsModel;
class RunModel;
class Selection;
class TableTools;
class Theme;

class HandoffsView : public QWidget, public View
{
    Q_OBJECT
public:
    HandoffsView(RunModel* run, Selection* selection, Theme* theme, QWidget* parent = nullptr);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void updateCaption();

    HandoffsModel* m_model;
    QSortFilterProxyModel* m_rows; // sorted and filtered
    TableTools* m_tools;
};

} // namespace lockscope::ui
