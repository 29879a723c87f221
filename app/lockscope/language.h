// The language of the window: Qt's default locale and the translators for it. Once, after QApplication.
#pragma once

#include <string>

namespace lockscope::app {

// "en", "zh_CN" or empty for the system's. A language without a translation shows English.
void installLanguage(const std::string& language);

} // namespace lockscope::app
