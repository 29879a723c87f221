#include "ui/models/style/retranslate.h"

#include <QEvent>
#include <QLocale>

#include <utility>

namespace lockscope::ui {

namespace {

// An event filter, since most widgets would otherwise override changeEvent() for this alone.
class LanguageListener : public QObject
{
public:
    LanguageListener(QObject* receiver, std::function<void()> act)
        : QObject(receiver)
        , m_act(std::move(act))
    {
        receiver->installEventFilter(this);
    }

    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (watched == parent() && event->type() == QEvent::LanguageChange)
            m_act();
        return false;
    }

private:
    std::function<void()> m_act;
};

} // namespace

bool isChinese() { return QLocale().language() == QLocale::Chinese; }

void onLanguageChange(QObject* receiver, std::function<void()> act)
{
    new LanguageListener(receiver, std::move(act));
}

void onRetranslate(QObject* receiver, std::function<void()> setTexts)
{
    setTexts();
    onLanguageChange(receiver, std::move(setTexts));
}

} // namespace lockscope::ui
