// The manual beside the views: pages of Markdown in the window's language, with links to other pages, to
// scenarios, lessons and commands. GUI thread.
#pragma once

#include <QDockWidget>
#include <QStringList>

class QPushButton;
class QTextBrowser;
class QUrl;

namespace lockscope::ui {

class Theme;

// A link is a page ("chain.md", "terms.md#herd"), "scenario:NAME", "lesson:NAME" or "command:NAME".
class ManualDock : public QDockWidget
{
    Q_OBJECT
public:
    ManualDock(const Theme* theme, QWidget* parent);

    // "chain" or "terms#herd"; an unknown name opens the contents. Sections are named after the English
    // headings.
    void open(const QString& page);
    void follow(const QUrl& link);
    QString page() const { return m_pages.isEmpty() ? QString() : m_pages.last(); } // with its section
    QTextBrowser* browser() const { return m_browser; }
    static QStringList pageNames();
    static QString markdown(const QString& page, bool chinese); // empty: there is no such page
    static QStringList sections(const QString& markdown);       // as links name them

signals:
    void scenarioRequested(const QString& name);
    void lessonRequested(const QString& name);
    void commandRequested(const QString& name);
    void opened(); // the dock was hidden before

protected:
    void keyPressEvent(QKeyEvent* event) override; // Esc closes

private:
    void back();
    void showPage();
    void setTexts();
    void goToSection(const QString& section);

    const Theme* m_theme;
    QTextBrowser* m_browser;
    QPushButton* m_back;
    QPushButton* m_contents;
    QStringList m_pages;     // the visited ones; the last one is shown
    QList<int> m_scrolledTo; // the scroll positions of those before it
};

} // namespace lockscope::ui
