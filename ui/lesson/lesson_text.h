// The texts of lessons in the language of the window. Any thread.
#pragma once

#include "core/lesson/lesson.h"

#include <QString>

namespace lockscope::ui {

QString plainText(const lesson::Text& text);
// For a rich text: paragraphs, and *emphasis* in bold. Everything else is escaped.
QString richText(const lesson::Text& text);

} // namespace lockscope::ui
