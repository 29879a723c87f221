// The program lockscope from outside: its arguments, its exit codes and its pictures.
#include "core/server/process/managed_server.h"
#include "core/trace/trace_file.h"
#include "tests/support/restricted_node.h"
#include "tests/support/sample_run.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QImageReader>
#include <QMimeDatabase>
#include <QProcess>
#include <QRegularExpression>
#include <QSettings>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <vector>

#include <gtest/gtest.h>

namespace lockscope {
namespace {

struct Ended
{
    int code = -1;
    QString out, err;
};

Ended run(const QStringList& arguments, bool display = true,
          const QList<std::pair<QString, QString>>& variables = {})
{
    QProcess program;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    if (!display) {
        for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
            environment.remove(name);
    }
    for (const auto& [name, value] : variables)
        environment.insert(name, value);
    program.setProcessEnvironment(environment);
    program.start(QStringLiteral(LOCKSCOPE_PROGRAM), arguments);
    if (!program.waitForFinished(60'000) || program.exitStatus() != QProcess::NormalExit) {
        program.kill();
        return {};
    }
    return {program.exitCode(), QString::fromUtf8(program.readAllStandardOutput()),
            QString::fromUtf8(program.readAllStandardError())};
}

struct ProgramTest : testing::Test
{
    QString trace()
    {
        tests::SampleOptions options;
        options.killHolderAtGrant = 12;
        const auto store = tests::sampleRun(options);
        EXPECT_TRUE(trace::saveTrace(path("run.jsonl").toStdString(), *store, store->count()).has_value());
        return path("run.jsonl");
    }
    QString path(const char* name) const { return folder.filePath(name); }
    QByteArray content(const char* name) const
    {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    QTemporaryDir folder;
};

TEST_F(ProgramTest, BadArgumentsExitWithTwoAndSayWhy)
{
    const QList<std::pair<QStringList, QString>> bad{
        {{"--theme", "pink"}, "--theme"},
        {{"--lang", "tlh"}, "--lang"},
        {{"--lang", "zh_TW"}, "zh_CN"},
        {{"--lang", "english"}, "--lang"},
        {{"--connect", "localhost"}, "HOST:PORT"},
        {{"--connect", ","}, "HOST:PORT"},
        {{"--connect", "::1"}, "HOST:PORT"},
        {{"--connect", "localhost:0"}, "HOST:PORT"},
        {{"--connect", "local/host:2181"}, "HOST:PORT"},
        {{"--connect", "localhost:2181,localhost:70000"}, "HOST:PORT"},
        {{"--no-such-option"}, "--no-such-option"},
        {{"five-clients", "--join-foreign"}, "--connect"},
        {{"watch"}, "HOSTS"},
        {{"watch", "zoo:1"}, "--lock PATH or --tree PATH"},
        {{"watch", "zoo", "--lock", "/x"}, "HOST:PORT"},
        {{"watch", "zoo:1/", "--lock", "/x"}, "CHROOT"},
        {{"watch", "zoo:1", "--lock", "x"}, "begins with /"},
        {{"watch", "zoo:1", "--tree", "/x/"}, "end with /"},
        {{"watch", "zoo:1", "--lock", "/x", "--paused"}, "--paused: watch takes"},
        {{"--connect", "zoo:2", "watch", "zoo:1", "--lock", "/x"}, "--connect: watch takes"},
        {{"five-clients", "watch", "zoo:1", "--lock", "/x"}, "watch takes"},
        {{"no-such-scenario"}, "five-clients"},
        {{"nowhere.jsonl"}, "nowhere.jsonl"},
        {{"nowhere.toml"}, "nowhere.toml"},
        {{"five-clients", "bare"}, "bare"},
        {{"--shot", "x.png"}, "INPUT"},
        {{"--shot", "x.bmp", "five-clients"}, ".png, .svg or .gif"},
        {{"--shot", "x.gif", "--to", "1s", "five-clients"}, "--from"},
        {{"--shot", "x.gif", "--from", "0s", "--to", "1s", "--at", "1s", "five-clients"}, "--at"},
        {{"--shot", "x.gif", "--from", "0s", "--to", "1s", "--speed", "0", "five-clients"}, "--speed"},
        {{"--shot", "x.png", "--speed", "0.5", "five-clients"}, "--speed"},
        {{"--shot", "x.png", "--view", "moon", "five-clients"}, "--view"},
        {{"--shot", "x.png", "--at", "soon", "five-clients"}, "1.2s"},
        {{"--shot", "x.png", "--size", "big", "five-clients"}, "WIDTHxHEIGHT"},
        {{"--shot", "x.png", "--size", "640x480x", "five-clients"}, "WIDTHxHEIGHT"},
        {{"--shot", "x.png", "--size", "640x63", "five-clients"}, "WIDTHxHEIGHT"},
        {{"--shot", "x.png", "--size", "x480", "five-clients"}, "WIDTHxHEIGHT"},
        {{"--lesson", "opening", "--at", "1s"}, "--at"},
        {{"--at", "soon", "five-clients"}, "1.2s"},
        {{"--from", "1s", "five-clients"}, "--shot"},
        {{"--shot", "x.png", "--from", "soon", "five-clients"}, "1.2s"},
        {{"--shot", "x.png", "--from", "2s", "--to", "1s", "five-clients"}, "--to"},
        {{"--shot", "x.png", "--view", "compare", "--to", "1s", "five-clients", "herd"}, "--to"},
        {{"--shot", "x.png", "--paused", "five-clients"}, "--paused"},
    };
    for (const auto& [arguments, word] : bad) {
        const Ended ended = run(arguments);
        EXPECT_EQ(ended.code, 2) << arguments.join(' ').toStdString();
        EXPECT_TRUE(ended.err.contains(word)) << arguments.join(' ').toStdString() << "\n"
                                              << ended.err.toStdString();
        EXPECT_TRUE(ended.out.isEmpty());
    }
}

TEST_F(ProgramTest, ABrokenScenarioIsNamedWithItsPlace)
{
    QFile file(path("broken.toml"));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("clients = 5\ncycles = \"many\"\n");
    file.close();
    const Ended ended = run({path("broken.toml")});
    EXPECT_EQ(ended.code, 2);
    EXPECT_TRUE(ended.err.contains("broken.toml:2:")) << ended.err.toStdString();
}

TEST_F(ProgramTest, HelpNamesEveryOption)
{
    const Ended ended = run({"--help"}, false);
    EXPECT_EQ(ended.code, 0);
    for (const char* option :
         {"watch", "--connect", "--join-foreign", "--lock", "--paused", "--theme", "--lang", "--shot",
          "--player", "--view", "--at", "--from", "--to", "--speed", "--size"})
        EXPECT_TRUE(ended.out.contains(option)) << option;
}

// As a shell redirects them; $1 is the program.
int runInShell(const QString& folder, const QString& command)
{
    QProcess shell;
    shell.setWorkingDirectory(folder);
    shell.start("/bin/sh", {"-c", command, "sh", QStringLiteral(LOCKSCOPE_PROGRAM)});
    shell.closeWriteChannel();
    return shell.waitForFinished(60'000) && shell.exitStatus() == QProcess::NormalExit ? shell.exitCode()
                                                                                       : -1;
}

TEST_F(ProgramTest, ClosedOrFullStandardStreamsHaveTheirExitCodes)
{
    trace();
    const QList<std::pair<QString, int>> commands{
        {"$1 --help >&-", 4},
        {"$1 --help >/dev/full", 4},
        {"$1 --help >&- 2>&-", 4},
        {"$1 --version 2>&-", 0},
        {"$1 --theme pink 2>&-", 2},
        {"$1 --theme pink 2>/dev/full", 2},
        {"$1 --shot a.png --size 300x200 run.jsonl <&- >&- 2>&-", 0},
        {"$1 --shot no/such/a.png run.jsonl 2>&-", 4},
        {"$1 --shot no/such/a.png run.jsonl 2>/dev/full", 4},
    };
    for (const auto& [command, code] : commands)
        EXPECT_EQ(runInShell(folder.path(), command), code) << command.toStdString();
    EXPECT_FALSE(QImage(path("a.png")).isNull());
}

TEST_F(ProgramTest, APictureDoesNotReplaceItsInput)
{
    const QString input = trace();
    const QByteArray before = content("run.jsonl");
    ASSERT_TRUE(QFile::link(input, path("link.png")));
    const Ended ended = run({"--shot", path("link.png"), input}, false);
    EXPECT_EQ(ended.code, 2);
    EXPECT_TRUE(ended.err.contains("would be replaced")) << ended.err.toStdString();
    EXPECT_EQ(content("run.jsonl"), before);
}

TEST_F(ProgramTest, WithoutADisplayItSaysWhatToDo)
{
    const Ended ended = run({}, false);
    EXPECT_EQ(ended.code, 2);
    EXPECT_TRUE(ended.err.contains("lockscope-cli")) << ended.err.toStdString();
    EXPECT_TRUE(ended.err.contains("--shot"));
}

TEST_F(ProgramTest, AWaylandDisplayThatCannotBeOpenedNamesThePackage)
{
    const Ended ended = run({}, false, {{"WAYLAND_DISPLAY", "none"}, {"XDG_RUNTIME_DIR", folder.path()}});
    EXPECT_EQ(ended.code, 2);
    EXPECT_TRUE(ended.err.contains("WAYLAND_DISPLAY=none")) << ended.err.toStdString();
    EXPECT_TRUE(ended.err.contains("qt6-wayland"));
    EXPECT_TRUE(ended.err.contains("lockscope-cli"));
}

// The value of a key of the desktop file.
QString desktopValue(const QString& key)
{
    QFile file(QStringLiteral(LOCKSCOPE_SOURCE "/resources/desktop/io.github.lockscope.LockScope.desktop"));
    EXPECT_TRUE(file.open(QIODevice::ReadOnly));
    for (const QString& line : QString::fromUtf8(file.readAll()).split('\n'))
        if (line.startsWith(key + '='))
            return line.mid(key.size() + 1);
    return {};
}

// As a file manager starts it: the kind of a file by its name and content, then Exec of the program that
// says that it opens this kind. The second start does not go to the first one's window.
TEST_F(ProgramTest, ADoubleClickOpensATraceOrAScenarioInAWindowOfItsOwn)
{
    ASSERT_TRUE(QDir().mkpath(path("data/mime/packages")));
    ASSERT_TRUE(QFile::copy(LOCKSCOPE_SOURCE "/resources/desktop/io.github.lockscope.LockScope.xml",
                            path("data/mime/packages/lockscope.xml")));
    ASSERT_TRUE(QFile::copy(LOCKSCOPE_SOURCE "/resources/scenarios/two-clients.toml", path("my own.toml")));
    const QByteArray dataHome = qgetenv("XDG_DATA_HOME");
    qputenv("XDG_DATA_HOME", path("data").toUtf8());
    std::vector<std::unique_ptr<QProcess>> programs;
    QStringList files{trace(), path("my own.toml")};
    for (const QString& file : files) {
        const QString kind = QMimeDatabase().mimeTypeForFile(file).name();
        EXPECT_TRUE(desktopValue("MimeType").split(';').contains(kind)) << kind.toStdString();
        QStringList words = desktopValue("Exec").split(' ');
        ASSERT_EQ(words.takeFirst(), "lockscope");
        words.replaceInStrings(QRegularExpression("^%f$"), file);
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("XDG_CONFIG_HOME", path("config") + QString::number(programs.size()));
        programs.push_back(std::make_unique<QProcess>());
        programs.back()->setProcessEnvironment(environment);
        programs.back()->start(QStringLiteral(LOCKSCOPE_PROGRAM), words);
    }
    qputenv("XDG_DATA_HOME", dataHome);
    for (int i = 0; i < files.size(); ++i) {
        const auto opened = [&] {
            const QSettings kept(path("config") + QString::number(i) + "/LockScope/lockscope.conf",
                                 QSettings::IniFormat);
            return kept.value("recentFiles").toStringList().contains(files[i]);
        };
        EXPECT_TRUE(QTest::qWaitFor(opened, 60'000)) << files[i].toStdString();
    }
    for (const auto& program : programs) {
        EXPECT_EQ(program->state(), QProcess::Running);
        program->terminate();
        EXPECT_TRUE(program->waitForFinished(60'000));
    }
}

TEST_F(ProgramTest, APictureNeedsNoDisplayAndIsTheSameEveryTime)
{
    const QString input = trace();
    for (const char* out : {"a.png", "b.png"}) {
        const Ended ended = run({"--shot", path(out), "--size", "1280x800", "--theme", "dark", input}, false);
        ASSERT_EQ(ended.code, 0) << ended.err.toStdString();
    }
    EXPECT_EQ(QImage(path("a.png")).size(), QSize(1280, 800));
    EXPECT_FALSE(content("a.png").isEmpty());
    EXPECT_EQ(content("a.png"), content("b.png"));
}

TEST_F(ProgramTest, EveryViewCanBeDrawnAtAMoment)
{
    const QString input = trace();
    QByteArray before;
    for (const char* view :
         {"window", "chain", "lock-children", "timeline", "protocol", "log", "charts", "inspector"}) {
        const Ended ended =
            run({"--shot", path("v.png"), "--view", view, "--at", "20ms", "--size", "700x400", input}, false);
        ASSERT_EQ(ended.code, 0) << view << ended.err.toStdString();
        EXPECT_EQ(QImage(path("v.png")).size(), QSize(700, 400)) << view;
        EXPECT_NE(content("v.png"), before) << view << " is another view than the one before";
        before = content("v.png");
    }
}

TEST_F(ProgramTest, AnSvgHasItsTextAsText)
{
    const QString input = trace();
    for (const char* out : {"a.svg", "b.svg"})
        ASSERT_EQ(run({"--shot", path(out), "--view", "chain", input}, false).code, 0);
    EXPECT_TRUE(content("a.svg").contains("Watch chain"));
    EXPECT_TRUE(QSvgRenderer(content("a.svg")).isValid());
    EXPECT_EQ(content("a.svg"), content("b.svg"));
}

// A picture in a book cannot be scrolled, dragged or clicked.
TEST_F(ProgramTest, APictureOfACardHasNothingThatOnlyAScreenNeeds)
{
    const QString input = trace();
    for (const char* view : {"timeline", "protocol", "findings", "log", "chain"}) {
        const Ended ended = run({"--shot", path("p.svg"), "--view", view, input}, false);
        ASSERT_EQ(ended.code, 0) << view;
        EXPECT_EQ(ended.err.toStdString(), "") << view;
        for (const char* words : {"Lanes", "drag to pan", "scroll sideways", "Picture", "Go to End"})
            EXPECT_FALSE(content("p.svg").contains(words)) << view << ": " << words;
    }
}

TEST_F(ProgramTest, APictureShowsTheTimeThatIsAskedFor)
{
    const QString input = trace();
    const auto shown = [&](const QStringList& span) {
        const Ended ended = run(
            QStringList{"--shot", path("t.svg"), "--view", "timeline"} + span + QStringList{input}, false);
        EXPECT_EQ(ended.code, 0) << ended.err.toStdString();
        return content("t.svg");
    };
    EXPECT_TRUE(shown({"--from", "5ms", "--to", "15ms"}).contains("10.0 ms from 5"));
    EXPECT_NE(shown({"--from", "5ms", "--to", "15ms"}), shown({"--from", "5ms"}));
    const Ended late = run({"--shot", path("t.svg"), "--from", "1000s", input}, false);
    EXPECT_EQ(late.code, 2);
    EXPECT_TRUE(late.err.contains("--from")) << late.err.toStdString();
}

// The film is of the asked time: its first and last pictures are those of its begin and its end.
TEST_F(ProgramTest, AFilmShowsTheTimeThatWasAskedFor)
{
    const QString input = trace();
    const Ended ended = run({"--shot", path("f.gif"), "--view", "chain", "--size", "700x400", "--from",
                             "20ms", "--to", "60ms", "--speed", "0.1", input},
                            false);
    ASSERT_EQ(ended.code, 0) << ended.err.toStdString();
    QImageReader film(path("f.gif"));
    EXPECT_EQ(film.imageCount(), 5); // 400 ms of film, ten pictures a second, both ends included
    const QImage first = film.read();
    EXPECT_EQ(first.size(), QSize(700, 400));
    QImage last = first;
    while (film.canRead()) {
        last = film.read();
    }
    EXPECT_NE(first, last);
}

// As lockscope-cli does: see ForeignServer.
TEST_F(ProgramTest, APictureOfARunOnALockOfOthersNamesTheWaysOut)
{
    auto server = server::ManagedServer::start({});
    ASSERT_TRUE(server) << server.error().text();
    const std::string address = (*server)->address();
    ASSERT_TRUE(tests::makeRestrictedNode(address, "/prod", tests::allRights));
    ASSERT_TRUE(tests::makeRestrictedNode(
        address, "/prod/_c_8ad7f3c2-0000-4000-8000-000000000001-lock-0000000001", tests::allRights));
    const QString hosts = QString::fromStdString(address);
    const Ended ended =
        run({"--shot", path("a.png"), "five-clients", "--connect", hosts, "--lock", "/prod"}, false);
    EXPECT_EQ(ended.code, 2);
    for (const QString& says :
         {QStringLiteral("Other programs use /prod"), "watch " + hosts + " --lock /prod",
          QStringLiteral("--join-foreign; 5 clients")})
        EXPECT_TRUE(ended.err.contains(says)) << says.toStdString() << "\n" << ended.err.toStdString();
    EXPECT_FALSE(QFile::exists(path("a.png")));
}

TEST_F(ProgramTest, APictureThatCannotBeWrittenIsAnError)
{
    const Ended ended = run({"--shot", path("no/such/folder/a.png"), trace()}, false);
    EXPECT_EQ(ended.code, 4);
    EXPECT_TRUE(ended.err.contains("a.png"));
}

} // namespace
} // namespace lockscope
