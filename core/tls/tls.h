// TLS (1.2 and 1.3) for connections to ZooKeeper: what a user gives, and what every connection takes of it.
// The files are read once; no session of an ensemble reads them again, and nothing of their content is in a
// message, a log or a trace. Plain values; any thread.
#pragma once

#include "core/base/error.h"

#include <map>
#include <memory>
#include <string>

namespace lockscope::tls {

// Files in PEM.
struct Options
{
    std::string ca{};          // the authorities to trust; empty: those of this system
    std::string certificate{}; // ours, with those between it and its authority; empty: none is shown
    std::string key{};         // of our certificate, not encrypted; empty: it is in the same file
    bool checkHostName = true; // the server's certificate must be for the host's name or address
};

class Context;
using ContextPtr = std::shared_ptr<const Context>;

// Error: badUsage, with the file and what is wrong with it.
Result<ContextPtr> load(const Options& options);

// How the connections to an ensemble are secured.
struct Security
{
    ContextPtr context{};                       // none: in plain text
    std::map<std::string, std::string> names{}; // by address: the name under which it was found

    bool isOn() const { return context != nullptr; }
    // Whose certificate the server at this address (numeric HOST:PORT) must show: the name, otherwise the
    // number.
    std::string hostOf(const std::string& address) const;
};

} // namespace lockscope::tls
