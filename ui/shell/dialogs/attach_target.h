// The location of another program's lock: ZooKeeper addresses and a path. The checks do not contact the
// server. Recent targets are remembered between program starts. Values, any thread; RecentTargets: GUI
// thread.
#pragma once

#include <QString>
#include <QStringList>

#include "core/tls/tls.h"
#include "core/zk/wire/sasl.h"
#include "ui/models/style/settings.h"

namespace lockscope::ui {

inline const QString kTlsScheme = QStringLiteral("tls://");

struct AttachTarget
{
    // "10.0.0.1:2181,10.0.0.2:2181", with "tls://" in front if secured; if only watched, a chroot ("/prod")
    // may follow.
    QString servers;
    QString
        path; // "/locks/orders"; if only watched, also several ("/locks/a, /locks/b") or a folder of locks
    int clients = 0;              // the number of clients that join; 0: the lock is only watched
    tls::Options tls{};           // of secured servers
    zk::wire::SaslOptions sasl{}; // if only watched

    QStringList paths() const; // the single paths, without duplicates
    bool secured() const { return servers.startsWith(kTlsScheme); }
    QString words() const; // "/locks/orders at 10.0.0.1:2181", control characters made visible, capped
};

struct InputError
{
    QString text; // a sentence that names the mistake; empty: the input is valid
    int at = 0;   // the first character to mark in the input
    int length = 0;
};
enum class Chroot { refused, permitted };
InputError serversError(const QString& typed, Chroot chroot = Chroot::refused);
InputError pathError(const QString& typed);
InputError watchedPathsError(const QString& typed); // one or several

// The newest first; of the files of TLS and SASL, their names. Without settings, nothing is kept after the
// window is closed.
class RecentTargets
{
public:
    static constexpr int kMaxTargets = 8;
    explicit RecentTargets(Settings settings);
    QList<AttachTarget> all() const; // with clients = 0
    void add(const AttachTarget& place);

private:
    Settings m_settings;
    QStringList m_lines;
};

} // namespace lockscope::ui
