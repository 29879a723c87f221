// All commands in one list, filtered by the typed text. Enter runs the selected one, Escape closes. GUI
// thread.
#pragma once

#include "ui/commands/command_list.h"
#include "ui/widgets/overlay.h"

class QLabel;
class QLineEdit;
class QListView;

namespace lockscope::ui {

class Theme;

class CommandPalette : public Overlay
{
    Q_OBJECT
public:
    CommandPalette(std::vector<CommandEntry> entries, const Theme* theme, QWidget* window);
    QLineEdit* input() const { return m_input; }
    const CommandList& list() const { return *m_list; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; // the list's keys, pressed in the input

private:
    void choose(bool alternative = false);
    void fitHeight();
    void showDescription();
    void moveSelection(int by);

    const Theme* m_theme;
    int m_maxHeight = 0;
    CommandList* m_list;
    QLineEdit* m_input;
    QListView* m_view;
    QLabel* m_description;
};

} // namespace lockscope::ui
