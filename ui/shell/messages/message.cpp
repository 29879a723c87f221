#include "ui/shell/messages/message.h"

#include "ui/texts/core_messages.h"

namespace lockscope::ui {

UserMessage errorMessage(const QString& key, const Error& error)
{
    return {.key = key,
            .kind = UserMessage::Kind::error,
            .text = [error] { return errorText(error).text; },
            .hint = [error] { return errorText(error).hint; }};
}

} // namespace lockscope::ui
