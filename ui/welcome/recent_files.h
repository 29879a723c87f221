// The scenarios and traces that were opened last, newest first; kept from one start to the next. GUI thread.
#pragma once

#include <QObject>
#include <QStringList>

class QSettings;

namespace lockscope::ui {

class RecentFiles : public QObject
{
    Q_OBJECT
public:
    static constexpr int kMaxFiles = 8;
    // Without settings nothing is kept beyond this window.
    RecentFiles(QSettings* settings, QObject* parent);
    QStringList paths() const; // only those that are still there

public slots:
    void add(const QString& path);

signals:
    void changed();

private:
    QSettings* m_settings;
    QStringList m_paths;
};

} // namespace lockscope::ui
