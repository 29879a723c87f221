// Names that have much in common, in places too narrow for all of them.
#include "ui/models/run/short_names.h"
#include "ui/models/style/text_cache.h"

#include <gtest/gtest.h>

namespace lockscope::ui {
namespace {

ShortNames of(const QStringList& names)
{
    ShortNames all;
    for (const QString& name : names)
        all.add(name);
    return all;
}

QStringList variants(const QStringList& names)
{
    return of(names).variantsOf(names.front()).split(kVariantSeparator);
}

TEST(ShortNames, LeaveOutWhatAllHaveInCommon)
{
    EXPECT_EQ(variants({"web 186 app-run :3501", "web 186 app-run :3502"}),
              (QStringList{"web 186 app-run :3501", ":3501"}))
        << "sessions of one process";
    EXPECT_EQ(variants({"web 186 app-run :3501", "web 187 app-run :3502"}),
              (QStringList{"web 186 app-run :3501", "186 :3501", ":3501"}))
        << "processes of one host";
    EXPECT_EQ(variants({"10.0.0.7:3501", "10.0.0.7:3502"}), (QStringList{"10.0.0.7:3501", ":3501"}));
}

TEST(ShortNames, KeepTheHostWhereHostsDiffer)
{
    EXPECT_EQ(variants({"web-1 186 app-run :3501", "web-2 186 app-run :3502"}),
              (QStringList{"web-1 186 app-run :3501", "web-1 :3501", ":3501"}));
}

// "worker-4.production.example.org" was cut to "worker...n.exa...".
TEST(ShortNames, LeaveOutTheDomainThatAllHostsShare)
{
    EXPECT_EQ(variants({"worker-4.production.example.org", "worker-5.production.example.org"}),
              (QStringList{"worker-4.production.example.org", "worker-4"}));
    EXPECT_EQ(variants({"web-1.example.org 186 app-run :3501", "web-2.example.org 187 app-run :3502"}),
              (QStringList{"web-1.example.org 186 app-run :3501", "web-1 186 app-run :3501",
                           "web-1 186 :3501", "186 :3501", ":3501"}));
    EXPECT_EQ(variants({"worker-4.example.org", "worker-4.example.com"}),
              QStringList{"worker-4.example.org"});
    EXPECT_EQ(variants({"192.168.10.17 app", "192.168.20.17 app"}),
              (QStringList{"192.168.10.17 app", "192.168.10.17"}))
        << "an address has no domain";
}

TEST(ShortNames, NeverLeaveTwoNamesTheSame)
{
    EXPECT_EQ(variants({"web-1 186 app-run :3501", "web-2 190 app-run :3501"}),
              (QStringList{"web-1 186 app-run :3501", "web-1 186"}))
        << "the port alone would be both of them";
    EXPECT_EQ(variants({"web 186 app", "web 186 app"}), QStringList{"web 186 app"}) << "nothing differs";
}

TEST(ShortNames, AShortNameAndTheOnlyNameStay)
{
    EXPECT_EQ(variants({"client 3", "client 4"}), QStringList{"client 3"});
    EXPECT_EQ(variants({"web 186 app-run :3501"}), QStringList{"web 186 app-run :3501"});
    EXPECT_EQ(variants({"worker-4.production.example.org"}),
              (QStringList{"worker-4.production.example.org", "worker-4"}))
        << "without its domain rather than without its middle";
}

TEST(ShortNames, OfALongNameTheLastWordsAreSaid)
{
    EXPECT_EQ(lastWords("web 186 app-run :3501", 24), "web 186 app-run :3501");
    EXPECT_EQ(lastWords("a-host-with-a-long-name 186 app-run :3501", 24), "186 app-run :3501");
    EXPECT_EQ(lastWords("oneverylongwordwithoutanyblank", 8), "oneverylongwordwithoutanyblank");
}

} // namespace
} // namespace lockscope::ui
