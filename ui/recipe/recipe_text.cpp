#include "ui/recipe/recipe_text.h"

#include "ui/models/style/theme.h"
#include "ui/texts/core_messages.h"

namespace lockscope::ui {

namespace {

constexpr int kLevel = 18; // the indentation of a line

} // namespace

QString algorithmHtml(const explore::BuiltRecipe& recipe, std::optional<explore::Choice> marked,
                      const Palette& palette)
{
    QString html;
    for (const explore::RecipeLine& line : explore::algorithmOf(recipe)) {
        const QString code = QString::fromStdString(line.code).toHtmlEscaped();
        QString text = line.isTitle ? QStringLiteral("<b>%1</b>").arg(code) : code;
        if (const QString comment = translateMessage(line.comment); !comment.isEmpty())
            text += QStringLiteral(" <span style='color:%1'>// %2</span>")
                        .arg(palette.textMuted.name(), comment.toHtmlEscaped());
        const bool isMarked = line.from && line.from == marked;
        html += QStringLiteral("<p style='margin:1px 0 1px %1px;%2'>%3</p>")
                    .arg(line.indent * kLevel)
                    .arg(isMarked ? QStringLiteral("background-color:%1;").arg(palette.selection.name())
                                  : QString(),
                         text);
    }
    return html;
}

} // namespace lockscope::ui
