#include "app/options/sasl_options.h"

#include "app/options/values.h"

namespace lockscope::app {

using zk::wire::SaslMechanism;

void addSasl(CLI::App& command, zk::wire::SaslOptions& out)
{
    CLI::Option* sasl =
        command
            .add_option_function<std::string>(
                "--sasl",
                [&out](const std::string& text) { out.mechanism = zk::wire::saslMechanismFrom(text); },
                "Authenticate by SASL: with a user and a password, or with the Kerberos ticket that kinit "
                "got")
            ->type_name("digest-md5|gssapi")
            ->check([](const std::string& text) {
                return zk::wire::saslMechanismFrom(text) ? "" : unexpected(text, "digest-md5 or gssapi");
            });
    command
        .add_option("--sasl-file", out.file,
                    "For digest-md5: a file whose first line is USER:PASSWORD. It is read again at every "
                    "connect")
        ->type_name("FILE")
        ->needs(sasl);
    command
        .add_option("--sasl-service", out.service,
                    "For gssapi: the first part of the servers' principals SERVICE/HOST@REALM. By default "
                    "zookeeper")
        ->type_name("SERVICE")
        ->needs(sasl);
}

Result<void> checkSasl(const CLI::App& command, const zk::wire::SaslOptions& given)
{
    if (!given.mechanism)
        return {};
    for (const auto& [option, of] : {std::pair("--sasl-file", SaslMechanism::digestMd5),
                                     std::pair("--sasl-service", SaslMechanism::gssapi)})
        if (command.count(option) > 0 && *given.mechanism != of)
            return Error{ErrorCode::badUsage,
                         std::string(option) + " has no effect: it goes with --sasl " +
                             zk::wire::nameOf(of).option + ".",
                         ""};
    return zk::wire::checkSasl(given);
}

Error noSasl(const std::string& argument)
{
    return Error{ErrorCode::badUsage,
                 argument.substr(0, argument.find('=')) +
                     ": ZooKeeper's C client library, which this command uses, has no SASL.",
                 "Use another identity: a certificate (--cert and --key, x509 in the ACL), or digest. "
                 "lockscope-cli watch, lockscope-cli who and lockscope watch take --sasl."};
}

} // namespace lockscope::app
