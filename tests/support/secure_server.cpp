#include "tests/support/secure_server.h"

#include "core/server/probe/four_letter.h"
#include "core/server/process/free_port.h"
#include "core/server/process/java_install.h"

#include <filesystem>
#include <fstream>
#include <thread>

namespace lockscope::tests {

namespace {

// Netty is not on the class path of Debian's ZooKeeper, and its jar netty-all is empty.
Result<std::string> nettyJars()
{
    std::string all;
    for (const char* part : {"buffer", "codec", "common", "handler", "resolver", "transport",
                             "transport-native-unix-common", "transport-native-epoll"}) {
        const std::string jar = std::string("/usr/share/java/netty-") + part + ".jar";
        if (!std::filesystem::exists(jar))
            return Error{ErrorCode::unsupported, jar + " is missing (package libnetty-java)", {}};
        all += ":" + jar;
    }
    return all;
}

} // namespace

Result<std::unique_ptr<SecureServer>> SecureServer::start(Authority& authority, Clients clients)
{
    const Result<server::JavaInstall> java = server::findJavaInstall({});
    const Result<std::string> netty = nettyJars();
    if (!java || !netty)
        return java ? netty.error() : java.error();
    const Result<std::uint16_t> plain = server::pickFreePort(), secure = server::pickFreePort();
    if (!plain || !secure)
        return plain ? secure.error() : plain.error();
    std::unique_ptr<SecureServer> made(new SecureServer);
    made->m_plain = "127.0.0.1:" + std::to_string(*plain);
    made->m_secure = "127.0.0.1:" + std::to_string(*secure);
    const std::string folder = made->m_folder.path().string();
    const bool need = clients == Clients::needCertificate;
    std::ofstream(folder + "/zoo.cfg")
        << "dataDir=" << folder << "/data\nclientPort=" << *plain
        << "\nclientPortAddress=127.0.0.1\nsecureClientPort=" << *secure
        << "\nsecureClientPortAddress=127.0.0.1\nserverCnxnFactory="
           "org.apache.zookeeper.server.NettyServerCnxnFactory\nssl.keyStore.type=PEM\nssl.trustStore.type="
           "PEM\nssl.keyStore.location="
        << authority.issue({.name = "server"}) << "\nssl.trustStore.location=" << authority.certificate()
        << (need ? "\nssl.clientAuth=need\nssl.protocol=TLSv1.3\nssl.enabledProtocols=TLSv1.2,TLSv1.3"
                   "\nssl.ciphersuites=TLS_AES_128_GCM_SHA256,TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"
                 : "\nssl.clientAuth=none\nssl.protocol=TLSv1.2")
        << "\ntickTime=500\nmaxClientCnxns=0\nadmin.enableServer=false"
           "\n4lw.commands.whitelist=srvr,cons,dump,wchp\n";
    server::ChildProgram::Options options;
    options.silent = true;
    options.command = {java->java.string(),
                       "-XX:+UseSerialGC",
                       "-XX:TieredStopAtLevel=1",
                       "-Xmx512m",
                       "-XX:-UsePerfData",
                       "-Djava.net.preferIPv4Stack=true",
                       "-Djava.io.tmpdir=" + folder,
                       "-Dzookeeper.forceSync=no",
                       "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
                       "-cp",
                       java->classPath + *netty,
                       "org.apache.zookeeper.server.quorum.QuorumPeerMain",
                       folder + "/zoo.cfg"};
    Result<std::unique_ptr<server::ChildProgram>> process =
        server::ChildProgram::start(made->m_io, options, {});
    if (!process)
        return process.error();
    made->m_process = std::move(*process);
    const MonotonicTime deadline = monotonicNow() + std::chrono::minutes(2);
    while (monotonicNow() < deadline) {
        const Result<std::string> answer =
            server::sendFourLetterWord(made->m_plain, "srvr", std::chrono::seconds(1));
        if (answer && answer->find("Mode: ") != std::string::npos)
            return made;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return Error{ErrorCode::noServer, "The server with TLS does not start", {}};
}

} // namespace lockscope::tests
