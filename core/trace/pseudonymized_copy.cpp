#include "core/trace/pseudonymized_copy.h"

#include "core/trace/event_fields.h"

#include <deque>
#include <string>
#include <type_traits>
#include <utility>

namespace lockscope::trace {

namespace {

// Renames the sessions in the fields of one event. Owns the renamed texts.
struct SessionRenamer
{
    const SessionNames& names;
    std::deque<std::string> texts;

    template <class Field>
    void operator()(std::string_view, Field& field)
    {
        if constexpr (std::is_same_v<Field, SessionId>) {
            field = names.of(field);
        } else if constexpr (std::is_same_v<Field, Text>) {
            if (field.find("x-") != Text::npos)
                field = texts.emplace_back(replaceSessionIds(field, names));
        } else if constexpr (std::is_same_v<Field, MessageView>) {
            if (field.encoded().find("x-") != Text::npos)
                field = MessageView(texts.emplace_back(replaceSessionIds(field.encoded(), names)));
        }
    }
};

} // namespace

PseudonymizedCopy::PseudonymizedCopy(std::shared_ptr<const TraceStore> original)
    : m_original(std::move(original))
    , m_copy(std::make_shared<TraceStore>())
{}

std::shared_ptr<const TraceStore> PseudonymizedCopy::update()
{
    const std::size_t count = m_original->count();
    if (m_copy->count() == 0) { // the header is constant once the store has an event
        Header header = m_original->header();
        header.sessionIds = SessionIds::pseudonyms;
        m_copy->setHeader(std::move(header));
    }
    for (std::size_t i = m_copy->count(); i < count; ++i) {
        Event event = m_original->at(i);
        SessionRenamer rename{*m_original->writtenSessionNames(), {}};
        std::visit([&](auto& what) { visitFields(what, rename); }, event.what);
        m_copy->append(event);
    }
    return m_copy;
}

} // namespace lockscope::trace
