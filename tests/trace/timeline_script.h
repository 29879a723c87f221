// Runs written as short text, for tests of the timeline. One event a line:
//     [label:] milliseconds client what [argument] [number] [@lock] [<-cause]
// with clients a, b, c, ... (- for none), lock 0 by default, and the cause by its label. Locks 0 and 1 are
// mutexes and 2 a semaphore; a client is added when it is first named, and its node is created when it gets a
// lock. What comes out is text too: spans as letter, begin-end in milliseconds; w waits, r releases, H holds,
// s suspended, f frozen, X stale.
#pragma once

#include "core/replay/fold/trace_cursor.h"
#include "core/trace/event_fields.h"

#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace lockscope::replay {

class Script
{
public:
    explicit Script(const std::string& lines)
    {
        for (std::uint16_t lock = 0; lock < 3; ++lock)
            m_store->append({{},
                             EventIndex::none(),
                             ClientId::none(),
                             LockId{lock},
                             trace::LockAdded{"/lock", lock < 2 ? "mutex" : "semaphore", "curator"}});
        add(lines);
    }

    void add(const std::string& lines)
    {
        std::istringstream in(lines);
        for (std::string line; std::getline(in, line);)
            if (line.find_first_not_of(' ') != std::string::npos)
                addLine(line);
        m_cursor.seek(m_store->count());
    }

    const Timeline& timeline() const { return m_cursor.timeline(); }
    const trace::TraceStore& store() const { return *m_store; }
    EventIndex label(const std::string& name) const { return m_labels.at(name); }

    std::string lane(char client) const { return show(client, LaneRow::spans); }
    std::string over(char client) const { return show(client, LaneRow::overlays); }
    std::string releases(char client) const { return show(client, LaneRow::releases); }
    std::string depths(char client) const
    {
        std::vector<DepthSpan> spans;
        timeline().depths(idOf(client), TraceTime(0), kForever, Duration(1), spans);
        std::ostringstream out;
        for (const DepthSpan& span : spans)
            out << (&span == spans.data() ? "" : " ") << 'x' << span.depth << ':'
                << range(span.begin, span.end);
        return out.str();
    }
    // "a>b 10/11/12/13/14/15": released, requested, committed, woken, listed, acquired.
    std::string handoffs() const
    {
        std::ostringstream out;
        for (std::size_t i = 0; i < timeline().handoffCount(); ++i) {
            const Handoff& one = timeline().handoff(i);
            out << (i ? ", " : "") << char('a' + one.from.value) << '>' << char('a' + one.to.value);
            char before = ' ';
            for (const TraceTime time :
                 {one.released, one.requested, one.committed, one.woken, one.listed, one.acquired})
                out << std::exchange(before, '/') << millis(time);
        }
        return out.str();
    }
    std::string marks() const
    {
        std::vector<Mark> found;
        timeline().marks(TraceTime(0), kForever, 1000, found);
        std::ostringstream out;
        for (const Mark& mark : found) {
            out << (&mark == found.data() ? "" : ", ") << millis(mark.at) << ' ' << mark.name();
            if (mark.client.valid())
                out << ' ' << char('a' + mark.client.value);
        }
        return out.str();
    }

    static TraceTime at(std::int64_t milliseconds) { return std::chrono::milliseconds(milliseconds); }
    static ClientId idOf(char client)
    {
        return client == '-' ? ClientId::none() : ClientId{static_cast<std::uint32_t>(client - 'a')};
    }

private:
    static std::int64_t millis(TraceTime time) { return time.count() / 1'000'000; }
    static std::string range(TraceTime begin, TraceTime end)
    {
        std::ostringstream out;
        out << millis(begin) << '-';
        if (end != kForever)
            out << millis(end);
        return out.str();
    }
    std::string show(char client, LaneRow row) const
    {
        std::vector<Span> spans;
        timeline().spans(idOf(client), TraceTime(0), kForever, Duration(1), spans, row);
        std::ostringstream out;
        for (const Span& span : spans)
            out << (&span == spans.data() ? "" : " ") << ".wrHsfX"[static_cast<std::size_t>(span.kind)]
                << range(span.begin, span.end);
        return out.str();
    }

