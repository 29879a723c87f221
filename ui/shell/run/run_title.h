// What a run is called: the title of its scenario in the person's language, or, where that counts other
// clients than take part, how many do. GUI thread, or any once the translations are installed.
#pragma once

#include "core/trace/store.h"

#include <QString>

namespace lockscope::ui {

QString scenarioTitle(const trace::Header& header); // as on the welcome page, else the trace's own
// False when the title names another number, as "Five clients, one lock" does of six.
bool titleFitsClientCount(const trace::Header& header, std::size_t clients);
QString countedTitle(std::size_t locks, std::size_t clients); // "One lock · 1,000 clients"
QString runTitle(const trace::Header& header);                // of as many as its scenario says

} // namespace lockscope::ui
