// The znodes of one server: the result of the log up to some transaction. Numbers follow ZooKeeper 3.8
// (DataNode.copyStat, PrepRequestProcessor). One thread.
#pragma once

#include "core/zk/memory/transaction.h"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::zk::memory {

struct Znode
{
    std::string data;
    Zxid czxid;
    Zxid mzxid;
    Zxid pzxid;
    SessionId owner;
    std::int32_t version = 0;
    std::int32_t creates = 0; // children created so far: the next sequential number
    bool container = false;
    std::vector<std::string> children; // names, in the order of their creation

    Stat stat() const;
};

class Tree
{
public:
    Tree();

    Zxid applied() const { return m_applied; }
    const Znode* find(std::string_view path) const;                 // null if it does not exist
    std::vector<std::string> ephemeralsOf(SessionId session) const; // in the order of their creation
    // Applies the next transaction, which must be valid on this tree.
    void apply(const Transaction& transaction);
    void appendState(std::string& text) const; // every field of every node

private:
    void create(const Transaction& transaction);
    void remove(const std::string& path, Zxid zxid);

    std::map<std::string, Znode, std::less<>> m_nodes;
    Zxid m_applied{0};
};

std::string_view parentOf(std::string_view path); // "/" for "/a"; empty for "/"
std::string_view nameOf(std::string_view path);
// "n-" and 7 -> "n-0000000007"; an overflowed counter gives a minus and ten digits, as in the server.
std::string numbered(std::string_view path, std::int32_t number);
void addOnce(std::vector<std::string>& paths, const std::string& path); // unless already present

} // namespace lockscope::zk::memory
