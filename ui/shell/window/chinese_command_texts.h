// What stands in the menus in English, in Chinese: a command is found by both. GUI thread.
#pragma once

#include <QString>
#include <QTranslator>

namespace lockscope::ui {

class ChineseCommandTexts
{
public:
    ChineseCommandTexts();
    QString
    translate(const QString& english) const; // with its mnemonic, as in a menu; empty when it is not known

private:
    QTranslator m_translator;
};

} // namespace lockscope::ui
