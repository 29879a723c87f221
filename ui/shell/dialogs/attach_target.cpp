#include "ui/shell/dialogs/attach_target.h"

#include "core/sim/scenario/scenario.h"
#include "ui/models/core_messages.h"
#include "ui/models/format.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>

namespace lockscope::ui {

namespace {

struct AttachTargetTexts // lives only to give the texts a translation context
{
    Q_DECLARE_TR_FUNCTIONS(AttachTarget)
};

constexpr int kMaxPort = 65535;
constexpr int kMaxShownInput = 60; // characters of what was typed

bool isNumeric(const QString& host)
{
    return std::all_of(host.begin(), host.end(),
                       [](QChar c) { return c == u'.' || (c >= u'0' && c <= u'9'); });
}

bool isFourNumbers(const QString& host)
{
    const QStringList parts = host.split(u'.');
    return parts.size() == 4 && std::all_of(parts.begin(), parts.end(), [](const QString& part) {
               bool number = false;
               return part.size() <= 3 && part.toUInt(&number) <= 255 && number;
           });
}

bool isHostName(const QString& host)
{
    return std::all_of(host.begin(), host.end(), [](QChar c) {
        return c.unicode() < 128 && (c.isLetterOrNumber() || c == u'.' || c == u'-' || c == u'_');
    });
}

bool isBracketed(const QString& host)
{
    return host.size() > 4 && host.startsWith(u'[') && host.endsWith(u']') && host.contains(u':') &&
           std::all_of(host.begin() + 1, host.end() - 1, [](QChar c) {
               return c == u':' || c == u'.' ||
                      (c.unicode() < 128 && QStringLiteral("0123456789abcdefABCDEF").contains(c));
           });
}

QString shown(const QString& text) { return format::plain(text.toStdString(), kMaxShownInput); }

// What is wrong with one address; empty when nothing is.
QString addressError(const QString& address)
{
    if (address.isEmpty())
        return AttachTargetTexts::tr("it is empty; enter HOST:PORT, for example 127.0.0.1:2181.");
    const auto colon = address.lastIndexOf(u':');
    if (colon < 0 || address.indexOf(u']', colon) >= 0)
        return AttachTargetTexts::tr("the port is missing; enter HOST:PORT, for example 127.0.0.1:2181.");
    const QString host = address.left(colon), port = address.mid(colon + 1);
    if (host.isEmpty())
        return AttachTargetTexts::tr("the host is missing; enter HOST:PORT, for example 127.0.0.1:2181.");
    if (host.contains(u'[') || host.contains(u':')) {
        if (!isBracketed(host))
            return AttachTargetTexts::tr("an IPv6 address must be in brackets, for example [::1]:2181.");
    } else if (isNumeric(host) && !isFourNumbers(host)) {
        return AttachTargetTexts::tr("\"%1\" is not a numeric address, which has four numbers from 0 to 255.")
            .arg(shown(host));
    } else if (!isHostName(host)) {
        return AttachTargetTexts::tr(
                   "\"%1\" is not a host name, which has only letters, digits, dots and hyphens.")
            .arg(shown(host));
    }
    const bool digits = std::all_of(port.begin(), port.end(), [](QChar c) { return c >= u'0' && c <= u'9'; });
    const uint number = digits && port.size() <= 5 ? port.toUInt() : 0;
    return number >= 1 && number <= kMaxPort
               ? QString()
               : AttachTargetTexts::tr("\"%1\" is not a port, which is a number from 1 to 65535.")
                     .arg(shown(port));
}

} // namespace

QString AttachTarget::words() const
{
    return AttachTargetTexts::tr("%1 at %2")
        .arg(format::plain(path.toStdString(), 40), format::plain(servers.toStdString(), 40));
}

// A path may contain a comma: another path begins behind one with a slash.
QStringList AttachTarget::paths() const
{
    static const QRegularExpression separator(QStringLiteral(",\\s*(?=/)"));
    QStringList all = path.trimmed().split(separator, Qt::SkipEmptyParts);
    all.removeDuplicates();
    return all;
}

InputError serversError(const QString& given, Chroot chroot)
{
    QString typed = given;
    if (const auto slash = given.indexOf(u'/'); chroot == Chroot::permitted && slash > 0) {
        typed = given.left(slash);
        if (InputError fault = pathError(given.mid(slash).trimmed()); !fault.text.isEmpty())
            return {fault.text, static_cast<int>(slash), static_cast<int>(given.size() - slash)};
    }
    const QStringList parts = typed.split(u',');
    qsizetype at = 0;
    for (qsizetype i = 0; i < parts.size(); at += parts[i].size() + 1, ++i) {
        const QString address = parts[i].trimmed();
        const QString fault = addressError(address);
        if (fault.isEmpty())
            continue;
        const QString which = parts.size() == 1 ? AttachTargetTexts::tr("The address")
                                                : AttachTargetTexts::tr("Address %1").arg(i + 1);
        return {address.isEmpty() ? AttachTargetTexts::tr("%1: %2").arg(which, fault)
                                  : AttachTargetTexts::tr("%1, \"%2\": %3").arg(which, shown(address), fault),
                static_cast<int>(at), static_cast<int>(parts[i].size())};
    }
    return {};
}

InputError pathError(const QString& typed)
{
    sim::Scenario scenario;
    scenario.locks = {typed.toStdString()};
    const Result<void> valid = sim::validate(scenario);
    if (valid)
        return {};
    return {errorText(valid.error()).all(), 0, static_cast<int>(typed.size())};
}

InputError watchedPathsError(const QString& typed)
{
    const QStringList paths = AttachTarget{{}, typed}.paths();
    if (paths.isEmpty())
        return pathError(typed);
    qsizetype at = 0;
    for (const QString& path : paths) {
        at = typed.indexOf(path, at);
        if (InputError fault = path == QStringLiteral("/") ? InputError() : pathError(path);
            !fault.text.isEmpty())
            return {fault.text, static_cast<int>(at), static_cast<int>(path.size())};
        at += path.size();
    }
    return {};
}

// A line each: the addresses, with a chroot, and the path behind a blank.
RecentTargets::RecentTargets(Settings settings)
    : m_settings(settings)
    , m_lines(m_settings.get(settings::kRecentTargets).mid(0, kMaxTargets))
{}

QList<AttachTarget> RecentTargets::all() const
{
    QList<AttachTarget> places;
    for (const QString& line : m_lines) {
        const auto blank = line.indexOf(QLatin1String(" /")); // a chroot and a path may have others
        const AttachTarget place{.servers = line.left(blank), .path = line.mid(blank + 1)};
        if (serversError(place.servers, Chroot::permitted).text.isEmpty() &&
            watchedPathsError(place.path).text.isEmpty())
            places << place;
    }
    return places;
}

void RecentTargets::add(const AttachTarget& place)
{
    const QString line = place.servers + u' ' + place.path;
    m_lines.removeAll(line);
    m_lines.prepend(line);
    m_lines = m_lines.mid(0, kMaxTargets);
    m_settings.set(settings::kRecentTargets, m_lines);
}

} // namespace lockscope::ui
