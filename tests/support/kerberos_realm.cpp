#include "tests/support/kerberos_realm.h"

#include "core/base/time.h"
#include "core/server/process/free_port.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

namespace lockscope::tests {

namespace {

constexpr const char* kRealm = "LOCKSCOPE.TEST";

std::string fileName(std::string principal)
{
    std::ranges::replace(principal, '/', '-');
    return principal;
}

} // namespace

bool KerberosRealm::run(const std::string& command)
{
    const std::string folder = m_folder.path().string();
    return std::system(("KRB5_CONFIG=" + config() + " KRB5_KDC_PROFILE=" + folder + "/kdc.conf " + command +
                        " >>" + folder + "/log 2>&1")
                           .c_str()) == 0;
}

Result<std::unique_ptr<KerberosRealm>> KerberosRealm::start()
{
    for (const auto& [program, package] : {std::pair("/usr/sbin/krb5kdc", "krb5-kdc"),
                                           {"/usr/sbin/kadmin.local", "krb5-admin-server"},
                                           {"/usr/bin/kinit", "krb5-user"}})
        if (!std::filesystem::exists(program))
            return Error{
                ErrorCode::unsupported, std::string(program) + " is missing (package " + package + ")", {}};
    const Result<std::uint16_t> port = server::pickFreePort();
    if (!port)
        return port.error();
    std::unique_ptr<KerberosRealm> made(new KerberosRealm);
    const std::string folder = made->m_folder.path().string(), address = "127.0.0.1:" + std::to_string(*port);
    std::ofstream(made->config()) << "[libdefaults]\ndefault_realm=" << kRealm
                                  << "\ndns_lookup_realm=false\ndns_lookup_kdc=false\nrdns=false"
                                     "\ndns_canonicalize_hostname=false\nudp_preference_limit=1"
                                     "\n[realms]\n"
                                  << kRealm << "={\nkdc=" << address
                                  << "\n}\n[domain_realm]\nlocalhost=" << kRealm << "\n127.0.0.1=" << kRealm
                                  << "\n";
    std::ofstream(folder + "/kdc.conf")
        << "[kdcdefaults]\nkdc_listen=" << address << "\nkdc_tcp_listen=" << address << "\n[realms]\n"
        << kRealm << "={\ndatabase_name=" << folder << "/principal\nkey_stash_file=" << folder
        << "/stash\nmax_life=1h\n}\n[logging]\nkdc=FILE:" << folder << "/kdc.log\n";
    if (!made->run(std::string("/usr/sbin/kdb5_util create -s -P master -r ") + kRealm))
        return Error{ErrorCode::noServer, "The KDC's database cannot be made", {}};
    server::ChildProgram::Options options;
    options.silent = true;
    options.command = {"/usr/sbin/krb5kdc", "-n", "-P", folder + "/pid", "-r", kRealm};
    options.environment = {"KRB5_CONFIG=" + made->config(), "KRB5_KDC_PROFILE=" + folder + "/kdc.conf"};
    auto kdc = server::ChildProgram::start(made->m_io, options, {});
    if (!kdc)
        return kdc.error();
    made->m_kdc = std::move(*kdc);
    made->keyOf("first");
    const MonotonicTime deadline = monotonicNow() + std::chrono::minutes(2);
    while (monotonicNow() < deadline) {
        if (made->getTicket("first"))
            return made;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return Error{ErrorCode::noServer, "The KDC does not start", {}};
}

std::string KerberosRealm::keyOf(const std::string& principal)
{
    const std::string file = m_folder / (fileName(principal) + ".keytab").c_str();
    run("/usr/sbin/kadmin.local -q 'addprinc -randkey " + principal + "'");
    run("/usr/sbin/kadmin.local -q 'ktadd -k " + file + " " + principal + "'");
    return file;
}

void KerberosRealm::changeKeyOf(const std::string& principal)
{
    run("/usr/sbin/kadmin.local -q 'cpw -randkey " + principal + "'");
}

bool KerberosRealm::getTicket(const std::string& principal)
{
    const std::string file = m_folder / fileName(principal).c_str();
    return run("kinit -c " + file + ".ticket -k -t " + file + ".keytab " + principal);
}

std::string KerberosRealm::ticketOf(const std::string& principal)
{
    getTicket(principal);
    return m_folder / (fileName(principal) + ".ticket").c_str();
}

} // namespace lockscope::tests
