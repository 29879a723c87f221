#include "ui/texts/inspection_copy.h"

#include "ui/models/style/format.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QJsonObject>

#include <array>

namespace lockscope::ui {

namespace {

struct InspectionText
{
    Q_DECLARE_TR_FUNCTIONS(Inspector)
};

// For programs, in the order of the enum.
constexpr std::array<const char*, 5> kKinds = {"nothing", "client", "node", "handoff", "event"};

} // namespace

QString asText(const Inspection& inspection)
{
    QStringList lines{InspectionText::tr("%1 · %2, at %3 s")
                          .arg(inspection.title, inspection.kind, format::timestamp(inspection.at))};
    for (const Fact& fact : inspection.facts) {
        if (fact.heading) {
            lines << QString() << fact.label;
            continue;
        }
        QString line = QStringLiteral("  %1: ").arg(fact.label) +
                       (fact.whole.empty() ? fact.value : format::escaped(fact.whole));
        if (fact.event.valid())
            line += QStringLiteral(" [") +
                    InspectionText::tr("event %1").arg(format::eventNumber(fact.event)) + u']';
        lines << line;
    }
    return lines.join(u'\n') + u'\n';
}

QString asJson(const Inspection& inspection)
{
    QJsonObject root{{"kind", QLatin1String(kKinds[static_cast<std::size_t>(inspection.what.kind)])},
                     {"at_ns", static_cast<qint64>(inspection.at.count())},
                     {"events_before", static_cast<qint64>(inspection.position)}};
    for (const Fact& fact : inspection.facts) {
        if (fact.heading)
            continue;
        const auto dot = fact.id.indexOf(u'.');
        const QString section = fact.id.left(dot);
        const QString name = fact.id.mid(dot + 1);
        QJsonObject facts = root.value(section).toObject();
        facts.insert(name, fact.whole.empty() ? fact.exact : QJsonValue(QString::fromUtf8(fact.whole)));
        if (fact.event.valid())
            facts.insert(name + QStringLiteral("_event"), static_cast<qint64>(fact.event.value));
        root.insert(section, facts);
    }
    return format::hiddenEscaped(QString::fromUtf8(QJsonDocument(root).toJson(QJsonDocument::Indented)));
}

} // namespace lockscope::ui
