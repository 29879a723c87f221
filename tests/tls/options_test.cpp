// What is said of files that cannot be used: the file, what is wrong with it, and nothing of what is in it.
#include "core/tls/tls.h"
#include "core/zk/hosts.h"
#include "tests/support/certificates.h"

#include <gmock/gmock.h>

namespace lockscope::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string mistakeIn(const tls::Options& options)
{
    const Result<tls::ContextPtr> loaded = tls::load(options);
    if (loaded)
        return "none";
    EXPECT_EQ(loaded.error().code, ErrorCode::badUsage);
    return loaded.error().text();
}

TEST(TlsOptions, TakeACertificateWithItsKeyInOneFileOrInTwo)
{
    Authority authority("Test CA");
    const std::string both = authority.issue({.name = "client"});
    EXPECT_EQ(mistakeIn({.ca = authority.certificate(), .certificate = both}), "none");
    EXPECT_EQ(mistakeIn({.ca = authority.certificate(), .certificate = both, .key = both}), "none");
    EXPECT_EQ(mistakeIn({}), "none") << "the authorities of the system";
}

TEST(TlsOptions, NameTheFileThatCannotBeUsed)
{
    Authority authority("Test CA");
    const std::string ours = authority.issue({.name = "client"});
    const std::string others = authority.issue({.name = "another"});
    const std::string locked = authority.issue({.name = "client", .password = "open sesame"});
    const std::string text = authority.file("text.pem", "neither a certificate nor a key: hush\n");
    const std::string nothing = authority.file("empty.pem", "");
    const std::string missing = (authority.folder() / "missing.pem").string();
    const std::string folder = authority.folder().path().string();

    EXPECT_THAT(mistakeIn({.ca = missing}), HasSubstr(missing + " cannot be read: No such file"));
    EXPECT_THAT(mistakeIn({.ca = folder}), HasSubstr(folder + " cannot be read: Is a directory"));
    EXPECT_THAT(mistakeIn({.ca = nothing}), HasSubstr(nothing + " is empty"));
    EXPECT_THAT(mistakeIn({.ca = text}), HasSubstr("The certificate in " + text + " cannot be used"));
    EXPECT_THAT(mistakeIn({.certificate = text}),
                HasSubstr("The certificate in " + text + " cannot be used"));
    EXPECT_THAT(mistakeIn({.certificate = missing, .key = ours}), HasSubstr(missing + " cannot be read"));
    EXPECT_THAT(mistakeIn({.certificate = ours, .key = missing}), HasSubstr(missing + " cannot be read"));
    EXPECT_THAT(mistakeIn({.key = ours}), HasSubstr("but no certificate"));
    EXPECT_THAT(mistakeIn({.certificate = ours, .key = authority.certificate()}),
                HasSubstr("There is no private key in " + authority.certificate()));
    EXPECT_THAT(mistakeIn({.certificate = ours, .key = others}),
                HasSubstr("The key in " + others + " does not belong to the certificate in " + ours));
    EXPECT_THAT(mistakeIn({.certificate = locked}),
                AllOf(HasSubstr("The key in " + locked + " is encrypted"), HasSubstr("openssl pkey -in")));
    EXPECT_THAT(mistakeIn({.ca = text}), Not(HasSubstr("hush")));
}

TEST(TlsOptions, ComeFromTheSchemeToo)
{
    const auto parts = zk::splitChroot("tls://zk1:2281,zk2:2281/app");
    EXPECT_TRUE(parts.tls);
    EXPECT_EQ(parts.servers, "zk1:2281,zk2:2281");
    EXPECT_EQ(parts.chroot, "/app");
    EXPECT_EQ(zk::splitChroot("tls://zk1:2281,tls://zk2:2281").servers, "zk1:2281,zk2:2281");
    EXPECT_FALSE(zk::splitChroot("zk1:2281/tls://").tls);
    EXPECT_FALSE(zk::resolveHosts("zk1:2281,tls://zk2:2281")) << "some in TLS and some not";
}

TEST(TlsOptions, KeepTheNameByWhichAnAddressWasFound)
{
    const auto found =
        zk::resolveEveryHost("zk1:2281,zk1:2282,10.0.0.9:1,[::1]:2", [](const std::string& host) {
            return host == "zk1"
                       ? Result<std::vector<std::string>>(std::vector<std::string>{"10.0.0.1", "fd00::1"})
                       : Result<std::vector<std::string>>(std::vector<std::string>{host});
        });
    ASSERT_TRUE(found);
    const tls::Security security{{}, found->names};
    EXPECT_EQ(security.hostOf("10.0.0.1:2281"), "zk1");
    EXPECT_EQ(security.hostOf("[fd00::1]:2282"), "zk1");
    EXPECT_EQ(security.hostOf("10.0.0.9:1"), "10.0.0.9");
    EXPECT_EQ(security.hostOf("[::1]:2"), "::1");
    EXPECT_EQ(tls::Security{}.hostOf("[::1]:2"), "::1") << "without a name, the number";
}

} // namespace
} // namespace lockscope::tests
