// Translates English command texts to Chinese, so that a command is found in either language. GUI thread.
#pragma once

#include <QString>
#include <QTranslator>

namespace lockscope::ui {

class ChineseCommandTexts
{
public:
    ChineseCommandTexts();
    QString
    translate(const QString& english) const; // `english`: a menu text with its mnemonic; empty if unknown

private:
    QTranslator m_translator;
};

} // namespace lockscope::ui
