// Shows and chooses the scenario that runs: the built-in ones by title, the opened file, and "Open…". GUI
// thread.
#pragma once

#include "ui/widgets/elided_combo_box.h"
#include "ui/widgets/without_wheel.h"

namespace lockscope::ui {

class ScenarioChooser : public WithoutWheel<ElidedComboBox>
{
    Q_OBJECT
public:
    explicit ScenarioChooser(QWidget* parent);
    // Selects what runs now: a built-in's name, or, if `fileLabel` is not empty, a file.
    void showSource(const QString& builtInName, const QString& fileLabel);

signals:
    void builtInChosen(const QString& name, bool stepped); // stepped: with Shift held
    void openRequested();

protected:
    void keyPressEvent(QKeyEvent* event) override; // no key starts a run while the list is closed

private:
    void fill();
    void choose(int index);
    void removeFileItem();
    int m_shown = -1;
};

} // namespace lockscope::ui
