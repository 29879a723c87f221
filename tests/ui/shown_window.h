// The program's window as most window tests want it: light, of a known size, and shown.
#pragma once

#include "ui/shell/window/main_window.h"

#include <memory>
#include <utility>

namespace lockscope::ui {

inline std::unique_ptr<MainWindow> shownWindow(MainWindow::Setup setup = {}, QSize size = {1280, 800})
{
    setup.colourScheme = Theme::ColourScheme::light;
    auto window = std::make_unique<MainWindow>(std::move(setup));
    window->resize(size);
    window->show();
    return window;
}

} // namespace lockscope::ui
