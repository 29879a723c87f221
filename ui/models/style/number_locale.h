// The locale in which all numbers are written: that of the window, or English for the C locale, which groups
// no digits. GUI thread.
#pragma once

#include <QLocale>

namespace lockscope::ui::format {

QLocale locale();

} // namespace lockscope::ui::format
