#include "ui/shell/window/language_menu.h"

#include "ui/models/style/command_table.h"
#include "ui/models/style/retranslate.h"
#include "ui/shell/window/language.h"

#include <QActionGroup>

#include <array>
#include <utility>

namespace lockscope::ui {

namespace {

// Each in its own language, plus English for users who search for it by typing; never translated.
const std::array<std::pair<QString, QString>, 2> kLanguages{
    {{QStringLiteral("en"), QStringLiteral("English")},
     {QStringLiteral("zh_CN"), QStringLiteral("简体中文 (Simplified Chinese)")}}};

} // namespace

LanguageMenu::LanguageMenu(Language* language, Settings settings, QWidget* parent)
    : QMenu(parent)
    , m_language(language)
    , m_settings(settings)
    , m_system(add({}))
{
    setObjectName("languageMenu");
    auto* group = new QActionGroup(this);
    group->addAction(m_system);
    for (const auto& [code, name] : kLanguages) {
        QAction* action = add(code);
        action->setText(name);
        group->addAction(action);
    }
    onRetranslate(this, [this] {
        setTitle(MenuTexts::tr("&Language"));
        m_system->setText(MenuTexts::tr("&System Language"));
        for (QAction* action : actions()) {
            action->setStatusTip(tr("Changes the language of the window. The run continues."));
        }
    });
    connect(language, &Language::changed, this, &LanguageMenu::showChosen);
    showChosen();
}

QList<QAction*> LanguageMenu::languages() const
{
    QList<QAction*> all = actions();
    all.removeOne(m_system);
    return all;
}

QString LanguageMenu::kept(const Settings& store)
{
    const QString code = store.get(settings::kLanguage);
    for (const auto& [known, name] : kLanguages) {
        if (code == known) {
            return code;
        }
    }
    return {};
}

QAction* LanguageMenu::add(const QString& code)
{
    QAction* action = addAction(QString());
    action->setObjectName("language." + (code.isEmpty() ? QStringLiteral("system") : code));
    action->setData(code);
    action->setCheckable(true);
    connect(action, &QAction::triggered, this, [this, code] { choose(code); });
    return action;
}

void LanguageMenu::choose(const QString& code)
{
    m_language->use(code);
    m_settings.set(settings::kLanguage, code);
}

void LanguageMenu::showChosen()
{
    for (QAction* action : actions()) {
        action->setChecked(action->data().toString() == m_language->code());
    }
}

} // namespace lockscope::ui

#include "moc_language_menu.cpp"
