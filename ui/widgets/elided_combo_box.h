// A combo box that elides text that does not fit: with a style sheet, a QComboBox clips it. GUI thread.
#pragma once

#include <QComboBox>

namespace lockscope::ui {

class ElidedComboBox : public QComboBox
{
    Q_OBJECT
public:
    using QComboBox::QComboBox;
    QString elidedText() const; // the current text as drawn
    int widthOfText() const;    // the width of the box at which its text is not elided

protected:
    bool event(QEvent* event) override; // its tool tip is the whole text
    void paintEvent(QPaintEvent* event) override;

private:
    int roomForText() const;
};

} // namespace lockscope::ui
