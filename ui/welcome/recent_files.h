// The recently opened scenarios and traces, newest first, saved in the settings. GUI thread.
#pragma once

#include <QObject>
#include <QStringList>

#include "ui/models/style/settings.h"

namespace lockscope::ui {

class RecentFiles : public QObject
{
    Q_OBJECT
public:
    static constexpr int kMaxFiles = 8;
    // Without settings the list lasts as long as this object.
    RecentFiles(Settings settings, QObject* parent);
    QStringList paths() const; // existing files only

public slots:
    void add(const QString& path);

signals:
    void changed();

private:
    Settings m_settings;
    QStringList m_paths;
};

} // namespace lockscope::ui
