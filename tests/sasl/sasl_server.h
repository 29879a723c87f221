// Servers with SASL for the tests of this folder, and lockscope-cli against them.
#pragma once

#include "core/zk/hub.h"
#include "tests/integration/child.h"
#include "tests/server/started_server.h"
#include "tests/support/zk_world.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace lockscope::tests {

// A private ZooKeeper whose JAAS file has this section Server. The folder must outlive it.
inline std::unique_ptr<server::ManagedServer>
startWithSasl(const TempFolder& folder, const std::string& login, const std::string& more = {})
{
    static int number = 0;
    const std::string name = folder / ("server" + std::to_string(++number)).c_str();
    std::ofstream(name + ".jaas") << "Server {\n" << login << ";\n};\n";
    std::ofstream(name) << "#!/bin/sh\nexec java -Djava.security.auth.login.config=" << name
                        << ".jaas -Dzookeeper.authProvider.1=org.apache.zookeeper.server.auth."
                           "SASLAuthenticationProvider -Dzookeeper.fips-mode=false "
                        << more << " \"$@\"\n";
    std::filesystem::permissions(name, std::filesystem::perms::owner_all);
    server::ManagedServer::Options options;
    options.java.java = name;
    return server::testing::startOrFail(options);
}

// Makes a node that only this identity of the scheme sasl may read.
inline void makeSecretNode(server::ManagedServer& server, const std::string& path, const std::string& user)
{
    ZkWorld world(server);
    zk::ConnectOptions options{server.address(), std::chrono::seconds(30)};
    options.acl = {{zk::kReadPermission, "sasl", user}};
    const HubSessionPtr writer = world.connecting(options);
    ASSERT_TRUE(world.waitFor(*writer, zk::SessionPhase::connected));
    EXPECT_EQ(world.create(*writer, path).code, zk::Code::ok);
}

struct Printed
{
    int code = -1;
    std::string output, errors;
};

inline Printed runCli(const std::vector<std::string>& arguments)
{
    test::Child child(LOCKSCOPE_CLI, arguments);
    const int code = child.wait();
    return {code, child.output(), child.errors()};
}

// What `who` says of a path; 1: nobody holds a lock there, 5: it may not be read.
inline Printed askWho(const std::string& path, const std::string& address, std::vector<std::string> how)
{
    how.insert(how.begin(), {"who", path, "--connect", address});
    return runCli(how);
}

} // namespace lockscope::tests
