// What an export gives as one text, and a run with everything in it to be exported.
#pragma once

#include "core/exports/folded_trace.h"
#include "tests/support/sample_run.h"

#include <memory>
#include <string>

namespace lockscope::tests {

template <class Export>
std::string exported(const trace::TraceStore& store, Export what)
{
    std::string text;
    const exports::ExportSink out{[&](std::string_view piece) {
        text += piece;
        return true;
    }};
    return what(exports::ExportSource{store, store.count()}, out) ? text : "not whole";
}

inline std::shared_ptr<trace::TraceStore> eventfulRun()
{
    SampleOptions options;
    options.clients = 8;
    options.killHolderAtGrant = 10;
    options.suspendWaiterAtGrant = 20;
    options.freezeHolderAtGrant = 30;
    options.foreignAtGrant = 25;
    return sampleRun(options);
}

// An unlikely name, but a permitted one.
inline constexpr const char* kHostileName = "=cmd|'/c'!A1,\"<script>alert(1)</script>\n\u202e";

inline std::shared_ptr<trace::TraceStore> hostileRun()
{
    auto store = std::make_shared<trace::TraceStore>(trace::Header{kHostileName, kHostileName, "", 1, 0, 0});
    const auto add = [&](ClientId client, trace::Payload what) {
        trace::Event event;
        event.at = Duration(1000 * static_cast<Duration::rep>(store->count()));
        event.client = client;
        event.lock = LockId{0};
        event.what = what;
        store->append(event);
    };
    add(ClientId::none(), trace::LockAdded{kHostileName, kHostileName, kHostileName});
    for (const ClientId client : {ClientId{0}, ClientId{1}})
        add(client, trace::ClientAdded{kHostileName, 0, kHostileName});
    add(ClientId{0}, trace::Acquired{kHostileName, Zxid{1}, OwnerId{0}});
    add(ClientId{1}, trace::AcquireCalled{OwnerId{0}});
    add(ClientId{1}, trace::WatchFired{trace::WatchKind::deleted, "\xff\xfe broken"});
    add(ClientId{0}, trace::Command{kHostileName, kHostileName});
    return store;
}

} // namespace lockscope::tests
