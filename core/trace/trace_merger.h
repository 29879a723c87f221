// Makes one run of the traces of several machines, and of transaction logs of the servers (traces that
// history::HistoryTraceBuilder made). Reads every file twice: once for the clocks, the sessions and the
// locks, once for the events, which it yields one by one in the order of the aligned clocks. Memory is
// bounded: it does not grow with the events, but with clients, sessions and locks.
// - A lock is one by its path, a client by a session that two traces name, if both name sessions with the
// same key.
// - Clocks: see clock_alignment.h. Notices at the beginning, with the code "clock_aligned", say for each
// trace but the
//   first how its times were shifted and how far that may be wrong; one with "clock_certain", how far apart
//   two events of different traces must be to be in a certain order. Their text_message has the numbers.
// - The causes that were recorded in one trace are kept; a watch that fired for a delete in another gets its
// cause.
// - What several traces say of the same lock's nodes on the server is taken from one of them: from a log if
// there is
//   one, else from the one that read most lists.
// - Where a trace ends before its run, a Command "gap" and a notice name it. Nothing is known of its clients
// from there on: each is
//   suspended and removed, and the merged run has no end.
// One thread.
#pragma once

#include "core/trace/clock_alignment.h"
#include "core/trace/trace_stream.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lockscope::trace {

struct MergedSource
{
    std::string name;
    bool isLog = false;
    std::uint64_t events = 0;
    std::uint32_t clients = 0;
    std::uint32_t joined = 0; // of them, those that an earlier source has too
    AlignedClock clock;
    Message gap{};         // why its end is missing; empty: it is whole
    bool isSample = false; // the clock was bounded by a sample of its nodes
};

class TraceMerger
{
public:
    struct Input
    {
        std::filesystem::path path;
        std::string name{}; // of a trace of logs; others are named by namesOf()
    };
    // Makes a trace of the servers' logs, with these locks (paths).
    using LogTrace = std::function<Result<Input>(const std::vector<std::string>& locks)>;
    // `withTraces`: every client is named by its trace too, "host1/ada"; otherwise if two have the same name.
    enum class Names { whereNeeded, withTraces };
    // Reads all inputs once, and then what `log` makes. `progress` must outlive the merger. Errors: those of
    // loadTrace() and of `log`; badInput if clocks cannot be bounded or contradict each other, if the same
    // trace is given twice, or if some have real session ids and others have not.
    static Result<std::unique_ptr<TraceMerger>> create(const std::vector<Input>& inputs,
                                                       const LogTrace& log = {},
                                                       LoadProgress* progress = nullptr,
                                                       Names names = Names::whereNeeded);
    ~TraceMerger();

    // Without folder and ending; those of the same name are told apart by their folders.
    static std::vector<std::string> namesOf(const std::vector<std::filesystem::path>& traces);
    const Header& header() const;
    // The next event, valid until the next call; null at the end.
    Result<const Event*> next();
    const std::vector<MergedSource>& sources() const;
    TraceTime certainAfter() const;
    std::uint64_t forgottenCauses() const; // causes so long before their effects that they are left out

private:
    struct Impl;
    explicit TraceMerger(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace lockscope::trace
