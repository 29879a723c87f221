#include "ui/shell/message.h"

#include "ui/models/core_errors.h"

namespace lockscope::ui {

Message errorMessage(const QString& key, const Error& error)
{
    return {.key = key,
            .kind = Message::Kind::error,
            .text = [error] { return errorWords(error).text; },
            .hint = [error] { return errorWords(error).hint; }};
}

} // namespace lockscope::ui
