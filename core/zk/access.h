// The access control list (ACL) of the nodes that a session creates, and the credentials of the session.
// Plain values.
#pragma once

#include "core/base/error.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace lockscope::zk {

// Bits of AclEntry::permissions, with the numbers of ZooKeeper.
inline constexpr std::uint32_t kReadPermission = 1;
inline constexpr std::uint32_t kWritePermission = 2;
inline constexpr std::uint32_t kCreatePermission = 4;
inline constexpr std::uint32_t kDeletePermission = 8;
inline constexpr std::uint32_t kAdminPermission = 16;
inline constexpr std::uint32_t kAllPermissions = 31;

struct AclEntry
{
    std::uint32_t permissions = kAllPermissions;
    std::string scheme; // "world", "auth", "digest", "ip", ...
    std::string id;     // "anyone" for world; empty for auth; "USER:BASE64(SHA1(USER:PASSWORD))" for digest
};
using Acl = std::vector<AclEntry>;

Acl openAcl(); // everyone has all permissions
// Only clients with a credential of the creating session have permissions (all of them). The session needs at
// least one credential.
Acl creatorAllAcl();

// A proof of identity that every connection of a session sends before its first request.
struct Credential
{
    std::string scheme; // "digest"
    // Returns the proof ("USER:PASSWORD" for digest), or an error. Called on the scheduler thread whenever a
    // session is opened, so that a secret may change, and once by lock::Client::connect() on the calling
    // thread. It should not block for long. The result is passed to ZooKeeper and neither logged nor
    // recorded; the copy is overwritten afterwards.
    std::function<Result<std::string>()> proof;

    static Credential digest(std::function<Result<std::string>()> proof);
    // The proof is the first line of this file. Error: badInput when the line cannot be read or is not
    // USER:PASSWORD; the message contains only the name of the file.
    static Credential digestFile(std::string path);
};

// Overwrites the bytes of a secret, so that they do not stay in freed memory.
void overwriteSecret(std::string& secret);

} // namespace lockscope::zk
