#include "ui/texts/terms.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

#include <algorithm>

namespace lockscope::ui {

namespace {

struct Terms // lives only to give the explanations a translation context
{
    Q_DECLARE_TR_FUNCTIONS(Terms)
};

const QRegularExpression& expressionOf(const Term& term)
{
    static const std::vector<QRegularExpression> all = [] {
        std::vector<QRegularExpression> made;
        for (const Term& each : terms())
            made.emplace_back(QString::fromUtf8(each.pattern),
                              QRegularExpression::CaseInsensitiveOption |
                                  QRegularExpression::UseUnicodePropertiesOption);
        return made;
    }();
    return all[static_cast<std::size_t>(&term - terms().data())];
}

} // namespace

const std::vector<Term>& terms()
{
    static const std::vector<Term> all = {
        {"session", "\\bsessions?\\b|会话",
         [] {
             return Terms::tr("Session: what ZooKeeper knows of a client, with the ephemeral nodes that "
                              "belong to it. It is not "
                              "the TCP connection, which may break and be made again meanwhile. Heartbeats "
                              "keep it alive; it ends "
                              "when the client closes it or is silent for longer than its timeout.");
         }},
        {"suspended", "\\bsuspended\\b|挂起",
         [] {
             return Terms::tr("Suspended: the client has no connection with ZooKeeper and cannot know "
                              "whether its session still "
                              "lives. A holder should stop its work until it is connected again.");
         }},
        {"ephemeral", "\\bephemeral\\b|临时",
         [] {
             return Terms::tr(
                 "Ephemeral node: a node that belongs to a session. ZooKeeper deletes it when the "
                 "session ends, so a lock cannot be held by a client that is gone.");
         }},
        {"sequential", "\\bsequential\\b|顺序节点",
         [] {
             return Terms::tr(
                 "Sequential node: a node to whose name ZooKeeper appends a number that grows with every "
                 "node created at that path. The numbers are the order of the queue.");
         }},
        {"watch", "\\bwatch(es|ed|ing)?\\b|监视",
         [] {
             return Terms::tr(
                 "Watch: a client's request to be notified once when a node changes or is deleted. When it "
                 "has fired it is used up; until then the client can sleep.");
         }},
        {"zxid", "\\b[cm]?zxids?\\b",
         [] {
             return Terms::tr(
                 "zxid: the number that ZooKeeper gives to every write; later writes have larger ones. "
                 "czxid: the zxid of the write that created a node.");
         }},
        {"fence", "\\bfenc(e|es|ed|ing)\\b|\\btokens?\\b|防护|令牌",
         [] {
             return Terms::tr(
                 "Fencing token: a number that a client gets with the lock, here the czxid of its node. A "
                 "resource that refuses tokens smaller than the largest it has seen keeps out a holder that "
                 "has "
                 "lost the lock without knowing it. This is called fencing.");
         }},
        {"herd", "\\bherds?\\b|羊群|惊群",
         [] {
             return Terms::tr(
                 "Herd effect: many clients watch the same node, so one change wakes all of them, and all "
                 "but one are woken in vain.");
         }},
        {"lease", "\\bleases?\\b|租约",
         [] {
             return Terms::tr("Lease: one of the permits of a semaphore. As many clients as there are leases "
                              "may hold one at "
                              "once; a lock has only one.");
         }},
        {"handoff", "\\bhandoffs?\\b|交接",
         [] {
             return Terms::tr(
                 "Handoff: the lock passes from one holder to the next: release, deletion of the node, watch "
                 "event, list of the nodes, acquisition.");
         }},
        {"reentrant", "\\bre-?entran(t|cy)\\b|\\bre-?ent(er|ers|ered|ry|ries)\\b|可?重入",
         [] {
             return Terms::tr("Reentrant: the owner may acquire the lock again without waiting. The client "
                              "counts how often, and "
                              "releases the lock with the last release.");
         }},
        {"protection", "\\bGUIDs?\\b|\\bprotection\\b|\\bprotected create\\b", [] {
             return Terms::tr(
                 "Protection: the client puts an id of its own, a GUID, into the node's name. When the reply "
                 "to its create is lost, it finds its node in the list by this id.");
         }}};
    return all;
}

const Term* findTerm(const QString& name)
{
    const auto found = std::find_if(terms().begin(), terms().end(),
                                    [&](const Term& term) { return name == QLatin1String(term.name); });
    return found == terms().end() ? nullptr : &*found;
}

std::vector<TermMention> mentionsOfTerms(const QString& text)
{
    std::vector<TermMention> found;
    for (const Term& term : terms())
        if (const auto match = expressionOf(term).match(text); match.hasMatch())
            found.push_back({&term, match.capturedStart(), match.capturedLength()});
    std::sort(found.begin(), found.end(),
              [](const TermMention& a, const TermMention& b) { return a.at < b.at; });
    return found;
}

QString explainTerms(const QString& text, std::size_t most)
{
    QStringList explained;
    for (const TermMention& mention : mentionsOfTerms(text))
        if (static_cast<std::size_t>(explained.size()) < most)
            explained << mention.term->explanation();
    return explained.join(QStringLiteral("\n\n"));
}

} // namespace lockscope::ui
