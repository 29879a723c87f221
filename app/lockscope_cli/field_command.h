// lockscope-cli watch and who: watch the locks of other programs on a live ensemble, without changing
// anything. lockscope-cli free, which deletes one node, begins with what who reads.
#pragma once

#include "core/base/error.h"
#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/field/flight_recorder.h"
#include "core/field/save_triggers.h"
#include "core/field/snapshot.h"
#include "core/field/watch_options.h"
#include "core/tls/tls.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lockscope::app {

struct FieldTarget
{
    std::string connect; // addresses, names, a chroot
    tls::Security security{};
    std::vector<std::string> paths;                                 // of locks or of trees
    std::vector<std::pair<std::string, std::string>> credentials{}; // scheme and proof
    zk::wire::SaslOptions sasl{};
    std::vector<std::string> logs{}; // of one of the servers: show how holds ended and when they began
};

struct WatchArguments : FieldTarget
{
    std::optional<Duration> duration{}; // none: until interrupted
    std::string reportFile, traceFile;
    std::optional<field::FlightRecorder::Options> record{}; // without what the sessions are called
    std::vector<field::SaveTrigger> saveOn{};
    std::vector<std::string> onVerdict{}; // a program and its arguments; empty: none
    std::string metrics{};                // where to serve them, HOST:PORT in numbers; empty: nowhere
    std::string sessionKey{};             // for the names of sessions in files; empty: a random key
    bool realSessionIds = false;          // in written files
    bool quiet = false;
    bool tui = false; // a full screen instead of lines
};

struct WhoArguments : FieldTarget // of one lock
{
    bool json = false;
};

struct FreeArguments : FieldTarget // of one lock, or of one node of it
{
    std::optional<Zxid> yes{}; // the node's czxid: it is deleted without a question
};

// Return the exit code; report errors on standard error.
int runWatch(const WatchArguments& arguments);
int runWho(const WhoArguments& arguments);
int runFree(const FreeArguments& arguments);

// ---- what who and free have in common ------------------------------------------------------------------

inline constexpr int kNotPermitted = 5;
int failed(const Error& error); // reports it; the exit code

// Resolves the names of the servers. `signals`: of openEndSignals().
Result<field::WatchOptions> readingOptions(const FieldTarget& target, int signals);
// Reads the paths of `options` once, with one poll of the servers. Error: why they were not read; cancelled
// without a text.
Result<field::SnapshotPtr> readOnce(field::WatchOptions options, const FieldTarget& arguments, int signals);

} // namespace lockscope::app
