#include "ui/models/run/existing_folder.h"

#include <QDir>
#include <QFileInfo>

namespace lockscope::ui {

QString existingFolder(const QString& wanted)
{
    const auto exists = [](const QString& folder) { return !folder.isEmpty() && QFileInfo(folder).isDir(); };
    const QString current = QDir::currentPath();
    if (wanted.isEmpty() || (QDir::isRelativePath(wanted) && !exists(current)))
        return exists(current) ? QString() : QDir::homePath();
    QString folder = QDir::cleanPath(QFileInfo(wanted).absoluteFilePath());
    while (!exists(folder) && folder != QFileInfo(folder).path())
        folder = QFileInfo(folder).path();
    return exists(folder) ? folder : QDir::homePath();
}

} // namespace lockscope::ui
