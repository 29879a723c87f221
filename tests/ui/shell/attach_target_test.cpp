// Where a lock is, as it is typed, checked and remembered, and the dialog that asks for it; without a server.
#include "ui/models/style/command_table.h"
#include "ui/models/style/format.h"
#include "ui/models/style/theme.h"
#include "ui/shell/dialogs/attach_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QRadioButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include <fstream>

namespace lockscope::ui {
namespace {

TEST(AttachTarget, AddressesAreCheckedBeforeAnythingIsTried)
{
    for (const char* right : {"127.0.0.1:2181", "localhost:1", "zoo-1.example.org:65535", "[::1]:2181",
                              "10.0.0.1:2181, 10.0.0.2:2181", "zoo:1,"})
        EXPECT_EQ(serversError(right).text, QString()) << right;
    struct Case
    {
        const char* typed;
        const char* says;
        int at, length; // what is marked
    };
    for (const Case& each : {Case{"", "it is empty", 0, 0},
                             {"zoo", "the port is missing", 0, 3},
                             {":2181", "the host is missing", 0, 5},
                             {"zoo:0", "\"0\" is not a port", 0, 5},
                             {"zoo:65536", "\"65536\" is not a port", 0, 9},
                             {"zoo:x", "\"x\" is not a port", 0, 5},
                             {"zoo:", "\"\" is not a port", 0, 4},
                             {"zo o:1", "is not a host name", 0, 6},
                             {"[::1:2181", "in brackets", 0, 9},
                             {"::1:2181", "in brackets", 0, 8},
                             {"::1", "in brackets", 0, 3},
                             {"a:1,b", "Address 2, \"b\": the port is missing", 4, 1},
                             {"a:1,,b:2", "Address 2: it is empty", 4, 0}}) {
        const InputError fault = serversError(each.typed);
        EXPECT_TRUE(fault.text.contains(each.says)) << each.typed << ": " << fault.text.toStdString();
        EXPECT_EQ(fault.at, each.at) << each.typed;
        EXPECT_EQ(fault.length, each.length) << each.typed;
    }
}

TEST(AttachTarget, RecentOnesAreKeptNewestFirst)
{
    const QTemporaryDir folder;
    QSettings settings(folder.filePath("a.ini"), QSettings::IniFormat);
    RecentTargets places(&settings);
    places.add({"a:1", "/one"});
    places.add({"b:2,c:3", "/two words"});
    places.add({"d:4/my app", "/three"});
    places.add({"a:1", "/one"});
    settings.setValue("recentLocks", settings.value("recentLocks").toStringList() << "spoilt"
                                                                                  << "x:y /z");
    const QList<AttachTarget> again = RecentTargets(&settings).all();
    ASSERT_EQ(again.size(), 3);
    EXPECT_EQ(again[0].path, "/one");
    EXPECT_EQ(again[1].servers, "d:4/my app");
    EXPECT_EQ(again[1].path, "/three");
    EXPECT_EQ(again[2].servers, "b:2,c:3");
    EXPECT_EQ(again[2].path, "/two words");
}

TEST(AttachTarget, OfTheFilesOfTlsTheNamesAreKept)
{
    const QTemporaryDir folder;
    QSettings settings(folder.filePath("a.ini"), QSettings::IniFormat);
    RecentTargets places(&settings);
    places.add({"tls://a:1", "/one", 0, {.ca = "/old.pem"}});
    places.add({"tls://a:1", "/one", 0, {.ca = "/a b.pem", .certificate = "/c.pem", .key = "/k.pem"}});
    places.add({"tls://b:2", "/two"});
    const QList<AttachTarget> again = RecentTargets(&settings).all();
    ASSERT_EQ(again.size(), 2) << "the same place once, with its newest files";
    EXPECT_EQ(again[0].tls.ca, "");
    EXPECT_EQ(again[1].path, "/one");
    EXPECT_EQ(again[1].tls.ca, "/a b.pem");
    EXPECT_EQ(again[1].tls.certificate, "/c.pem");
    EXPECT_EQ(again[1].tls.key, "/k.pem");
}

TEST(AttachTarget, OfSaslTheMechanismAndTheNameOfTheFileAreKept)
{
    using zk::wire::SaslMechanism;
    const QTemporaryDir folder;
    QSettings settings(folder.filePath("a.ini"), QSettings::IniFormat);
    RecentTargets places(&settings);
    places.add({"a:1", "/one", 0, {}, {SaslMechanism::digestMd5, "/proof"}});
    places.add({"b:2", "/two", 0, {.ca = "/ca.pem"}, {SaslMechanism::gssapi, "", "zoo"}});
    places.add({"c:3", "/three", 0, {.ca = "/ca.pem"}});
    const QList<AttachTarget> again = RecentTargets(&settings).all();
    ASSERT_EQ(again.size(), 3);
    EXPECT_FALSE(again[0].sasl.mechanism);
    EXPECT_EQ(again[0].sasl.service, "zookeeper");
    EXPECT_EQ(again[1].sasl.mechanism, SaslMechanism::gssapi);
    EXPECT_EQ(again[1].sasl.service, "zoo");
    EXPECT_EQ(again[1].tls.ca, "/ca.pem");
    EXPECT_EQ(again[2].sasl.mechanism, SaslMechanism::digestMd5);
    EXPECT_EQ(again[2].sasl.file, "/proof");
}

TEST(AttachTarget, SaslIsForWatching)
{
    const QTemporaryDir folder;
    const QString proof = folder.filePath("proof");
    const Theme theme{Theme::ColourScheme::light};
    AttachDialog dialog({}, {"a:1", "/one"}, &theme, nullptr);
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    dialog.show();
    auto* mechanism = dialog.findChild<QComboBox*>("attachSasl");
    auto* file = dialog.findChild<QLineEdit*>("attachSaslFile");
    const auto* service = dialog.findChild<QLineEdit*>("attachSaslService");
    const auto* fault = dialog.findChild<QLabel*>("attachFault");
    AttachTarget place;
    QObject::connect(&dialog, &AttachDialog::chosen, [&](const AttachTarget& chosen) { place = chosen; });
    EXPECT_FALSE(file->isVisible());
    mechanism->setCurrentText("GSSAPI");
    EXPECT_FALSE(file->isVisible());
    EXPECT_TRUE(service->isVisible());
    mechanism->setCurrentText("DIGEST-MD5");
    EXPECT_TRUE(file->isVisible());
    EXPECT_FALSE(service->isVisible());
    const auto saysAfterReturn = [&] {
        QTest::keyClick(&dialog, Qt::Key_Return);
        return fault->text();
    };
    EXPECT_TRUE(saysAfterReturn().contains("USER:PASSWORD"));
    file->setText(proof);
    EXPECT_TRUE(saysAfterReturn().contains("cannot be read"));
    std::ofstream(proof.toStdString()) << "alice:secret\n";
    auto* joins = dialog.findChild<QRadioButton*>("attachJoins");
    joins->setChecked(true);
    EXPECT_TRUE(saysAfterReturn().contains("C client library"));
    EXPECT_EQ(place.servers, "");
    dialog.findChild<QRadioButton*>("attachWatches")->setChecked(true);
    QTest::keyClick(&dialog, Qt::Key_Return);
    EXPECT_EQ(place.servers, "a:1");
    EXPECT_EQ(place.sasl.mechanism, zk::wire::SaslMechanism::digestMd5);
    EXPECT_EQ(place.sasl.file, proof.toStdString());
}

TEST(AttachTarget, TheSchemeAndTheBoxOfTlsAreOne)
{
    const Theme theme{Theme::ColourScheme::light};
    AttachDialog dialog({}, {"tls://a:1, b:2/my app", "/one"}, &theme, nullptr);
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    dialog.show();
    auto* box = dialog.findChild<QCheckBox*>("attachSecured");
    auto* servers = dialog.findChild<QLineEdit*>("attachServers");
    const auto* ca = dialog.findChild<QLineEdit*>("attachCa");
    AttachTarget place;
    QObject::connect(&dialog, &AttachDialog::chosen, [&](const AttachTarget& chosen) { place = chosen; });
    EXPECT_TRUE(box->isChecked());
    EXPECT_TRUE(ca->isVisible());
    box->click();
    EXPECT_EQ(servers->text(), "a:1, b:2/my app");
    EXPECT_FALSE(ca->isVisible());
    box->click();
    QTest::keyClick(&dialog, Qt::Key_Return);
    EXPECT_EQ(place.servers, "tls://a:1,b:2/my app");
}

// It stayed as high as with the fields for the files.
TEST(AttachTarget, TheDialogShrinksWithItsRows)
{
    const Theme theme{Theme::ColourScheme::light};
    AttachDialog dialog({}, {"a:1", "/one"}, &theme, nullptr);
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    dialog.show();
    const int before = dialog.height();
    auto* box = dialog.findChild<QCheckBox*>("attachSecured");
    box->click();
    ASSERT_TRUE(QTest::qWaitFor([&] { return dialog.height() > before; }));
    box->click();
    EXPECT_TRUE(QTest::qWaitFor([&] { return dialog.height() <= before; }))
        << dialog.height() << " after " << before;
}

// It was "The lock path "" does not begin with a slash".
TEST(AttachTarget, AMissingPathIsSaidToBeMissing)
{
    for (const InputError& fault : {pathError({}), watchedPathsError({}), watchedPathsError("  ")})
        EXPECT_EQ(fault.text, "The path is missing: enter that of the lock, for example /locks/orders.");
    EXPECT_TRUE(pathError("locks").text.contains("slash"));
}

// The command was "Attach to a Lock" in the menu, "Look at a Lock" on the welcome page.
TEST(AttachTarget, TheDialogHasTheNameOfItsCommand)
{
    const Theme theme{Theme::ColourScheme::light};
    AttachDialog dialog({}, {"a:1", "/one"}, &theme, nullptr);
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    const CommandRow* command = commandRow("attach");
    ASSERT_NE(command, nullptr);
    EXPECT_EQ(dialog.windowTitle(), command->brief);
    EXPECT_EQ(format::withoutMnemonic(command->text), QString(command->brief) + u'…');
    const QPushButton* yes = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
    EXPECT_EQ(yes->text(), "Watch");
    dialog.findChild<QRadioButton*>("attachJoins")->click();
    EXPECT_EQ(yes->text(), "Join…");
}

TEST(AttachTarget, ThePathThatIsWrongIsMarked)
{
    const Theme theme{Theme::ColourScheme::light};
    struct Case
    {
        const char* typed;
        int at; // of what is left when blanks at the ends are removed
    };
    for (const Case& each : {Case{"  /locks/ ", 0}, {"/locks/a/b, /locks/", 12}, {" /locks/, /locks/a", 0}}) {
        AttachDialog dialog({}, {"127.0.0.1:2181", each.typed}, &theme, nullptr);
        dialog.setAttribute(Qt::WA_DeleteOnClose, false);
        dialog.show();
        QTest::keyClick(&dialog, Qt::Key_Return);
        const auto* path = dialog.findChild<QLineEdit*>("attachPath");
        EXPECT_EQ(path->selectedText(), "/locks/") << each.typed;
        EXPECT_EQ(path->selectionStart(), each.at) << each.typed;
    }
}

TEST(AttachTarget, AChrootKeepsItsBlanksAndTheAddressesLoseThem)
{
    const Theme theme{Theme::ColourScheme::light};
    const QPointer<AttachDialog> dialog =
        new AttachDialog({}, {"a:1, b:2/my app", "/locks/orders"}, &theme, nullptr);
    QString servers;
    QObject::connect(dialog, &AttachDialog::chosen,
                     [&](const AttachTarget& place) { servers = place.servers; });
    dialog->show();
    QTest::keyClick(dialog, Qt::Key_Return);
    EXPECT_EQ(servers, "a:1,b:2/my app");
    EXPECT_TRUE(QTest::qWaitFor([&] { return dialog.isNull(); }));
}

} // namespace
} // namespace lockscope::ui
