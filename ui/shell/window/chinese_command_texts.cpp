#include "ui/shell/window/chinese_command_texts.h"

#include <array>

namespace lockscope::ui {

namespace {

// Whose words stand in menus.
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
    const QByteArray source = english.section(u'\t', 0, 0).toUtf8(); // after it stands a key
    for (const char* context : kContexts) {
        if (const QString found = m_translator.translate(context, source.constData()); !found.isEmpty()) {
            return found;
        }
    }
    // The title of a card, in the name of a command that asks something.
    return english.endsWith(u'…') ? translate(english.chopped(1)) : QString();
}

} // namespace lockscope::ui
