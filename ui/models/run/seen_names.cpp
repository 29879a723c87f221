#include "ui/models/run/seen_names.h"

#include <algorithm>
#include <variant>

namespace lockscope::ui {

namespace {
constexpr std::size_t kMaxNames = 1'000'000; // a broken trace must not cause a huge allocation

template <class Row, class Id>
Row* namedRow(std::vector<Row>& rows, Id id)
{
    if (id.value >= kMaxNames)
        return nullptr;
    rows.resize(std::max<std::size_t>(rows.size(), id.value + std::size_t{1}));
    rows[id.value].id = id;
    return &rows[id.value];
}

} // namespace

void SeenNames::readUntil(const trace::TraceStore& store, std::size_t end)
{
    for (; m_read < end; ++m_read)
        read(store.at(m_read));
}

void SeenNames::read(const trace::Event& event)
{
    if (const auto* client = std::get_if<trace::ClientAdded>(&event.what)) {
        if (replay::ClientRow* row = namedRow(m_state.clients, event.client))
            row->name = client->name;
    } else if (const auto* lock = std::get_if<trace::LockAdded>(&event.what)) {
        if (replay::LockRow* row = namedRow(m_state.locks, event.lock)) {
            row->path = lock->path;
            row->recipe = lock->recipe;
            row->handoff = lock->handoff;
            row->watched = lock->recipe == nameOf(Recipe::watched);
        }
    }
}

} // namespace lockscope::ui
