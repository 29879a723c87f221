// A ZooKeeper that speaks TLS: a process of the test, with a secureClientPort beside its clientPort. Ended
// with this object, and with this process. Test thread.
#pragma once

#include "core/base/error.h"
#include "core/server/process/child_program.h"
#include "tests/support/certificates.h"

#include <boost/asio/io_context.hpp>

#include <memory>
#include <string>

namespace lockscope::tests {

class SecureServer
{
public:
    enum class Clients {
        needCertificate, // TLS 1.3 and 1.2; of the same authority as the server's
        needNone,        // TLS 1.2
    };
    // Serves on return. Error: unsupported, naming the Debian package that is missing; noServer.
    static Result<std::unique_ptr<SecureServer>> start(Authority& authority, Clients clients);

    std::string plain() const { return m_plain; } // numeric addresses
    std::string secure() const { return m_secure; }

private:
    SecureServer() = default;

    boost::asio::io_context m_io; // never run: nothing is read of the server's output
    TempFolder m_folder;
    std::string m_plain, m_secure;
    std::unique_ptr<server::ChildProgram> m_process;
};

} // namespace lockscope::tests
