// A realm of Kerberos for a test: its own KDC on a free loopback port, in a folder that goes with it. For
// programs that find KRB5_CONFIG and KRB5CCNAME in their environment. Test thread.
#pragma once

#include "core/base/error.h"
#include "core/server/process/child_program.h"
#include "tests/support/temp_folder.h"

#include <boost/asio/io_context.hpp>

#include <memory>
#include <string>

namespace lockscope::tests {

class KerberosRealm
{
public:
    // The KDC answers on return. Error: unsupported, naming the Debian package that is missing; noServer.
    static Result<std::unique_ptr<KerberosRealm>> start();

    std::string config() const { return m_folder / "krb5.conf"; }
    // A file with the key of this principal, which is made.
    std::string keyOf(const std::string& principal);
    void changeKeyOf(const std::string& principal); // no file has the new one
    // A file with a ticket of this principal, which must have been made.
    std::string ticketOf(const std::string& principal);
    void stop() { m_kdc.reset(); }

private:
    KerberosRealm() = default;
    bool run(const std::string& command);
    bool getTicket(const std::string& principal);

    boost::asio::io_context m_io; // never run: nothing is read of the KDC's output
    TempFolder m_folder;
    std::unique_ptr<server::ChildProgram> m_kdc;
};

} // namespace lockscope::tests
