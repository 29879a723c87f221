// One answer of a bet: a number key, a mark that shows whether it is chosen, and a text of several lines. GUI
// thread.
#pragma once

#include <QAbstractButton>

namespace lockscope::ui {

class Theme;

class OptionButton : public QAbstractButton
{
    Q_OBJECT
public:
    // `digit`: the key that chooses it, 0: none. `several`: more than one can be chosen.
    OptionButton(const Theme* theme, int digit, const QString& text, bool several, QWidget* parent);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString shown() const;
    const Theme* m_theme;
    int m_digit;
    bool m_several;
};

} // namespace lockscope::ui
