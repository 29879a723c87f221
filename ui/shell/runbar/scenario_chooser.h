// Which scenario runs: the built-in ones by title, the file that was opened, and a way to open one. GUI
// thread.
#pragma once

#include "ui/widgets/elided_combo_box.h"

namespace lockscope::ui {

class ScenarioChooser : public ElidedComboBox
{
    Q_OBJECT
public:
    explicit ScenarioChooser(QWidget* parent);
    // What runs now: a built-in's name, or a file's label.
    void showSource(const QString& builtInName, const QString& fileLabel);

signals:
    void builtInChosen(const QString& name, bool stepped); // stepped: with Shift held
    void openRequested();

private:
    void fill();
    void choose(int index);
    void removeFileItem();
    int m_shown = -1;
};

} // namespace lockscope::ui
