// A card: a header with a bold title and a muted caption, and a view below it, in one rounded frame. The two
// halves are separate widgets because a dock widget needs its title bar as one. GUI thread.
#pragma once

#include <QWidget>

class QHBoxLayout;
class QTabBar;
class QToolButton;

namespace lockscope::ui {

class Theme;

class CardHeader : public QWidget
{
    Q_OBJECT
public:
    static constexpr int kHeight = 35;
    CardHeader(const QString& title, Theme* theme, QWidget* parent = nullptr);
    void setTitle(const QString& title);
    void
    setCaption(const QString& variants); // shorter variants follow, after kVariantSeparator, for narrow cards
    QString caption() const;             // the longest variant
    void setChooser(QToolButton* chooser); // shown in place of the title
    void setPictureMode();                 // for a picture: the chooser's text becomes the title
    // The titles of the cards in the same place; `own`: this card's index. Fewer than two: its title is shown
    // instead.
    void setTabs(const QStringList& titles, int own);
    QTabBar* tabs() const { return m_tabs; }         // null until tabs are first needed
    QToolButton* moreTabs() const { return m_more; } // the menu of those without room; null like tabs()
    // Shows in the header how to restore a maximized card.
    void setMaximized(bool alone, const QString& words, const QString& explanation);
    QSize sizeHint() const override { return {120, kHeight}; }
    QSize minimumSizeHint() const override { return {60, kHeight}; }

signals:
    void tabChosen(int tab);  // never this card's own tab
    void tabClicked(int tab); // any
    void doubleClicked();
    void restoreRequested(); // the restore button was clicked

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    QHBoxLayout* row();
    void makeTabs();
    void fitTabs();
    void fillMore();
    bool showsTitle() const;
    int rightSide() const; // the distance of the caption's end from the right edge
    void placeRestoreButton();
    int captionWidth() const;
    QString shownCaption() const;
    void updateToolTip();
    QString m_title, m_caption;
    QToolButton* m_chooser = nullptr;
    QToolButton* m_restoreButton = nullptr;
    QTabBar* m_tabs = nullptr;
    QToolButton* m_more = nullptr;
    int m_own = 0;
    Theme* m_theme;
};

class CardBody : public QWidget
{
    Q_OBJECT
public:
    // `header` lies above the view, `footer` below it; both may be null.
    CardBody(QWidget* header, QWidget* view, QWidget* footer, Theme* theme, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Theme* m_theme;
};

} // namespace lockscope::ui
