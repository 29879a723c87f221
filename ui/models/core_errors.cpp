#include "ui/models/core_errors.h"

#include "ui/models/core_sentences.h"
#include "ui/models/format.h"

#include <QCoreApplication>
#include <QStringList>

namespace lockscope::ui {

namespace {

struct CoreErrorsWords // lives only to give the texts a translation context
{
    Q_DECLARE_TR_FUNCTIONS(CoreErrors)
};

constexpr int kMost = 600; // characters

QString kindWords(ErrorCode code)
{
    switch (code) {
    case ErrorCode::badUsage:
        return CoreErrorsWords::tr("This cannot be run as it is given.");
    case ErrorCode::badInput:
        return CoreErrorsWords::tr("What was read is not what it should be.");
    case ErrorCode::ioFailed:
        return CoreErrorsWords::tr("Reading or writing failed.");
    case ErrorCode::noServer:
        return CoreErrorsWords::tr("There is no ZooKeeper to be had.");
    case ErrorCode::limitExceeded:
        return CoreErrorsWords::tr("A limit is reached.");
    case ErrorCode::connectionLost:
        return CoreErrorsWords::tr("The connection to ZooKeeper is lost.");
    case ErrorCode::sessionLost:
        return CoreErrorsWords::tr("The session is lost.");
    case ErrorCode::closed:
        return CoreErrorsWords::tr("It was closed.");
    case ErrorCode::noNode:
        return CoreErrorsWords::tr("There is no such node.");
    case ErrorCode::nodeExists:
        return CoreErrorsWords::tr("The node is there already.");
    case ErrorCode::noAuth:
        return CoreErrorsWords::tr("ZooKeeper does not allow this.");
    case ErrorCode::timedOut:
        return CoreErrorsWords::tr("It took too long.");
    case ErrorCode::cancelled:
        return CoreErrorsWords::tr("It was cancelled.");
    case ErrorCode::notOwner:
        return CoreErrorsWords::tr("What is not held cannot be released.");
    case ErrorCode::busy:
        return CoreErrorsWords::tr("It is busy.");
    case ErrorCode::unsupported:
        return CoreErrorsWords::tr("This is not supported.");
    case ErrorCode::internal:
        break;
    }
    return CoreErrorsWords::tr("Something failed.");
}

} // namespace

ErrorWords errorWords(const Error& error)
{
    const QString message = format::plain(error.message, kMost), hint = format::plain(error.hint, kMost);
    const bool english = CoreErrorsWords::tr("Something failed.") == QLatin1String("Something failed.");
    const QString known = retold(message);
    if (english || known != message)
        return {known, retold(hint)};
    const QString told = retold(hint);
    const bool both = told == hint; // neither is known
    const QString original =
        CoreErrorsWords::tr("In the original: \"%1\"").arg(both ? ErrorWords{message, hint}.all() : message);
    return {kindWords(error.code), both ? original : ErrorWords{original, told}.all()};
}

QString linkFaultWords(const trace::LinkState& link)
{
    QStringList words;
    if (link.cut)
        words << CoreErrorsWords::tr("cut");
    if (link.delay > Duration{} || link.jitter > Duration{})
        words << CoreErrorsWords::tr("%1 slower each way").arg(format::duration(link.delay));
    if (link.jitter > Duration{})
        words << CoreErrorsWords::tr("+- %1").arg(format::duration(link.jitter));
    if (link.bytesPerSecond > 0)
        words << CoreErrorsWords::tr("%1 bytes a second").arg(format::count(link.bytesPerSecond));
    if (link.mutedToServer)
        words << CoreErrorsWords::tr("nothing reaches the server");
    if (link.mutedToClient)
        words << CoreErrorsWords::tr("nothing comes from the server");
    if (link.halfOpen)
        words << CoreErrorsWords::tr("half-open");
    if (!link.words.empty())
        words << format::plain(link.words, 240);
    return words.join(CoreErrorsWords::tr(", "));
}

} // namespace lockscope::ui
