// Where a lock of others is: the addresses of a ZooKeeper and a path there. Checked as far as that goes without
// asking it, and remembered from one start to the next. Values, any thread; RecentPlaces: GUI thread.
#pragma once

#include <QString>
#include <QStringList>

class QSettings;

namespace lockscope::ui {

struct LockPlace
{
    QString servers; // "10.0.0.1:2181,10.0.0.2:2181"
    QString path;    // "/locks/orders"
    int clients = 0; // that join; nobody: it is only watched

    QString words() const; // "/locks/orders at 10.0.0.1:2181", plain and capped
};

struct PlaceFault
{
    QString text; // a sentence with the place of the mistake; empty: there is none
    int at = 0;   // what to mark of the text that was typed
    int length = 0;
};
PlaceFault serversFault(const QString& typed);
PlaceFault pathFault(const QString& typed);

// Newest first. Without settings nothing is kept beyond this window.
class RecentPlaces
{
public:
    static constexpr int kMost = 8;
    explicit RecentPlaces(QSettings* settings);
    QList<LockPlace> all() const; // to be watched
    void add(const LockPlace& place);

private:
    QSettings* m_settings;
    QStringList m_lines;
};

} // namespace lockscope::ui
