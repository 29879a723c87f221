// The title of a run: its scenario's title in the user's language, or, if that names a wrong number of
// clients, the numbers of locks and clients. GUI thread, or any thread once the translations are installed.
#pragma once

#include "core/trace/store.h"

#include <QString>

namespace lockscope::ui {

QString scenarioTitle(const trace::Header& header); // as on the welcome page; otherwise the trace's own
// False if the title names another number, as "Five clients, one lock" does for six clients.
bool titleFitsClientCount(const trace::Header& header, std::size_t clients);
QString countedTitle(std::size_t locks, std::size_t clients); // "One lock · 1,000 clients"
QString runTitle(const trace::Header& header);                // for the number of clients in its scenario

} // namespace lockscope::ui
