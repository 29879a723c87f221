// The menus of the window, built from its actions. GUI thread.
#pragma once

class QMenuBar;

namespace lockscope::ui {

class Actions;
class DockArea;
class LanguageMenu;
class FaultMenu;

// `language` may be null: then the language cannot be chosen.
void fillMenuBar(QMenuBar* bar, const Actions& actions, FaultMenu* faults, DockArea& docks,
                 LanguageMenu* language);

} // namespace lockscope::ui
