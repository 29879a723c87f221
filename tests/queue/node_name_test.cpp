// What the names that the libraries give to their nodes tell.
#include "core/queue/scheme.h"

#include <gtest/gtest.h>

namespace lockscope::queue {
namespace {

constexpr auto kGuid = "0123456789abcdef0123456789abcdef";

TEST(NodeName, TellsTheLibraryAndTheRole)
{
    struct Case
    {
        std::string name;
        Library library;
        Role role;
        std::string key; // what its library orders by
    };
    const std::string uuid = "_c_8ad7f3c2-0000-4000-8000-000000000001-";
    for (const Case& each : {
             Case{uuid + "lock-0000000042", Library::curator, Role::exclusive, "0000000042"},
             Case{"lock-0000000007", Library::curator, Role::exclusive, "0000000007"},
             Case{uuid + "latch-0000000042", Library::curator, Role::leader, "0000000042"},
             Case{uuid + "__READ__0000000003", Library::curator, Role::reader, "0000000003"},
             Case{uuid + "__WRIT__0000000004", Library::curator, Role::writer, "0000000004"},
             Case{uuid + "lease-0000000005", Library::curator, Role::lease, "0000000005"},
             Case{std::string("_c_") + kGuid + "-lock-0000000009", Library::goZk, Role::exclusive,
                  "0000000009"},
             Case{std::string(kGuid) + "__lock__0000000010", Library::kazoo, Role::exclusive, "0000000010"},
             Case{std::string(kGuid) + "__rlock__0000000011", Library::kazoo, Role::reader, "0000000011"},
             Case{kGuid, Library::kazoo, Role::lease, kGuid},
             Case{"x-1000a2b3c4d0001-0000000012", Library::zooKeeper, Role::exclusive, "0000000012"},
             Case{uuid + "lock--2147483648", Library::curator, Role::exclusive, "-2147483648"},
             Case{"config", Library::none, Role::none, "config"},
             Case{"lock-7", Library::none, Role::none, "lock-7"},
             Case{"0000000005", Library::none, Role::none, "0000000005"},
             Case{"job-0000000005", Library::none, Role::none, "job-0000000005"},
             Case{"leases", Library::none, Role::none, "leases"},
             Case{"", Library::none, Role::none, ""},
         }) {
        const NodeName name = parse(each.name);
        EXPECT_EQ(name.library, each.library) << each.name;
        EXPECT_EQ(name.role, each.role) << each.name;
        EXPECT_EQ(each.name.substr(name.keyOffset), each.key) << each.name;
        EXPECT_EQ(name.numbered, each.role != Role::none && each.key.size() == 10) << each.name;
    }
}

} // namespace
} // namespace lockscope::queue
