// The menus of the window, made of its actions. GUI thread.
#pragma once

class QMenuBar;

namespace lockscope::ui {

class Actions;
class DockArea;
class LanguageMenu;
class FaultMenu;

// `language` may be null: then there is none to choose.
void fillMenuBar(QMenuBar* bar, const Actions& actions, FaultMenu* faults, DockArea& docks,
                 LanguageMenu* language);

} // namespace lockscope::ui
