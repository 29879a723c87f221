// The menus of the window, made of its actions. GUI thread.
#pragma once

class QMenuBar;

namespace lockscope::ui {

class Actions;
class DockArea;
class WhatIfMenu;

void fillMenuBar(QMenuBar* bar, const Actions& actions, WhatIfMenu* whatIf, const DockArea& docks);

} // namespace lockscope::ui
