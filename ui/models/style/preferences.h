// What the preferences keep beside the other settings. GUI thread.
#pragma once

#include "ui/models/style/settings.h"

namespace lockscope::ui {

namespace settings {
inline const Setting<QVariantMap> kKeys{"keys"}; // of commands, where they differ from the table's
inline const Setting<int> kUpdatesPerSecond{"updatesPerSecond", 30};
} // namespace settings

// A property of the application: the keys that the user chose, as QVariantMap: a name to "Ctrl+K; F3".
inline constexpr const char* kChangedKeys = "changedKeys";
// A property of RunModel: how often a run that can grow is shown; 30 times a second by default.
inline constexpr const char* kRunUpdates = "updatesPerSecond";

} // namespace lockscope::ui
