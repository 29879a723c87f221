// The Inspector: everything known about the selected item, with links to the source events. A link selects
// its event and moves the cursor there; Backspace goes back. Ctrl+C copies the facts as text, Ctrl+Shift+C as
// JSON. GUI thread.
#pragma once

#include <QWidget>

#include "ui/canvas/view.h"
#include "ui/models/run/selection.h"
#include "ui/models/style/theme.h"

#include <vector>

class QAction;

namespace lockscope::ui {

class InspectorModel;
class InspectorTable;
class RunModel;

class InspectorView : public QWidget, public View
{
    Q_OBJECT
public:
    InspectorView(RunModel* run, Selection* selection, Theme* theme, QWidget* parent = nullptr);

public slots:
    void goTo(lockscope::EventIndex event);
    void goBack();
    void copyText() const;
    void copyJson() const;

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    struct HistoryEntry
    {
        Selected what;
        std::size_t position = 0;
        bool following = false;
    };
    void build();
    void retranslate();
    void follow(const QModelIndex& cell);
    void remember();
    void updateSubject();
    void applyTheme();
    void showMenu(const QPoint& place);
    RunModel* m_run;
    Selection* m_selection;
    Theme* m_theme;
    InspectorModel* m_model;
    InspectorTable* m_table;
    QAction* m_back;
    QAction* m_copyText;
    QAction* m_copyJson;
    Selected m_shown;
    std::vector<HistoryEntry> m_history; // the latest last
};

} // namespace lockscope::ui
