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
    // `digit`: the key that chooses it. `several`: more than one can be chosen.
    OptionButton(const Theme* theme, int digit, const QString& text, bool several, QWidget* parent);

    // How many hands were raised for it; below 0: they are not counted. With hands it is no toggle: clicks
    // and right clicks are signals.
    void setHands(int hands);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

signals:
    void handLowered();

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QString shown() const;
    QString handsText() const;
    int right() const; // what the text leaves free there
    const Theme* m_theme;
    int m_digit;
    bool m_several;
    int m_hands = -1;
};

} // namespace lockscope::ui
