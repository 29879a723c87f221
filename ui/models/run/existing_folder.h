// The folder that a file dialog opens in: the last one may have been deleted since. Any thread.
#pragma once

#include <QString>

namespace lockscope::ui {

// `wanted`, or the nearest folder above it that exists. Empty (the dialog's own choice) if `wanted` is empty.
// The home folder if the current folder is needed but was deleted.
QString existingFolder(const QString& wanted);

} // namespace lockscope::ui
