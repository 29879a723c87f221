#include "ui/shell/dialogs/attach_target.h"

#include "core/base/host_port.h"
#include "core/sim/scenario/scenario.h"
#include "ui/models/style/format.h"
#include "ui/texts/core_messages.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace lockscope::ui {

namespace {

struct AttachTargetTexts // lives only to give the texts a translation context
{
    Q_DECLARE_TR_FUNCTIONS(AttachTarget)
};

constexpr int kMaxShownInput = 60; // characters of the user's input

QString shown(const QString& text) { return format::plain(text.toStdString(), kMaxShownInput); }

// Why parseHostPort() rejects the address.
QString addressError(const QString& address)
{
    if (address.isEmpty())
        return AttachTargetTexts::tr("it is empty; enter HOST:PORT, for example 127.0.0.1:2181.");
    const auto colon = address.lastIndexOf(u':');
    if (colon < 0 || address.indexOf(u']', colon) >= 0)
        return AttachTargetTexts::tr("the port is missing; enter HOST:PORT, for example 127.0.0.1:2181.");
    if (colon == 0)
        return AttachTargetTexts::tr("the host is missing; enter HOST:PORT, for example 127.0.0.1:2181.");
    if (!parseHostPort("host" + address.mid(colon).toStdString()))
        return AttachTargetTexts::tr("\"%1\" is not a port; use a number from 1 to 65535.")
            .arg(shown(address.mid(colon + 1)));
    if (address.lastIndexOf(u':', colon - 1) >= 0 && !address.contains(u']'))
        return AttachTargetTexts::tr("an IPv6 address must be in brackets, for example [::1]:2181.");
    return AttachTargetTexts::tr("\"%1\" is not a host name; use only letters, digits, dots and hyphens.")
        .arg(shown(address.left(colon)));
}

} // namespace

QString AttachTarget::words() const
{
    return AttachTargetTexts::tr("%1 at %2")
        .arg(format::plain(path.toStdString(), 40), format::plain(servers.toStdString(), 40));
}

// A path may contain a comma; only a comma followed by a slash starts another path.
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
    if (typed.startsWith(kTlsScheme))
        typed.replace(0, kTlsScheme.size(), QString(kTlsScheme.size(), u' ')); // the places stay
    if (const auto slash = typed.indexOf(u'/'); chroot == Chroot::permitted && slash > 0) {
        typed.truncate(slash);
        if (InputError fault = pathError(given.mid(slash).trimmed()); !fault.text.isEmpty())
            return {fault.text, static_cast<int>(slash), static_cast<int>(given.size() - slash)};
    }
    const std::vector<std::string> parts = splitHosts(typed.toStdString());
    if (parts.empty())
        return {AttachTargetTexts::tr("%1: %2").arg(AttachTargetTexts::tr("The address"), addressError({}))};
    qsizetype at = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const QString address = QString::fromStdString(parts[i]);
        at = typed.indexOf(address, at);
        if (!parseHostPort(parts[i])) {
            const QString which = parts.size() == 1 ? AttachTargetTexts::tr("The address")
                                                    : AttachTargetTexts::tr("Address %1").arg(i + 1);
            const QString fault = addressError(address);
            return {address.isEmpty()
                        ? AttachTargetTexts::tr("%1: %2").arg(which, fault)
                        : AttachTargetTexts::tr("%1, \"%2\": %3").arg(which, shown(address), fault),
                    static_cast<int>(at), static_cast<int>(address.size())};
        }
        at += address.size() + 1;
    }
    return {};
}

InputError pathError(const QString& typed)
{
    if (typed.trimmed().isEmpty())
        return {
            AttachTargetTexts::tr("The path is missing: enter that of the lock, for example /locks/orders."),
            0, 0};
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

// Each target is one string: the addresses, an optional chroot, a blank and the paths; then, each in a line
// of its own, the files of TLS, and the mechanism of SASL, its file and its service, if there are any.
RecentTargets::RecentTargets(Settings settings)
    : m_settings(settings)
    , m_lines(m_settings.get(settings::kRecentTargets).mid(0, kMaxTargets))
{}

QList<AttachTarget> RecentTargets::all() const
{
    QList<AttachTarget> places;
    for (const QString& line : m_lines) {
        const QStringList parts = line.split(u'\n');
        const QString& where = parts.front();
        const auto file = [&parts](int which) { return parts.value(which).toStdString(); };
        const auto blank = where.indexOf(QLatin1String(" /")); // a chroot or path may contain other blanks
        AttachTarget place{.servers = where.left(blank),
                           .path = where.mid(blank + 1),
                           .tls = {.ca = file(1), .certificate = file(2), .key = file(3)},
                           .sasl = {zk::wire::saslMechanismFrom(file(4)), file(5)}};
        if (parts.size() > 6)
            place.sasl.service = file(6);
        if (serversError(place.servers, Chroot::permitted).text.isEmpty() &&
            watchedPathsError(place.path).text.isEmpty())
            places << place;
    }
    return places;
}

void RecentTargets::add(const AttachTarget& place)
{
    const QString where = place.servers + u' ' + place.path;
    QString line = where;
    const tls::Options& tls = place.tls;
    std::vector<std::string> more;
    if (place.sasl.mechanism || !tls.ca.empty() || !tls.certificate.empty() || !tls.key.empty())
        more = {tls.ca, tls.certificate, tls.key};
    if (place.sasl.mechanism)
        more.insert(more.end(),
                    {zk::wire::nameOf(*place.sasl.mechanism).option, place.sasl.file, place.sasl.service});
    for (const std::string& one : more)
        line += u'\n' + QString::fromStdString(one);
    m_lines.removeIf([&](const QString& known) { return known.section(u'\n', 0, 0) == where; });
    m_settings.remember(settings::kRecentTargets, m_lines, line, kMaxTargets);
}

} // namespace lockscope::ui
