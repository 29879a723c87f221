#include "core/zk/memory/tree.h"

#include <algorithm>
#include <cstdio>

namespace lockscope::zk::memory {

Stat Znode::stat() const
{
    Stat stat;
    stat.czxid = czxid;
    stat.mzxid = mzxid;
    stat.pzxid = pzxid;
    stat.ephemeralOwner = owner;
    stat.version = version;
    stat.numChildren = static_cast<std::int32_t>(children.size());
    stat.cversion = static_cast<std::int32_t>(2U * static_cast<std::uint32_t>(creates) - children.size());
    return stat;
}

Tree::Tree()
{
    Znode root;
    root.czxid = root.mzxid = root.pzxid = Zxid{0};
    m_nodes.emplace("/", std::move(root));
}

const Znode* Tree::find(std::string_view path) const
{
    const auto found = m_nodes.find(path);
    return found == m_nodes.end() ? nullptr : &found->second;
}

std::vector<std::string> Tree::ephemeralsOf(SessionId session) const
{
    std::vector<std::pair<Zxid, std::string>> own;
    for (const auto& [path, node] : m_nodes)
        if (node.owner.valid() && node.owner == session)
            own.emplace_back(node.czxid, path);
    std::sort(own.begin(), own.end());
    std::vector<std::string> paths;
    for (auto& [born, path] : own)
        paths.push_back(std::move(path));
    return paths;
}

void Tree::apply(const Transaction& transaction)
{
    m_applied = transaction.zxid;
    switch (transaction.change) {
    case Change::none:
    case Change::sessionOpened:
        return;
    case Change::sessionClosed:
        for (const std::string& path : transaction.gone)
            remove(path, transaction.zxid);
        return;
    case Change::created:
        return create(transaction);
    case Change::removed:
        return remove(transaction.path, transaction.zxid);
    case Change::dataSet: {
        Znode& node = m_nodes.find(transaction.path)->second;
        node.data = transaction.data;
        node.mzxid = transaction.zxid;
        ++node.version;
        return;
    }
    case Change::sequenceNumbersSkipped: {
        Znode& node = m_nodes.find(transaction.path)->second;
        node.creates = static_cast<std::int32_t>(static_cast<std::uint32_t>(node.creates) +
                                                 static_cast<std::uint32_t>(transaction.numbers));
        return;
    }
    }
}

void Tree::create(const Transaction& transaction)
{
    Znode node;
    node.data = transaction.data;
    node.czxid = node.mzxid = node.pzxid = transaction.zxid;
    node.owner = isEphemeral(transaction.mode) ? transaction.session : SessionId::none();
    node.container = transaction.mode == CreateMode::container;
    m_nodes.emplace(transaction.path, std::move(node));
    Znode& parent = m_nodes.find(parentOf(transaction.path))->second;
    parent.children.emplace_back(nameOf(transaction.path));
    parent.creates = static_cast<std::int32_t>(static_cast<std::uint32_t>(parent.creates) + 1U);
    parent.pzxid = transaction.zxid;
}

void Tree::remove(const std::string& path, Zxid zxid)
{
    m_nodes.erase(path);
    Znode& parent = m_nodes.find(parentOf(path))->second;
    std::erase(parent.children, nameOf(path));
    parent.pzxid = zxid;
}

std::string_view parentOf(std::string_view path)
{
    const std::size_t slash = path.rfind('/');
    if (path.size() <= 1 || slash == std::string_view::npos)
        return {};
    return slash == 0 ? path.substr(0, 1) : path.substr(0, slash);
}

std::string_view nameOf(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string numbered(std::string_view path, std::int32_t number)
{
    char digits[16];
    std::snprintf(digits, sizeof digits, "%010d", number);
    return std::string(path) + digits;
}

void addOnce(std::vector<std::string>& paths, const std::string& path)
{
    if (std::ranges::find(paths, path) == paths.end())
        paths.push_back(path);
}

} // namespace lockscope::zk::memory
