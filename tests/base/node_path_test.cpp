#include "core/base/node_path.h"

#include <gtest/gtest.h>

#include <string>

using lockscope::checkNodePath;
using lockscope::isNodePath;

namespace {

TEST(NodePath, TakesTheRootAndNamesAfterSlashes)
{
    for (const char* path : {"/", "/a", "/a/b", "/.a", "/a..", "/...", "/a b", "/\xe9\x94\x81"})
        EXPECT_TRUE(isNodePath(path)) << path;
}

TEST(NodePath, RefusesWhatTheClientRefuses)
{
    for (const char* path :
         {"", "a", "a/b", "//", "/a/", "/a//b", "/.", "/..", "/a/./b", "/a/..", "/a\n", "/a/b\x7f"})
        EXPECT_FALSE(isNodePath(path)) << path;
    EXPECT_FALSE(isNodePath(std::string("/a\0b", 4)));
}

std::string problemOf(const std::string& path)
{
    const auto problem = checkNodePath(path);
    return problem ? problem->text() : "none";
}

// What the server refuses (PathUtils.validatePath), and the client library lets pass or cuts.
TEST(NodePath, NamesTheCharacterThatZooKeeperDoesNotAccept)
{
    EXPECT_EQ(problemOf("/locks/\xe4\xba\x95"), "none");
    EXPECT_EQ(problemOf(std::string("/nul/a\0b", 8)),
              "ZooKeeper does not accept the character U+0000 in a path; here it follows \"/nul/a\".");
    EXPECT_EQ(problemOf("/a/\xf0\x9f\x98\x80"),
              "ZooKeeper does not accept the character U+1F600 in a path; here it follows \"/a/\".");
    EXPECT_EQ(problemOf("/a\xc2\x85"),
              "ZooKeeper does not accept the character U+0085 in a path; here it follows \"/a\".");
    EXPECT_EQ(problemOf("/a\xef\xbf\xbd"),
              "ZooKeeper does not accept the character U+FFFD in a path; here it follows \"/a\".");
    EXPECT_EQ(problemOf("/a/\xff"), "The path is not UTF-8 after \"/a/\".");
    EXPECT_EQ(
        problemOf("/a//b"),
        "ZooKeeper does not accept the path \"/a//b\". A path begins with a slash, has no empty part and "
        "does not end with a slash.");
    EXPECT_EQ(problemOf("/" + std::string(1'100'000, 'x')),
              "The path of a node has 1100001 bytes; the limit is 65536.");
}

} // namespace
