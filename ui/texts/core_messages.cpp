#include "ui/texts/core_messages.h"

#include "ui/models/style/format.h"

#include <QCoreApplication>
#include <QStringList>

#include <array>

namespace lockscope::ui {

namespace {

struct CoreErrors // lives only to give the texts a translation context
{
    Q_DECLARE_TR_FUNCTIONS(CoreErrors)
};

// Words of the core that are not messages: the roles of servers, the contents of resources, the titles of
// histories and of watched locks.
[[maybe_unused]] constexpr std::array kCoreWords{
    //: what a server is among several
    QT_TRANSLATE_NOOP("Core", "leader"),
    //: what a server is among several
    QT_TRANSLATE_NOOP("Core", "follower"),
    //: what a server is: the only one
    QT_TRANSLATE_NOOP("Core", "standalone"),
    //: what a client writes under the lock, in "ada writes: stock 41": how many are left
    QT_TRANSLATE_NOOP("Core", "stock"),
    //: what a client writes under the lock, in "ada writes: counter 2": how many writes there were
    QT_TRANSLATE_NOOP("Core", "counter"),
    //: what a client writes under the lock, in "ada writes: order 00:02.150": an order number
    QT_TRANSLATE_NOOP("Core", "order"), QT_TRANSLATE_NOOP("Core", "From ZooKeeper's transaction log"),
    QT_TRANSLATE_NOOP("Core", "From ZooKeeper's transaction log, with the data of the nodes"),
    QT_TRANSLATE_NOOP("Core", "Locks of others, watched live")};

constexpr int kMaxDepth = 10; // of messages within messages

QString translated(MessageView message, int maxLength, int depth)
{
    if (depth > kMaxDepth)
        return {};
    if (!message.isSentence())
        return translateCoreText(message.encoded(), maxLength);
    const QString text = QCoreApplication::translate("Core", std::string(message.source()).c_str());
    const std::vector<MessageView> arguments = message.arguments();
    QString all;
    for (qsizetype at = 0; at < text.size(); ++at) {
        const bool isPlace =
            text[at] == u'%' && at + 1 < text.size() && text[at + 1] >= u'1' && text[at + 1] <= u'9';
        const std::size_t index = isPlace ? text[at + 1].unicode() - u'1' : arguments.size();
        if (index < arguments.size()) {
            all += translated(arguments[index], maxLength, depth + 1);
            ++at;
        } else {
            all += text[at];
        }
    }
    return all;
}

} // namespace

QString translateMessage(MessageView message, int maxLength) { return translated(message, maxLength, 0); }

QString translateCoreText(std::string_view text, int maxLength)
{
    const QString plain = format::plain(text, maxLength);
    return text.empty() ? plain : QCoreApplication::translate("Core", plain.toUtf8().constData());
}

ErrorText errorText(const Error& error)
{
    return {translateMessage(error.message, format::kMessageLength),
            translateMessage(error.hint, format::kMessageLength)};
}

QString linkFaultText(const trace::LinkState& link)
{
    QStringList words;
    if (link.cut)
        //: of a connection: closed, and none can be made
        words << CoreErrors::tr("cut");
    if (link.delay > Duration{})
        words << CoreErrors::tr("%1 slower each way").arg(format::duration(link.delay));
    if (link.jitter > Duration{}) // nothing arrives early
        words << (link.delay > Duration{} ? CoreErrors::tr("+- %1")
                                          : CoreErrors::tr("up to %1 slower each way"))
                     .arg(format::duration(link.jitter));
    if (link.bytesPerSecond > 0)
        words << CoreErrors::tr("%1 bytes a second").arg(format::count(link.bytesPerSecond));
    if (link.mutedToServer)
        words << CoreErrors::tr("nothing reaches the server");
    if (link.mutedToClient)
        words << CoreErrors::tr("nothing comes from the server");
    if (link.halfOpen)
        words << CoreErrors::tr("half-open");
    return words.join(CoreErrors::tr(", "));
}

} // namespace lockscope::ui
