// What the names that the libraries give to their nodes tell.
#include "core/trace/node_name.h"

#include <gtest/gtest.h>

namespace lockscope::trace {
namespace {

constexpr auto kGuid = "0123456789abcdef0123456789abcdef";

TEST(NodeName, TellsTheLibraryAndTheKind)
{
    struct Case
    {
        std::string name;
        LockLibrary library;
        NodeKind kind;
        std::string key; // what its library orders by
    };
    const std::string uuid = "_c_8ad7f3c2-0000-4000-8000-000000000001-";
    for (const Case& each : {
             Case{uuid + "lock-0000000042", LockLibrary::curator, NodeKind::lock, "0000000042"},
             Case{"lock-0000000007", LockLibrary::curator, NodeKind::lock, "0000000007"},
             Case{uuid + "latch-0000000042", LockLibrary::curator, NodeKind::lock, "0000000042"},
             Case{uuid + "__READ__0000000003", LockLibrary::curator, NodeKind::read, "0000000003"},
             Case{uuid + "__WRIT__0000000004", LockLibrary::curator, NodeKind::write, "0000000004"},
             Case{uuid + "lease-0000000005", LockLibrary::curator, NodeKind::lease, "0000000005"},
             Case{std::string("_c_") + kGuid + "-lock-0000000009", LockLibrary::goZk, NodeKind::lock,
                  "0000000009"},
             Case{std::string(kGuid) + "__lock__0000000010", LockLibrary::kazoo, NodeKind::lock,
                  "0000000010"},
             Case{std::string(kGuid) + "__rlock__0000000011", LockLibrary::kazoo, NodeKind::read,
                  "0000000011"},
             Case{kGuid, LockLibrary::kazoo, NodeKind::lease, kGuid},
             Case{"x-1000a2b3c4d0001-0000000012", LockLibrary::zooKeeper, NodeKind::lock, "0000000012"},
             Case{uuid + "lock--2147483648", LockLibrary::curator, NodeKind::lock, "-2147483648"},
             Case{"config", LockLibrary::none, NodeKind::none, "config"},
             Case{"lock-7", LockLibrary::none, NodeKind::none, "lock-7"},
             Case{"0000000005", LockLibrary::none, NodeKind::none, "0000000005"},
             Case{"job-0000000005", LockLibrary::none, NodeKind::none, "job-0000000005"},
             Case{"leases", LockLibrary::none, NodeKind::none, "leases"},
             Case{"", LockLibrary::none, NodeKind::none, ""},
         }) {
        const NodeName name = parseNodeName(each.name);
        EXPECT_EQ(name.library, each.library) << each.name;
        EXPECT_EQ(name.kind, each.kind) << each.name;
        EXPECT_EQ(each.name.substr(name.sortKeyOffset), each.key) << each.name;
        EXPECT_EQ(name.numbered, each.kind != NodeKind::none && each.key.size() == 10) << each.name;
    }
}

} // namespace
} // namespace lockscope::trace
