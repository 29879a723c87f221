// An observer to copy: the acquisitions of locks as spans of OpenTelemetry, in the JSON of its protocol
// (OTLP), one export a line: what the collector's otlpjsonfile receiver reads. It needs no SDK; with one,
// fill its Span in write().
//
// An acquisition is a span "lock" with two children: "wait", from the call to the grant, and "hold". The ids
// of a span come from the name of its node. So the wait of one process can link to the hold whose end it
// waited for, in another process, although the two have never met: it knows the name of the node that it
// watched.
#pragma once

#include <lockscope/lock/observer.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

class SpanObserver final : public lockscope::lock::Observer
{
public:
    using Write = std::function<void(const std::string& line)>; // on the I/O thread
    SpanObserver(std::string service, Write write)
        : m_service(std::move(service))
        , m_write(std::move(write))
    {}
    lockscope::EventIndex onEvent(const std::string& path, const lockscope::lock::Event& what,
                                  lockscope::EventIndex) override
    {
        namespace event = lockscope::lock::event;
        if (const auto* queued = std::get_if<event::Queued>(&what)) {
            if (queued->position > 0)
                m_waitsFor[path + "/" + std::string(queued->node)] = queued->predecessor;
        } else if (const auto* acquired = std::get_if<event::Acquired>(&what)) {
            const std::int64_t now = nanosecondsNow();
            const std::string node = path + "/" + std::string(acquired->node);
            const auto waited = m_waitsFor.extract(node);
            m_held[node] = {now - acquired->waited.count(), now, acquired->token.value,
                            waited ? path + "/" + waited.mapped() : ""};
        } else if (const auto* sent = std::get_if<event::RequestSent>(&what)) {
            if (sent->operation == lockscope::lock::Operation::remove) // a node that waits no longer
                m_waitsFor.erase(path + "/" + std::string(sent->node));
        } else if (const auto* released = std::get_if<event::Released>(&what)) {
            if (released->depth == 0)
                end(path, released->node, "released");
        } else if (const auto* lost = std::get_if<event::HoldLost>(&what)) {
            end(path, lost->node, "lost");
        } else if (const auto* abandoned = std::get_if<event::Abandoned>(&what)) {
            end(path, abandoned->node, "abandoned");
        }
        return lockscope::EventIndex::none();
    }

private:
    struct Held
    {
        std::int64_t called = 0;
        std::int64_t granted = 0;
        std::int64_t token = 0;
        std::string waitedFor; // the node of the hold whose end it waited for; empty: none
    };
    static std::int64_t nanosecondsNow()
    {
        using namespace std::chrono;
        return duration_cast<nanoseconds>(system_clock::now().time_since_epoch()).count();
    }
    static std::string id(const std::string& text) // 16 hexadecimal digits (FNV-1a)
    {
        std::uint64_t hash = 14695981039346656037U;
        for (const char character : text)
            hash = (hash ^ static_cast<unsigned char>(character)) * 1099511628211U;
        char digits[17];
        std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash | 1));
        return digits;
    }
    static std::string quoted(std::string_view text)
    {
        std::string result = "\"";
        for (const char character : text) {
            char escaped[8];
            std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned char>(character));
            const bool special =
                character == '"' || character == '\\' || static_cast<unsigned char>(character) < ' ';
            result += special ? std::string(escaped) : std::string(1, character);
        }
        return result + "\"";
    }
    static std::string ids(const std::string& node, const char* part)
    {
        return "\"traceId\":\"" + id(node) + id("trace of " + node) + "\",\"spanId\":\"" + id(part + node) +
               "\"";
    }
    static std::string span(const std::string& node, const char* part, std::int64_t from, std::int64_t to,
                            const std::string& more)
    {
        return "{" + ids(node, part) + ",\"name\":" + quoted(part) + ",\"kind\":1,\"startTimeUnixNano\":\"" +
               std::to_string(from) + "\",\"endTimeUnixNano\":\"" + std::to_string(to) + "\"" + more + "}";
    }
    static std::string attribute(const char* key, std::string_view text)
    {
        return "{\"key\":" + quoted(key) + ",\"value\":{\"stringValue\":" + quoted(text) + "}}";
    }

    void end(const std::string& path, std::string_view name, const char* how)
    {
        const std::string node = path + "/" + std::string(name);
        const auto held = m_held.extract(node);
        if (!held)
            return;
        const Held& times = held.mapped();
        const std::int64_t now = nanosecondsNow();
        const std::string parent = ",\"parentSpanId\":\"" + id("lock" + node) + "\"";
        const std::string link =
            times.waitedFor.empty() ? "" : ",\"links\":[{" + ids(times.waitedFor, "hold") + "}]";
        const std::string attributes = ",\"attributes\":[" + attribute("lock.path", path) + "," +
                                       attribute("lock.token", std::to_string(times.token)) + "," +
                                       attribute("lock.end", how) + "]";
        m_write("{\"resourceSpans\":[{\"resource\":{\"attributes\":[" + attribute("service.name", m_service) +
                "]},\"scopeSpans\":[{\"scope\":{\"name\":\"lockscope\"},\"spans\":[" +
                span(node, "lock", times.called, now, attributes) + "," +
                span(node, "wait", times.called, times.granted, parent + link) + "," +
                span(node, "hold", times.granted, now, parent) + "]}]}]}");
    }

    std::string m_service;
    Write m_write;
    std::map<std::string, std::string> m_waitsFor; // the last node that each node of ours watched
    std::map<std::string, Held> m_held;
};
