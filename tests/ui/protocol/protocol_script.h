// A few messages in words for the tests of the protocol, and its rows in words back.
//
//   1.0 ada > create #1        a request, to be named by its tag        2.0 ada ! 5 @#3   a watch event on
//   node 5 1.0 ada >+ getChildren #2  sent together with the one before        2.0 ada first 3 @#2 decided:
//   first of 3 3.0 ada < #1 185           its reply: a node, or a number of children   2.0 ada behind 5 @#2
//   decided: not first 3.0 ada x #1               its reply is lost                        2.0 ada acquired
//   @#2   2.0 ada lost-session  2.0 ada command kill_holder  2.0 ada session suspended
#pragma once

#include "core/replay/protocol/protocol.h"
#include "core/trace/event_fields.h"
#include "core/trace/store.h"
#include "ui/texts/protocol_text.h"

#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace lockscope::ui::test {

class ProtocolScript
{
public:
    explicit ProtocolScript(std::vector<std::string> names)
        : m_names(std::move(names))
    {
        append({{},
                EventIndex::none(),
                ClientId::none(),
                LockId{0},
                trace::LockAdded{"/locks/well", "mutex", "curator"}});
        for (std::uint32_t i = 0; i < m_names.size(); ++i) {
            trace::ClientAdded added{m_names[i], static_cast<std::uint16_t>(i), {}};
            append({{}, EventIndex::none(), ClientId{i}, LockId::none(), added});
        }
    }
    ProtocolScript& operator<<(const std::string& lines)
    {
        std::istringstream in(lines);
        for (std::string line; std::getline(in, line);)
            if (line.find_first_not_of(' ') != std::string::npos)
                add(line);
        return *this;
    }
    std::shared_ptr<trace::TraceStore> store() const { return m_store; }
    std::size_t count() const { return m_store->count(); }

    replay::Protocol read(std::size_t rows = 60) const
    {
        replay::ProtocolQuery query;
        query.limit = m_store->count();
        query.rows = rows;
        for (std::uint32_t i = 0; i < m_names.size(); ++i)
            query.clients.push_back(ClientId{i});
        return replay::buildProtocol(*m_store, query);
    }
    // "1.0 ada > create + getChildren, sent together (server 2.0)", one line for each message, then for each
    // note.
    std::vector<std::string> words(const replay::Protocol& protocol) const
    {
        std::vector<std::string> lines;
        for (const replay::ProtocolMessage& m : protocol.messages) {
            std::string line = time(m.atClient) + ' ' + m_names.at(m.client.value);
            line += m.kind == replay::ProtocolMessage::Kind::request ? " > " : " < ";
            line += ProtocolText::label(*m_store, m).variants.value(0).toStdString();
            line += " (server " + time(m.atServer) + ')';
            line += m.handoff ? " handoff" : "";
            line += m.kind == replay::ProtocolMessage::Kind::request && !m.answered ? " open" : "";
            line += m.lost ? " lost" : "";
            lines.push_back(line);
        }
        for (const replay::ProtocolNote& note : protocol.notes)
            lines.push_back(time(note.at) + ' ' + m_names.at(note.client.value) + ": " +
                            ProtocolText::note(*m_store, note).variants.value(0).toStdString());
        return lines;
    }

private:
    static std::string time(TraceTime at)
    {
        std::ostringstream out;
        out << static_cast<double>(at.count() / 10'000) / 100;
        return out.str();
    }
    static Operation op(const std::string& name) { return trace::enumFrom<Operation>(name).value(); }
    void add(const std::string& line)
    {
        std::istringstream in(line);
        double milliseconds = 0;
        std::string who, verb;
        in >> milliseconds >> who >> verb;
        std::vector<std::string> words;
        std::string tag, cause;
        for (std::string word; in >> word;)
            (word.starts_with("@#")                    ? cause
             : word.starts_with("#") && verb[0] == '>' ? tag
                                                       : words.emplace_back()) =
                word.starts_with("@") ? word.substr(1) : word;
        trace::Event event;
        event.at = TraceTime(static_cast<Duration::rep>(milliseconds * 1e6 + 0.5));
        event.lock = LockId{0};
        for (std::uint32_t i = 0; i < m_names.size(); ++i)
            if (m_names[i] == who)
                event.client = ClientId{i};
        if (verb == "<" || verb == "x")
            cause = words.at(0);
        if (!cause.empty())
            event.cause = m_tags.at(cause);
        const std::string last =
            words.empty() ? ""
                          : "lock-" + std::string(10 - std::min<std::size_t>(10, words.back().size()), '0') +
                                words.back();
        event.what = payload(verb, words, last, event.cause);
        const EventIndex index = append(event);
        if (!tag.empty())
            m_tags[tag] = index;
        m_tags["#last"] = index;
    }
    trace::Payload payload(const std::string& verb, const std::vector<std::string>& words,
                           const std::string& node, EventIndex cause) const
    {
        if (verb[0] == '>')
            return trace::Request{op(words.at(0)), words.size() > 1 ? trace::Text(node) : trace::Text(),
                                  words.at(0) == "getData", verb == ">+"};
        if (verb == "<" || verb == "x") {
            const auto& request = std::get<trace::Request>(m_store->at(cause).what);
            const bool list = request.op == Operation::getChildren;
            return trace::Reply{request.op, verb == "x" ? trace::Outcome::unknown : trace::Outcome::ok,
                                words.size() > 1 && !list ? trace::Text(node) : trace::Text(), Zxid::none(),
                                list && words.size() > 1 ? static_cast<std::uint32_t>(std::stoul(words[1]))
                                                         : 0};
        }
        if (verb == "!")
            return trace::WatchFired{trace::WatchKind::deleted, node};
        if (verb == "first")
            return trace::Decided{
                "lock-0000000001", 0, static_cast<std::uint32_t>(std::stoul(words.at(0))), {}};
        if (verb == "behind")
            return trace::Decided{"lock-0000000009", 1, 2, node};
        if (verb == "session")
            return trace::SessionState{
                trace::enumFrom<trace::SessionPhase>(words.at(0)).value(), SessionId{1}, {}};
        if (verb == "command")
            return trace::Command{words.at(0), {}};
        if (verb == "releases")
            return trace::ReleaseCalled{node, 1, OwnerId{0}};
        if (verb == "reenters")
            return trace::Reentered{static_cast<std::uint16_t>(std::stoul(words.at(0))), OwnerId{0}};
        if (verb == "acquired")
            return trace::Acquired{"lock-0000000001", Zxid{0x1f2}, OwnerId{0}};
        return trace::SessionState{trace::SessionPhase::lost, SessionId{1}, {}};
    }
    EventIndex append(const trace::Event& event) { return m_store->append(event); }

    std::vector<std::string> m_names;
    std::shared_ptr<trace::TraceStore> m_store = std::make_shared<trace::TraceStore>();
    std::map<std::string, EventIndex> m_tags;
};

} // namespace lockscope::ui::test
