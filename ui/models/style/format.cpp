#include "ui/models/style/format.h"

#include "core/trace/plain_text.h"
#include "ui/models/style/number_locale.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace lockscope::ui::format {

namespace {

struct FormatText // lives only to give the texts a translation context
{
    Q_DECLARE_TR_FUNCTIONS(FormatText)
};

// Rounds first, so that 9.996 becomes "10.0" and not "10.00".
QString threeDigits(double value)
{
    if (value < 9.995)
        return decimal(value, 2);
    if (value < 99.95)
        return decimal(value, 1);
    return decimal(value, 0);
}

int decimalsFor(Duration step, Duration unit)
{
    int digits = 0;
    for (Duration least = unit; step < least && digits < 9; ++digits)
        least /= 10;
    return digits;
}

std::size_t digitsFrom(std::string_view name)
{
    std::size_t from = name.size();
    while (from > 0 && name.size() - from < 10 && name[from - 1] >= '0' && name[from - 1] <= '9')
        --from;
    return from;
}

QString significant(std::string_view digits)
{
    const std::size_t first = std::min(digits.find_first_not_of('0'), digits.size() - 1);
    return QString::fromLatin1(digits.data() + first, static_cast<qsizetype>(digits.size() - first));
}

// In groups of three, as seconds are written: "006 312".
QString groupedFraction(std::int64_t nanoseconds, int digits)
{
    QString all = QString::number(nanoseconds).rightJustified(9, u'0').left(digits);
    for (int behind = digits / 3 * 3; behind > 0; behind -= 3)
        if (behind < all.size())
            all.insert(behind, u' ');
    return all;
}

QDateTime wholeSeconds(TraceTime value, WallTime zero)
{
    return QDateTime::fromSecsSinceEpoch(
        std::chrono::floor<std::chrono::seconds>(zero + value).time_since_epoch().count());
}

QString withFraction(TraceTime value, WallTime zero, int digits)
{
    const QString whole = wholeSeconds(value, zero).toString(QStringLiteral("HH:mm:ss"));
    const auto rest = (zero + value) - std::chrono::floor<std::chrono::seconds>(zero + value);
    return digits == 0 ? whole
                       : whole + locale().decimalPoint() + groupedFraction(Duration(rest).count(), digits);
}

// A control character as its picture, another invisible one as its code point.
QString visible(char32_t c)
{
    if (c < 0x20)
        return QString(QChar(static_cast<char16_t>(0x2400 + c)));
    if (c == 0x7f)
        return QString(QChar(0x2421));
    if (trace::isMisleading(c))
        return QStringLiteral("‹U+%1›").arg(QString::number(c, 16).toUpper().rightJustified(4, u'0'));
    return QString::fromUcs4(&c, 1);
}

} // namespace

QLocale locale()
{
    const QLocale chosen;
    return chosen.language() == QLocale::C ? QLocale(QLocale::English, QLocale::UnitedStates) : chosen;
}

QString duration(Duration value)
{
    using namespace std::chrono_literals;
    if (value == kForever)
        return FormatText::tr("no limit");
    if (value < 0ns)
        return QStringLiteral("−") + duration(value == Duration::min() ? Duration::max() - 1ns : -value);
    const double ns = static_cast<double>(value.count());
    if (value == 0ns)
        return FormatText::tr("%1 ms").arg(QStringLiteral("0"));
    if (value < 1us)
        return FormatText::tr("%1 ns").arg(decimal(ns, 0));
    if (value < 10us)
        return FormatText::tr("%1 µs").arg(decimal(ns / 1e3, 1));
    if (ns / 1e6 < 999.5)
        return FormatText::tr("%1 ms").arg(threeDigits(ns / 1e6));
    if (ns / 1e9 < 59.95)
        return FormatText::tr("%1 s").arg(decimal(ns / 1e9, 1));
    // Rounded by hand: std::chrono::round overflows near the maximum duration.
    const qint64 seconds = value / 1s + (value % 1s >= 500ms ? 1 : 0);
    if (seconds < 3600)
        return FormatText::tr("%1 min %2 s").arg(locale().toString(seconds / 60)).arg(seconds % 60);
    return FormatText::tr("%1 h %2 min").arg(locale().toString(seconds / 3600)).arg(seconds / 60 % 60);
}

