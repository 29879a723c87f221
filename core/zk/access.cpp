#include "core/zk/access.h"

#include <fstream>
#include <utility>

#include <string.h>

namespace lockscope::zk {

Acl openAcl() { return {{kAllPermissions, "world", "anyone"}}; }

Acl creatorAllAcl() { return {{kAllPermissions, "auth", ""}}; }

Credential Credential::digest(std::function<Result<std::string>()> proof)
{
    return {"digest", std::move(proof)};
}

Credential Credential::digestFile(std::string path)
{
    return digest([path = std::move(path)]() -> Result<std::string> {
        std::ifstream file(path);
        std::string line;
        if (!std::getline(file, line))
            return Error{ErrorCode::badInput, message("The credentials in %1 cannot be read.", path),
                         message("The file must exist, be readable and begin with a line USER:PASSWORD.")};
        if (!line.empty() && line.back() == '\r')
            line.pop_back();
        const std::size_t colon = line.find(':');
        if (colon == 0 || colon == std::string::npos)
            return Error{
                ErrorCode::badInput, message("The first line of %1 is not USER:PASSWORD.", path), {}};
        return line;
    });
}

void overwriteSecret(std::string& secret) { ::explicit_bzero(secret.data(), secret.size()); }

} // namespace lockscope::zk
