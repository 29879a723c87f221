// Where a lock of others is: the addresses of a ZooKeeper and a path there. Checked as far as that goes without
// asking it, and remembered from one start to the next. Values, any thread; RecentTargets: GUI thread.
#pragma once

#include <QString>
#include <QStringList>

#include "ui/models/settings.h"

namespace lockscope::ui {

struct AttachTarget
{
    QString servers; // "10.0.0.1:2181,10.0.0.2:2181"; of a lock that is only watched also with a chroot, "/prod", at the end
    QString path;    // "/locks/orders"; only watched also several, "/locks/orders, /locks/stock", or a folder of locks
    int clients = 0; // that join; 0: the lock is only watched

    QStringList paths() const; // each
    QString words() const; // "/locks/orders at 10.0.0.1:2181", plain and capped
};

struct InputError
{
    QString text; // a sentence with the place of the mistake; empty: there is none
    int at = 0;   // what to mark of the text that was typed
    int length = 0;
};
enum class Chroot { refused, permitted };
InputError serversError(const QString& typed, Chroot chroot = Chroot::refused);
InputError pathError(const QString& typed);
InputError watchedPathsError(const QString& typed); // one or several

// Newest first. Without settings nothing is kept beyond this window.
class RecentTargets
{
public:
    static constexpr int kMaxTargets = 8;
    explicit RecentTargets(Settings settings);
    QList<AttachTarget> all() const; // to be watched
    void add(const AttachTarget& place);

private:
    Settings m_settings;
    QStringList m_lines;
};

} // namespace lockscope::ui