Scale scale(const std::vector<Duration>& durations)
{
    using namespace std::chrono_literals;
    constexpr int kMaxDigits = 3;
    const auto longest = std::max_element(durations.begin(), durations.end());
    if (longest == durations.end())
        return {};
    const auto [unit, name] = *longest < 10us       ? std::pair<Duration, QString>{1us, FormatText::tr("µs")}
                              : *longest < 999500us ? std::pair<Duration, QString>{1ms, FormatText::tr("ms")}
                                                    : std::pair<Duration, QString>{1s, FormatText::tr("s")};
    Scale scale{name, {}};
    const auto write = [&, per = static_cast<double>(unit.count())](int digits) {
        scale.numbers.clear();
        for (const Duration each : durations)
            scale.numbers << decimal(static_cast<double>(each.count()) / per, digits);
    };
    const auto alike = [&](int digits) {
        const QString zero = decimal(0, digits);
        for (std::size_t i = 0; i < durations.size(); ++i) {
            const QString& number = scale.numbers[static_cast<qsizetype>(i)];
            if (number == zero && durations[i] > 0ns)
                return true;
            for (std::size_t k = 0; k < i; ++k)
                if (durations[k] != durations[i] && scale.numbers[static_cast<qsizetype>(k)] == number)
                    return true;
        }
        return false;
    };
    int digits = 2;
    for (write(digits); digits < kMaxDigits && alike(digits); write(digits))
        ++digits;
    const QString zero = decimal(0, digits), least = decimal(std::pow(10, -digits), digits);
    for (std::size_t i = 0; i < durations.size(); ++i)
        if (QString& number = scale.numbers[static_cast<qsizetype>(i)]; number == zero && durations[i] > 0ns)
            number = u'<' + least;
    return scale;
}

QString waitTime(Duration value)
{
    using namespace std::chrono_literals;
    const double ns = static_cast<double>(value.count());
    if (value < 10us || value >= 59950ms)
        return duration(value);
    return value < 999995us ? FormatText::tr("%1 ms").arg(decimal(ns / 1e6, 2))
           : value < 9999ms ? moment(value)
                            : FormatText::tr("%1 s").arg(decimal(ns / 1e9, 3));
}

QString decimal(double value, int digits) { return locale().toString(value, 'f', digits); }
QString ratio(double value) { return threeDigits(value); }

QString axisTime(TraceTime value, Duration step)
{
    using namespace std::chrono_literals;
    const double ns = static_cast<double>(value.count());
    if (step >= 1s || value >= 1s) {
        // In whole groups of three digits, as in timestamp().
        const int exact = decimalsFor(step, 1s), decimals = exact <= 3 ? exact : (exact + 2) / 3 * 3;
        QString seconds = decimal(ns / 1e9, decimals);
        for (int behind = decimals - 3; behind > 0; behind -= 3)
            seconds.insert(seconds.size() - behind, u' ');
        return FormatText::tr("%1 s").arg(seconds);
    }
    if (step >= 1ms || value >= 10ms)
        return FormatText::tr("%1 ms").arg(decimal(ns / 1e6, decimalsFor(step, 1ms)));
    return FormatText::tr("%1 µs").arg(decimal(ns / 1e3, decimalsFor(step, 1us)));
}

QString timestamp(TraceTime value)
{
    const qint64 us = std::max<qint64>(0, std::chrono::floor<std::chrono::microseconds>(value).count());
    return QStringLiteral("%1%2%3 %4")
        .arg(us / 1'000'000)
        .arg(locale().decimalPoint())
        .arg(us / 1000 % 1000, 3, 10, QChar(u'0'))
        .arg(us % 1000, 3, 10, QChar(u'0'));
}

QString moment(TraceTime value) { return FormatText::tr("%1 s").arg(timestamp(value)); }

QString defaultClientName(ClientId client)
{
    return QCoreApplication::translate("Core", "client %1").arg(count(quint64{client.value} + 1));
}
QString wallTime(TraceTime value, WallTime zero) { return withFraction(value, zero, 6); }

QString axisWallTime(TraceTime value, Duration step, WallTime zero)
{
    const int exact = decimalsFor(step, std::chrono::seconds(1));
    return withFraction(value, zero, exact <= 3 ? exact : (exact + 2) / 3 * 3);
}

QString wallMoment(TraceTime value, std::optional<WallTime> zero)
{
    if (!zero)
        return FormatText::tr("wall-clock time not recorded");
    return wholeSeconds(value, *zero).toString(QStringLiteral("yyyy-MM-dd ")) + wallTime(value, *zero);
}

QString momentTip(TraceTime value, std::optional<WallTime> zero)
{
    return moment(value) + u'\n' + wallMoment(value, zero);
}

QString eventNumber(EventIndex event) { return count(quint64{event.value} + 1); }

QString count(quint64 value) { return locale().toString(value); }

