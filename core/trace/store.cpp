#include "core/trace/store.h"

#include "core/trace/event_fields.h"
#include "core/trace/plain_text.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <stdexcept>

namespace lockscope::trace {

namespace {
constexpr std::size_t kChunkBytes = 256 * 1024;
}

TraceStore::TraceStore(Header header)
    : m_blocks(new std::atomic<Block*>[kMaxBlocks] {})
{
    setHeader(std::move(header));
}

TraceStore::~TraceStore()
{
    for (std::size_t i = 0; i < kMaxBlocks; ++i) {
        Block* block = m_blocks[i].load(std::memory_order_relaxed);
        if (!block)
            break;
        delete block;
    }
}

void TraceStore::setHeader(Header header)
{
    m_headers.push_back(std::make_unique<const Header>(std::move(header)));
    m_header.store(m_headers.back().get(), std::memory_order_release);
}

EventIndex TraceStore::append(Event event)
{
    const std::size_t index = m_published.load(std::memory_order_relaxed);
    const std::size_t block = index / kBlockEvents;
    if (block >= kMaxBlocks)
        throw std::length_error("The trace is full: it holds 268 million events.");
    if (!m_blocks[block].load(std::memory_order_relaxed)) {
        m_blocks[block].store(new Block, std::memory_order_release);
        m_bytes.fetch_add(sizeof(Block), std::memory_order_relaxed);
    }
    std::string number;
    if (auto* added = std::get_if<ClientAdded>(&event.what);
        added && added->name.empty() && event.client.valid()) {
        number = defaultClientName(event.client);
        added->name = number;
    }
    std::visit(
        [this](auto& what) {
            visitFields(what, [this](std::string_view, auto& field) {
                if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, Text>)
                    field = keep(field);
                else if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, MessageView>)
                    field = MessageView(keep(field.encoded()));
            });
        },
        event.what);
    m_blocks[block].load(std::memory_order_relaxed)->events[index % kBlockEvents] = event;
    m_published.store(index + 1, std::memory_order_release);
    return EventIndex{static_cast<std::uint32_t>(index)};
}

Text TraceStore::keep(Text text)
{
    if (text.empty())
        return {};
    Text& recent = m_recent[std::hash<Text>{}(text) % m_recent.size()];
    if (recent == text)
        return recent;
    if (text.size() > m_chunkLeft) {
        const std::size_t size = std::max(kChunkBytes, text.size());
        m_chunks.push_back(std::make_unique<char[]>(size));
        m_chunkNext = m_chunks.back().get();
        m_chunkLeft = size;
        m_bytes.fetch_add(size, std::memory_order_relaxed);
    }
    std::memcpy(m_chunkNext, text.data(), text.size());
    recent = Text(m_chunkNext, text.size());
    m_chunkNext += text.size();
    m_chunkLeft -= text.size();
    return recent;
}

} // namespace lockscope::trace
