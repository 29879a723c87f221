#include "ui/shell/window/chinese_command_texts.h"

#include <array>

namespace lockscope::ui {

namespace {

// The translation contexts of texts in menus.
constexpr std::array kContexts = {"lockscope::ui::Actions",
                                  "lockscope::ui::ClientsView",
                                  "lockscope::ui::DockCard",
                                  "lockscope::ui::ExportController",
                                  "lockscope::ui::InspectorView",
                                  "lockscope::ui::LanguageMenu",
                                  "lockscope::ui::LessonController",
                                  "lockscope::ui::LogView",
                                  "lockscope::ui::MainWindow",
                                  "lockscope::ui::RunBar",
                                  "lockscope::ui::StepMenu",
                                  "lockscope::ui::TimelineMenu",
                                  "lockscope::ui::TimelineCanvas",
                                  "lockscope::ui::TimelineView",
                                  "lockscope::ui::FaultMenu",
                                  "Charts",
                                  "FaultTexts",
                                  "Menus",
                                  "Views"};

} // namespace

ChineseCommandTexts::ChineseCommandTexts()
{
    (void)m_translator.load(QStringLiteral("lockscope_zh_CN"), QStringLiteral(":/translations"));
}

QString ChineseCommandTexts::translate(const QString& english) const
{
    const QByteArray source = english.section(u'\t', 0, 0).toUtf8(); // a shortcut may follow the tab
    for (const char* context : kContexts) {
        if (const QString found = m_translator.translate(context, source.constData()); !found.isEmpty()) {
            return found;
        }
    }
    // A command that opens a dialog may be a card's title with an ellipsis.
    return english.endsWith(u'…') ? translate(english.chopped(1)) : QString();
}

} // namespace lockscope::ui