QString zxid(Zxid value)
{
    if (!value.valid())
        return QStringLiteral("–");
    return QStringLiteral("0x") + QString::number(static_cast<quint64>(value.value), 16);
}

QString sessionShort(SessionId value, int digits)
{
    if (!value.valid() || value.value == 0)
        return QStringLiteral("–");
    const auto number = static_cast<quint64>(value.value);
    const bool isSmall = number <= 0xffff; // from an older trace, which numbers its sessions
    const QString all = QString::number(number, 16).rightJustified(isSmall ? 2 : 16, u'0');
    return QStringLiteral("0x…") + all.right(isSmall ? 4 : std::clamp(digits, 1, 16));
}

QString session(SessionId value)
{
    if (!value.valid() || value.value == 0)
        return QStringLiteral("–");
    return QStringLiteral("0x") + QString::number(static_cast<quint64>(value.value), 16);
}

QString sequenceShort(std::string_view nodeName)
{
    const std::size_t from = digitsFrom(nodeName);
    if (from == nodeName.size())
        return plain(nodeName, 12);
    return QStringLiteral("…") + significant(nodeName.substr(from)).rightJustified(4, u'0');
}

QString sequenceNumber(std::string_view nodeName)
{
    const std::size_t from = digitsFrom(nodeName);
    return from == nodeName.size() ? plain(nodeName, 24) : significant(nodeName.substr(from));
}

QString nodeShort(std::string_view nodeName)
{
    // Curator's protection: "_c_" + UUID (36) + "-" + the lock's own prefix.
    const std::string_view stem = nodeName.substr(0, digitsFrom(nodeName));
    if (stem.size() >= 39 && stem.substr(0, 3) == "_c_")
        return plain(stem.substr(0, 11), 11) + QStringLiteral("…") + plain(stem.substr(39), 24);
    return plain(stem.empty() ? nodeName : stem, 32);
}

QString percent(double share)
{
    return FormatText::tr("%1 %").arg(decimal(share * 100.0, share < 0.0995 ? 1 : 0));
}

QString fileName(const QString& path) { return plain(QFileInfo(path).fileName().toStdString()); }

QString plain(std::string_view text, int most)
{
    // Decodes only as much as can be shown: a character has at most four bytes.
    const std::size_t enough = static_cast<std::size_t>(std::max(most, 0)) * 4 + 8;
    const QString decoded =
        QString::fromUtf8(text.data(), static_cast<qsizetype>(std::min(text.size(), enough)));
    QString shown;
    shown.reserve(std::min<qsizetype>(decoded.size(), most) + 1);
    for (const char32_t c : decoded.toUcs4()) {
        const QString next = visible(c);
        if (shown.size() + next.size() > most) {
            while (!shown.isEmpty() && shown.size() >= most)
                shown.chop(shown.back().isLowSurrogate() ? 2 : 1);
            return shown + QStringLiteral("…");
        }
        shown += next;
    }
    return shown;
}

QString hiddenEscaped(const QString& text)
{
    QString shown;
    shown.reserve(text.size());
    for (const char32_t c : text.toUcs4()) {
        const QString units = QString::fromUcs4(&c, 1);
        if (c < 0x7f || !trace::isMisleading(c)) {
            shown += units;
            continue;
        }
        for (const QChar unit : units)
            shown +=
                QStringLiteral("\\u") + QString::number(unit.unicode(), 16).toUpper().rightJustified(4, u'0');
    }
    return shown;
}

QString escaped(std::string_view text)
{
    const QString decoded = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
    QString shown;
    shown.reserve(decoded.size());
    for (const QChar unit : decoded) {
        if (unit == u'\\')
            shown += QStringLiteral("\\\\");
        else if (unit < u' ')
            shown += QStringLiteral("\\u%1").arg(uint{unit.unicode()}, 4, 16, QChar(u'0'));
        else
            shown += unit;
    }
    return hiddenEscaped(shown);
}

QString toolTip(const QString& text)
{
    if (text.isEmpty())
        return {};
    return QStringLiteral("<span>%1</span>").arg(text.toHtmlEscaped().replace(u'\n', QStringLiteral("<br>")));
}

QString withoutMnemonic(QString text)
{
    // A language without Latin letters puts the key after the text, in parentheses.
    static const QRegularExpression behind(QStringLiteral("\\s*\\(&\\w\\)"));
    static const QRegularExpression mark(QStringLiteral("&(&?)")); // a doubled one is an ampersand
    return text.remove(behind).replace(mark, QStringLiteral("\\1"));
}

} // namespace lockscope::ui::format
