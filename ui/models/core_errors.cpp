#include "ui/models/core_errors.h"

#include "ui/models/core_sentences.h"
#include "ui/models/format.h"

#include <QCoreApplication>
#include <QStringList>

namespace lockscope::ui {

namespace {

struct Words // lives only to give the texts a translation context
{
    Q_DECLARE_TR_FUNCTIONS(CoreErrors)
};

constexpr int kMost = 600; // characters

QString kindWords(ErrorCode code)
{
    switch (code) {
    case ErrorCode::badUsage:
        return Words::tr("This cannot be run as it is given.");
    case ErrorCode::badInput:
        return Words::tr("What was read is not what it should be.");
    case ErrorCode::ioFailed:
        return Words::tr("Reading or writing failed.");
    case ErrorCode::noServer:
        return Words::tr("There is no ZooKeeper to be had.");
    case ErrorCode::limitExceeded:
        return Words::tr("A limit is reached.");
    case ErrorCode::connectionLost:
        return Words::tr("The connection to ZooKeeper is lost.");
    case ErrorCode::sessionLost:
        return Words::tr("The session is lost.");
    case ErrorCode::closed:
        return Words::tr("It was closed.");
    case ErrorCode::noNode:
        return Words::tr("There is no such node.");
    case ErrorCode::nodeExists:
        return Words::tr("The node is there already.");
    case ErrorCode::noAuth:
        return Words::tr("ZooKeeper does not allow this.");
    case ErrorCode::timedOut:
        return Words::tr("It took too long.");
    case ErrorCode::cancelled:
        return Words::tr("It was cancelled.");
    case ErrorCode::notOwner:
        return Words::tr("What is not held cannot be released.");
    case ErrorCode::busy:
        return Words::tr("It is busy.");
    case ErrorCode::unsupported:
        return Words::tr("This is not supported.");
    case ErrorCode::internal:
        break;
    }
    return Words::tr("Something failed.");
}

// The core writes the parts of a fault side by side (core/engine/client_link.cpp).
QString partWords(const QString& part)
{
    static const QString kSlower = QStringLiteral(" slower each way"),
                         kBytes = QStringLiteral(" bytes a second"), kVaries = QStringLiteral("+- ");
    if (part == QLatin1String("cut"))
        return Words::tr("cut");
    if (part == QLatin1String("nothing reaches the server"))
        return Words::tr("nothing reaches the server");
    if (part == QLatin1String("nothing comes from the server"))
        return Words::tr("nothing comes from the server");
    if (part == QLatin1String("half-open"))
        return Words::tr("half-open");
    if (part.endsWith(kSlower))
        return Words::tr("%1 slower each way").arg(part.chopped(kSlower.size()));
    if (part.endsWith(kBytes))
        return Words::tr("%1 bytes a second").arg(part.chopped(kBytes.size()));
    if (part.startsWith(kVaries))
        return Words::tr("+- %1").arg(part.mid(kVaries.size()));
    return part;
}

} // namespace

ErrorWords errorWords(const Error& error)
{
    const QString message = format::plain(error.message, kMost), hint = format::plain(error.hint, kMost);
    const bool english = Words::tr("Something failed.") == QLatin1String("Something failed.");
    const QString known = retold(message);
    if (english || known != message)
        return {known, retold(hint)};
    return {kindWords(error.code), ErrorWords{message, retold(hint)}.all()};
}

QString linkFaultWords(std::string_view fault)
{
    QStringList words;
    for (const QString& part : format::plain(fault, 240).split(QStringLiteral(", ")))
        words << partWords(part);
    return words.join(Words::tr(", "));
}

} // namespace lockscope::ui
