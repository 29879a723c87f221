#include "ui/welcome/recent_files.h"

#include <QFileInfo>

namespace lockscope::ui {

RecentFiles::RecentFiles(Settings settings, QObject* parent)
    : QObject(parent)
    , m_settings(settings)
    , m_paths(m_settings.get(settings::kRecentFiles).mid(0, kMaxFiles))
{}

QStringList RecentFiles::paths() const
{
    QStringList there;
    for (const QString& path : m_paths) {
        if (QFileInfo(path).isFile()) {
            there += path;
        }
    }
    return there;
}

void RecentFiles::add(const QString& path)
{
    m_settings.remember(settings::kRecentFiles, m_paths, QFileInfo(path).absoluteFilePath(), kMaxFiles);
    emit changed();
}

} // namespace lockscope::ui

#include "moc_recent_files.cpp"
