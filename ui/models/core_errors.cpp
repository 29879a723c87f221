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

} // namespace

ErrorWords errorWords(const Error& error)
{
    const QString message = format::plain(error.message, kMost), hint = format::plain(error.hint, kMost);
    const bool english = Words::tr("Something failed.") == QLatin1String("Something failed.");
    const QString known = retold(message);
    if (english || known != message)
        return {known, retold(hint)};
    const QString told = retold(hint);
    const bool both = told == hint; // neither is known
    const QString original =
        Words::tr("In the original: \"%1\"").arg(both ? ErrorWords{message, hint}.all() : message);
    return {kindWords(error.code), both ? original : ErrorWords{original, told}.all()};
}

QString linkFaultWords(const trace::LinkState& link)
{
    QStringList words;
    if (link.cut)
        words << Words::tr("cut");
    if (link.delay > Duration{} || link.jitter > Duration{})
        words << Words::tr("%1 slower each way").arg(format::duration(link.delay));
    if (link.jitter > Duration{})
        words << Words::tr("+- %1").arg(format::duration(link.jitter));
    if (link.bytesPerSecond > 0)
        words << Words::tr("%1 bytes a second").arg(format::count(link.bytesPerSecond));
    if (link.mutedToServer)
        words << Words::tr("nothing reaches the server");
    if (link.mutedToClient)
        words << Words::tr("nothing comes from the server");
    if (link.halfOpen)
        words << Words::tr("half-open");
    if (!link.words.empty())
        words << format::plain(link.words, 240);
    return words.join(Words::tr(", "));
}

} // namespace lockscope::ui
