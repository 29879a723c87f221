// The texts of lessons in the language of the window. Any thread.
#pragma once

#include "core/lesson/lesson.h"

#include <QString>

namespace lockscope::ui {

QString plainText(const lesson::Text& text);
// As rich text with paragraphs, *emphasis* in bold and links for terms. Everything else is escaped.
QString richText(const lesson::Text& text);

} // namespace lockscope::ui
