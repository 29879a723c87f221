// What the core says in English is said in the language of the window: each of its sentences is known, and
// each that is known is still said so.
#include "ui/models/command_words.h"
#include "ui/models/core_errors.h"
#include "ui/models/core_sentences.h"
#include "ui/shell/language.h"

#include "core/sim/scenario.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>

#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>

namespace lockscope::ui {
namespace {

const QDir kSourceTree(QStringLiteral(LOCKSCOPE_SOURCE));

// A file of C++ without comments, with broken texts in one piece.
QString sourceOf(const QString& path)
{
    QFile file(path);
    EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << path.toStdString();
    QString text = QString::fromUtf8(file.readAll());
    static const QRegularExpression comment(QStringLiteral("(^|\\s)//[^\\n]*")),
        broken(QStringLiteral("(?<!\\\\)\"\\s*\\n\\s*\""));
    return text.replace(comment, QString()).replace(broken, QString());
}

QStringList filesBelow(const QStringList& folders)
{
    QStringList all;
    for (const QString& folder : folders) {
        for (QDirIterator files(kSourceTree.filePath(folder), {"*.cpp", "*.h"}, QDir::Files,
                                QDirIterator::Subdirectories);
             files.hasNext();) {
            all << files.next();
        }
    }
    // A library's user alone sees these, the second process of a server, or tests.
    static const QRegularExpression elsewhere(
        QStringLiteral("core/lock/blocking/|core/zk/memory/|supervisor_main"));
    all.removeIf([](const QString& path) { return path.contains(elsewhere); });
    return all;
}

// From the opening bracket at `begin` to the one that closes it.
QString bracketed(const QString& text, qsizetype begin)
{
    int depth = 0;
    bool quoted = false;
    for (qsizetype at = begin; at < text.size(); ++at) {
        const QChar c = text[at];
        if (c == u'\\') {
            ++at;
        } else if (c == u'"') {
            quoted = !quoted;
        } else if (!quoted && QStringLiteral("({[").contains(c)) {
            ++depth;
        } else if (!quoted && QStringLiteral(")}]").contains(c) && --depth == 0) {
            return text.mid(begin, at + 1 - begin);
        }
    }
    return text.mid(begin);
}

// The texts in whatever makes an error, a refusal or a notice.
QStringList textsOfErrors(const QString& source)
{
    static const QRegularExpression maker(
        QStringLiteral("(?<!\\w)(?:Error\\s*(?:\\w+\\s*)?\\{|(?:fail|wrong|outOfRange|badPath|refuse|"
                       "wrongValue|wrongKey|wrongLine|input|noSuch)\\(|"
                       "Notice\\{)"));
    static const QRegularExpression literal(QStringLiteral("\"((?:[^\"\\\\]|\\\\.)*)\""));
    QStringList all;
    for (auto made = maker.globalMatch(source); made.hasNext();) {
        const QString arguments = bracketed(source, made.next().capturedEnd() - 1);
        for (auto texts = literal.globalMatch(arguments); texts.hasNext();) {
            all << texts.next().captured(1).replace(QLatin1String("\\\""), QLatin1String("\""));
        }
    }
    return all;
}

TEST(CoreSentences, EveryTextOfAnErrorIsKnown)
{
    const Language chinese("zh_CN");
    QString known = (knownSentences() + knownParts()).join(u'\n');
    static const QRegularExpression place(QStringLiteral("%\\d|\\{\\}"));
    known.replace(place, QStringLiteral("\t"));
    int looked = 0;
    for (const QString& path : filesBelow(
             {"core/server", "core/engine", "core/sim", "core/trace", "core/zk", "core/lock", "ui/shell"})) {
        for (const QString& text : textsOfErrors(sourceOf(path))) {
            for (const QString& part : text.split(place)) {
                const QString words = part.trimmed();
                if (!words.contains(u' ') || words == QLatin1String("name = \"ada\"")) {
                    continue; // a name, or what is to be typed
                }
                ++looked;
                EXPECT_TRUE(known.contains(words) || retold(text) != text)
                    << words.toStdString() << " in " << path.toStdString()
                    << ": add it to ui/models/core_phrases_*.cpp";
            }
        }
    }
    EXPECT_GT(looked, 200) << "the sources were found";
}

// English in the middle of a Chinese sentence is marked as somebody else's words; what is common is translated.
TEST(CoreSentences, WhatTheSystemSaysIsTranslatedOrQuoted)
{
    const Language chinese("zh_CN");
    const auto reason = [](const char* words) {
        return retold(QStringLiteral("The trace cannot be written to /a/b: %1.").arg(QLatin1String(words)));
    };
    for (const int code : {ENOENT, EACCES, EPERM, ENOSPC, EADDRINUSE, ECONNREFUSED, ECONNRESET, EISDIR, ENOTDIR,
                           EROFS, EFBIG, EMFILE, ENFILE, EIO, EEXIST, EDQUOT, ENOMEM, EPIPE, ETIMEDOUT,
                           EHOSTUNREACH, ENETUNREACH, ENAMETOOLONG, EINVAL, ELOOP, EBUSY})
        EXPECT_FALSE(reason(std::strerror(code)).contains(QLatin1String(std::strerror(code))))
            << std::strerror(code);
    EXPECT_TRUE(reason("Structure needs cleaning").contains(QStringLiteral("系统报告“Structure needs cleaning”")))
        << reason("Structure needs cleaning").toStdString();
    EXPECT_TRUE(retold("Java could not be started: /bin/java: Structure needs cleaning.")
                    .contains(QStringLiteral("“/bin/java: Structure needs cleaning”")));
    EXPECT_TRUE(retold("The end of its log:⏎ERROR Unexpected exception").contains(QStringLiteral("“⏎ERROR")));
    // What is to be typed, and names, are nobody's words.
    EXPECT_FALSE(retold("Install it with: apt install default-jre-headless.").contains(u'“'));
    EXPECT_FALSE(retold("Expected a .toml file that can be read, or one of the built-in ones: bare, chain.")
                     .contains(u'“'));
}

TEST(CoreSentences, EveryKnownOneIsTranslated)
{
    const Language chinese("zh_CN");
    for (const QString& sentence : knownSentences()) {
        QString said = sentence;
        for (const char* name : {"%1", "%2", "%3", "%4"})
            said.replace(QLatin1String(name), QStringLiteral("x7"));
        // A clause of a circle of waits is no sentence alone.
        EXPECT_TRUE(retold(said) != said || retold(said + u'.') != said + u'.') << sentence.toStdString();
    }
}

// A sentence that is worded otherwise from now on would be shown in English.
TEST(CoreSentences, AreStillSaidLikeThat)
{
    QString all;
    for (const QString& path : filesBelow({"core", "ui/shell"})) {
        all += sourceOf(path);
    }
    all += sourceOf(kSourceTree.filePath("ui/models/notes_file.cpp"));
    all.replace(QLatin1String("\\\""), QLatin1String("\x01")); // a quotation mark in a text
    for (QString sentence : knownSentences()) {
        sentence.replace('"', '\x01');
        static const QRegularExpression place(QStringLiteral("%\\d|[\\x01.,;:]|\\band\\b|\\bis\\b"));
        for (const QString& part : sentence.split(place, Qt::SkipEmptyParts)) {
            EXPECT_TRUE(all.contains(part.trimmed()))
                << part.toStdString() << " of " << sentence.toStdString();
        }
    }
}

TEST(CoreSentences, AreToldInTheLanguageThatIsSpoken)
{
    const QString proof = "ada was granted the lock while bo held it with a live node.";
    const QString circle = "ada holds left and waits for bo on right, bo waits for ada on left.";
    EXPECT_EQ(retold(proof), proof);
    const Language chinese("zh_CN");
    EXPECT_EQ(retold(proof), QStringLiteral("ada 被授予了锁，而 bo 正以存活的节点持有它。"));
    EXPECT_EQ(retold(circle), QStringLiteral("ada 持有 left，并在 right 上等待 bo，bo 在 left 上等待 ada。"));
    EXPECT_EQ(retold("ada was the second client woken by node 7 going."),
              QStringLiteral("ada 是被节点 7 消失唤醒的第 2 个客户端。"));
    EXPECT_EQ(retold("run.jsonl:3:5: found the end of the line, expected a closing brace."),
              QStringLiteral("run.jsonl:3:5：读到行尾，应为右花括号。"));
    EXPECT_EQ(retold("Nobody knows this one."), QStringLiteral("Nobody knows this one."));
}

// Every command that a run records, by the name that traces give it.
TEST(CommandWords, KnowEveryCommand)
{
    using Kind = sim::Deed::Kind;
    for (int kind = 0; kind <= static_cast<int>(Kind::finish); ++kind) {
        sim::Deed deed;
        deed.kind = static_cast<Kind>(kind);
        for (const auto target : {sim::Deed::Target::named, sim::Deed::Target::holder}) {
            deed.target = target;
            const std::string verb(sim::verbOf(deed));
            const QString raw = QString::fromStdString(verb).replace('_', ' ');
            EXPECT_NE(commandWords(verb, {}), raw) << verb;
            EXPECT_FALSE(commandWords(verb, "bo").contains('_')) << verb;
        }
    }
    EXPECT_EQ(commandWords("kill_session", "bo"), QStringLiteral("kill the session of bo"));
    EXPECT_EQ(commandWords("from_the_future", "bo"), QStringLiteral("from the future bo"));
    const Language chinese("zh_CN");
    EXPECT_EQ(commandWords("kill_session", "bo"), QStringLiteral("终止 bo 的会话"));
}

TEST(CoreSentences, OneErrorInAnotherIsToldToo)
{
    const Language chinese("zh_CN");
    EXPECT_EQ(retold("No ZooKeeper answers at 127.0.0.1:9: No answer from 127.0.0.1:9: Connection refused."),
              QStringLiteral("127.0.0.1:9 处没有 ZooKeeper 应答：127.0.0.1:9 没有应答：连接被拒绝。"));
    EXPECT_EQ(retold("The lock path \"x\" does not begin with a slash. Expected something like /locks/well."),
              QStringLiteral("锁路径 \"x\" 没有以斜杠开头。应为类似 /locks/well 的路径。"));
    EXPECT_EQ(retold("lock-0000000007: the node does not exist."),
              QStringLiteral("lock-0000000007：节点不存在。"));
    EXPECT_EQ(retold("bad.toml: The number of clients is 0."), QStringLiteral("bad.toml：客户端数量为 0。"));
    EXPECT_EQ(retold("The lock /a was not free in time. Not permitted to delete the node /a/n, so it stays there "
                     "until the session ends. Give this client the right to delete under /a."),
              QStringLiteral("锁 /a 未能及时空出。无权删除节点 /a/n，因此它在会话结束前一直留在那里。"
                             "请给该客户端在 /a 下删除的权限。"));
}

TEST(CoreSentences, NamesWithPercentSignsStayNames)
{
    const Language chinese("zh_CN");
    EXPECT_EQ(retold("%2 was inside the protected section together with %1."),
              QStringLiteral("%2 与 %1 同时处于临界区内。"));
}

// Everything that the parser of TOML may find wrong with a file comes out in the language of the window.
TEST(CoreSentences, MistakesInTomlAreToldWithTheirPlace)
{
    const Language chinese("zh_CN");
    const auto told = [](const char* toml) {
        const auto scenario = sim::parseScenario(toml, "run.toml");
        EXPECT_FALSE(scenario) << toml;
        return scenario ? QString() : errorWords(scenario.error()).text;
    };
    EXPECT_EQ(told("clients = 5\nhold = [\"1ms\", \"2ms\""),
              QStringLiteral("run.toml:2:21：数组中，文件到此结束。"));
    EXPECT_EQ(told("clients 5"), QStringLiteral("run.toml:1:9：键值对中，应为 '='，读到 '5'。"));
    EXPECT_EQ(told("clients = 5\nclients = 6"),
              QStringLiteral("run.toml:2:11：键值对中，不能重新定义已有的整数 'clients'。"));
    EXPECT_EQ(told("clients = \"x\""), QStringLiteral("run.toml:1:11：读到'x'，应为1 到 10000 的整数。"));
    EXPECT_EQ(retold("a.toml:1:2: Error while parsing string: what nobody has heard of."),
              QStringLiteral("a.toml:1:2：字符串中，解析器报告“what nobody has heard of”。"));
    static const QRegularExpression english(QStringLiteral("Error|parsing|expected|encountered|saw|found"));
    for (const char* toml : {"a = ",
                             "a",
                             "= 3",
                             "a = \"abc",
                             "a = {b = 1",
                             "a = 1 2",
                             "[x",
                             "[x]\n[x]",
                             "a = tru",
                             "a = 01",
                             "a = 1e",
                             "a = 2020-13-01",
                             "a = \"\\q\"",
                             "\x01",
                             "a = \"\"\"x",
                             "a.b = 1\na = 2",
                             "[[x]]\n[x]",
                             "a = [1 2]",
                             "a = {b=1,}",
                             "a = 99999999999999999999",
                             "a = 0x",
                             "a b = 3",
                             "a = \"x\ny\"",
                             "a = +",
                             "a = 1_",
                             "\xff",
                             "a = inf2",
                             "a = 12:99:00",
                             "[]",
                             "a = @",
                             "a\n = 3",
                             "a = \"\\u12\"",
                             "a = .5",
                             "a = 5.",
                             "a = 0b3",
                             "a={\nb=1}",
                             "a = [1,,2]",
                             "colour = 1",
                             "hold = 3",
                             "recipe = \"spin\"",
                             "script = [\"at 1s: shout\"]",
                             "clients = 0",
                             "takes = \"well\"",
                             "[[client]]\ncount = 3"}) {
        EXPECT_FALSE(told(toml).contains(english)) << told(toml).toStdString() << " of " << toml;
    }
}

} // namespace
} // namespace lockscope::ui