    void addLine(const std::string& line)
    {
        std::istringstream in(line);
        std::string label, word, what, text;
        in >> word;
        if (word.ends_with(':')) {
            label = word.substr(0, word.size() - 1);
            in >> word;
        }
        trace::Event event;
        event.at = at(std::stoll(word));
        in >> word >> what;
        event.client = idOf(word[0]);
        event.lock = LockId{0};
        int number = -1;
        while (in >> word) {
            if (word.starts_with("<-"))
                event.cause = m_labels.at(word.substr(2));
            else if (word.starts_with("@"))
                event.lock = LockId{static_cast<std::uint16_t>(std::stoi(word.substr(1)))};
            else if (word.find_first_not_of("0123456789") == std::string::npos)
                number = std::stoi(word);
            else
                text = word;
        }
        event.what = payload(what, text, number);
        if (event.client.valid() && m_clients.insert(event.client).second && what != "added")
            m_store->append(
                {event.at, EventIndex::none(), event.client, LockId::none(), trace::ClientAdded{"", 0}});
        if (what == "gets")
            m_store->append({event.at, EventIndex::none(), event.client, event.lock,
                             trace::Reply{Operation::create, trace::Outcome::ok, text, Zxid{1}, 0}});
        const EventIndex index = m_store->append(event);
        if (!label.empty())
            m_labels[label] = index;
    }

    static trace::Payload payload(const std::string& what, const std::string& text, int number)
    {
        using namespace trace;
        const OwnerId owner{0};
        const auto depth = [&](int fallback) {
            return static_cast<std::uint16_t>(number < 0 ? fallback : number);
        };
        const SessionId session{number};
        if (what == "added")
            return ClientAdded{text, 0};
        if (what == "removed")
            return ClientRemoved{};
        if (what == "asks")
            return AcquireCalled{OwnerId{depth(0)}, kForever};
        if (what == "gets")
            return Acquired{text, Zxid{1}, OwnerId{depth(0)}};
        if (what == "reenters")
            return Reentered{depth(2), owner};
        if (what == "gives_up")
            return AcquireFailed{FailReason::timedOut, OwnerId{depth(0)}, ""};
        if (what == "releases")
            return ReleaseCalled{text, depth(1), owner};
        if (what == "released")
            return Released{text, depth(0), owner};
        if (what == "loses")
            return HoldLost{text, LostReason::sessionExpired, owner};
        if (what == "sends_delete")
            return Request{Operation::remove, text, false, false};
        if (what == "deleted")
            return Reply{Operation::remove, Outcome::ok, text, Zxid{1}, 0};
        if (what == "sends_list")
            return Request{Operation::getChildren, "", false, false};
        if (what == "listed")
            return Reply{Operation::getChildren, Outcome::ok, "", Zxid{1}, 2};
        if (what == "woken")
            return WatchFired{WatchKind::deleted, text};
        if (what == "vanished")
            return NodeVanished{text};
        if (what == "foreign")
            return NodeSeen{text, SessionId::none(), Zxid{1}, true};
        if (what == "gone")
            return SessionGone{session};
        if (what == "command")
            return Command{text, ""};
        if (what == "server")
            return ServerState{enumFrom<ServerPhase>(text).value(), "", "", "", ""};
        return SessionState{enumFrom<SessionPhase>(what).value(), number < 0 ? SessionId::none() : session,
                            Duration{}};
    }

    std::shared_ptr<trace::TraceStore> m_store = std::make_shared<trace::TraceStore>();
    TraceCursor m_cursor{m_store};
    std::set<ClientId> m_clients;
    std::map<std::string, EventIndex> m_labels;
};

} // namespace lockscope::replay
