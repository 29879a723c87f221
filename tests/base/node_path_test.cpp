#include "core/base/node_path.h"

#include <gtest/gtest.h>

#include <string>

using lockscope::isNodePath;

namespace {

TEST(NodePath, TakesTheRootAndNamesAfterSlashes)
{
    for (const char* path : {"/", "/a", "/a/b", "/.a", "/a..", "/...", "/a b", "/\xe9\x94\x81"})
        EXPECT_TRUE(isNodePath(path)) << path;
}

TEST(NodePath, RefusesWhatTheClientRefuses)
{
    for (const char* path : {"", "a", "a/b", "//", "/a/", "/a//b", "/.", "/..", "/a/./b", "/a/..", "/a\n", "/a/b\x7f"})
        EXPECT_FALSE(isNodePath(path)) << path;
    EXPECT_FALSE(isNodePath(std::string("/a\0b", 4)));
}

} // namespace
