#include "ui/welcome/recent_files.h"

#include <QFileInfo>
#include <QSettings>

namespace lockscope::ui {

namespace {
const QString kKey = QStringLiteral("recentFiles");
}

RecentFiles::RecentFiles(QSettings* settings, QObject* parent)
    : QObject(parent)
    , m_settings(settings)
{
    if (settings) {
        m_paths = settings->value(kKey).toStringList().mid(0, kMaxFiles);
    }
}

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
    const QString whole = QFileInfo(path).absoluteFilePath();
    m_paths.removeAll(whole);
    m_paths.prepend(whole);
    m_paths = m_paths.mid(0, kMaxFiles);
    if (m_settings) {
        m_settings->setValue(kKey, m_paths);
    }
    emit changed();
}

} // namespace lockscope::ui

#include "moc_recent_files.cpp"
