#include "ui/manual/manual_dock.h"

#include "ui/models/style/retranslate.h"
#include "ui/models/style/theme.h"

#include <QAbstractTextDocumentLayout>
#include <QDir>
#include <QFile>
#include <QFontMetricsF>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMimeData>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextDocumentFragment>
#include <QTextFrame>
#include <QTextTable>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

namespace lockscope::ui {

namespace {

constexpr int kMinDockWidth = 320;
constexpr int kListIndent = 20;
constexpr int kCodeIndent = 24;
constexpr double kPageCellPadding = 4;
const QString kContents = QStringLiteral("index");
constexpr QChar kWordJoiner(0x2060); // prevents a line break and has no width

QString slug(QString heading)
{
    static const QRegularExpression marks(QStringLiteral("[^\\w\\s-]"),
                                          QRegularExpression::UseUnicodePropertiesOption);
    return heading.toLower().remove(marks).simplified().replace(u' ', u'-');
}

// Keeps the dashes of an option and the first slash of a path on one line with the word after them.
QString withJoinedDashes(QString markdown)
{
    static const QRegularExpression start(QStringLiteral("(?<=[\\s`\\[|])(--?|/)(?=\\w)"));
    return markdown.replace(start, QStringLiteral("\\1") + kWordJoiner);
}

// Copies text without word joiners, because it may be pasted into a shell.
class Browser : public QTextBrowser
{
public:
    using QTextBrowser::QTextBrowser;

protected:
    QMimeData* createMimeDataFromSelection() const override
    {
        auto* copied = new QMimeData;
        copied->setText(textCursor().selection().toPlainText().remove(kWordJoiner));
        return copied;
    }
};

// Does not break names: a first column of code is as wide as its longest word, or wider, up to `most`.
void widenNames(const QTextTable& table, QTextTableFormat& format, double most)
{
    double word = 0, whole = 0;
    for (int row = 1; row < table.rows(); ++row) {
        const QTextBlock block = table.cellAt(row, 0).firstCursorPosition().block();
        if (block.begin().atEnd() || !block.begin().fragment().charFormat().fontFixedPitch())
            return;
        const QFontMetricsF metrics(block.begin().fragment().charFormat().font());
        whole = std::max(whole, metrics.horizontalAdvance(block.text()));
        for (const QString& each : block.text().split(u' '))
            word = std::max(word, metrics.horizontalAdvance(each));
    }
    const double width = std::max(word, std::min(whole, most)) + 2 * kPageCellPadding + 2;
    format.setColumnWidthConstraints(
        {QTextLength(QTextLength::FixedLength, width), QTextLength(QTextLength::VariableLength, 0)});
}

// Makes the first of several columns wide enough for its words: none is broken, and a Chinese one only after
// kChineseLetters characters.
void widenWords(const QTextTable& table, QTextTableFormat& format)
{
    constexpr double kChineseLetters = 5;
    double width = 0;
    for (int row = 0; row < table.rows(); ++row) {
        const QTextBlock block = table.cellAt(row, 0).firstCursorPosition().block();
        if (block.begin().atEnd())
            continue;
        const QFontMetricsF metrics(block.begin().fragment().charFormat().font());
        static const QRegularExpression kWord(QStringLiteral("[A-Za-z0-9_]+、?|\\p{Han}+"));
        for (auto match = kWord.globalMatch(block.text()); match.hasNext();) {
            const QString word = match.next().captured();
            const double whole = metrics.horizontalAdvance(word);
            const bool chinese = word.front().unicode() >= 0x2E80;
            width = std::max(
                width, chinese ? std::min(whole, kChineseLetters * whole / static_cast<double>(word.size()))
                               : whole);
        }
    }
    QList<QTextLength> columns(table.columns(), QTextLength(QTextLength::VariableLength, 0));
    columns.front() = QTextLength(QTextLength::FixedLength, width + 2 * kPageCellPadding + 2);
    format.setColumnWidthConstraints(columns);
}

void styleTable(QTextTable& table, const Palette& palette, double width)
{
    QTextTableFormat format = table.format();
    format.setBorder(0);
    format.setBorderCollapse(true);
    format.setCellPadding(kPageCellPadding);
    format.setCellSpacing(0);
    format.setWidth(QTextLength(QTextLength::PercentageLength, 100));
    format.setTopMargin(4);
    format.setBottomMargin(10);
    if (table.columns() == 2)
        widenNames(table, format, width * 0.4);
    else
        widenWords(table, format);
    table.setFormat(format);
    for (int row = 0; row < table.rows(); ++row)
        for (int column = 0; column < table.columns(); ++column) {
            QTextTableCell cell = table.cellAt(row, column);
            QTextTableCellFormat line = cell.format().toTableCellFormat();
            line.setBottomBorder(1);
            line.setBottomBorderStyle(QTextFrameFormat::BorderStyle_Solid);
            line.setBottomBorderBrush(palette.cardBorder);
            if (row == 0)
                line.setBackground(palette.panel);
            cell.setFormat(line);
        }
}

bool isCode(const QTextBlockFormat& format) { return format.hasProperty(QTextFormat::BlockCodeLanguage); }

// Styles a line of code. A long line continues, indented, on the next one.
void styleCode(QTextBlockFormat& format, const Palette& palette)
{
    format.setBackground(palette.panel);
    format.setLeftMargin(kCodeIndent);
    format.setTextIndent(-kCodeIndent);
}

// `size`: the text size, in points.
void styleFragments(QTextCursor& cursor, const QTextBlock& block, double size, const Palette& palette,
                    const Fonts& fonts)
{
    const int level = block.blockFormat().headingLevel();
    std::vector<std::pair<int, QTextCharFormat>>
        parts; // collected first: a change of a format ends the iteration
    for (auto part = block.begin(); !part.atEnd(); ++part)
        parts.emplace_back(part.fragment().length(), part.fragment().charFormat());
    cursor.setPosition(block.position());
    for (auto& [length, format] : parts) {
        cursor.setPosition(cursor.position() + length, QTextCursor::KeepAnchor);
        format.clearProperty(QTextFormat::FontSizeAdjustment); // it would override the point size
        format.setFontPointSize(level == 1 ? size * 1.45 : level > 1 ? size * 1.15 : size);
        if (format.isAnchor()) {
            format.setForeground(palette.accent);
        } else if (format.fontFixedPitch() || isCode(block.blockFormat())) {
            format.setFontFamilies(fonts.mono.families());
            format.setFontPointSize(size * 0.94);
            format.setBackground(palette.panel);
        }
        cursor.setCharFormat(format);
        cursor.setPosition(cursor.position());
    }
}

} // namespace

ManualDock::ManualDock(const Theme* theme, QWidget* parent)
    : QDockWidget(parent)
    , m_theme(theme)
    , m_browser(new Browser(this))
    , m_back(new QPushButton(this))
    , m_contents(new QPushButton(this))
{
    setObjectName("manualDock");
    setAllowedAreas(Qt::LeftDockWidgetArea | Qt::RightDockWidgetArea);
    auto* content = new QWidget(this);
    content->setMinimumWidth(kMinDockWidth);
    auto* head = new QHBoxLayout;
    head->addWidget(m_back);
    head->addWidget(m_contents);
    head->addStretch(1);
    auto* column = new QVBoxLayout(content);
    column->addLayout(head);
    column->addWidget(m_browser, 1);
    setWidget(content);
    hide();
    m_back->setObjectName("manualBack");
    m_contents->setObjectName("manualContents");
    m_browser->setObjectName("manualPage");
    m_browser->setOpenLinks(false);
    m_browser->setFrameShape(QFrame::NoFrame);
    connect(m_browser, &QTextBrowser::anchorClicked, this, &ManualDock::follow);
    connect(m_back, &QPushButton::clicked, this, &ManualDock::back);
    connect(m_contents, &QPushButton::clicked, this, [this] { open(kContents); });
    connect(theme, &Theme::changed, this, [this] {
        const int place = m_browser->verticalScrollBar()->value();
        showPage();
        m_browser->verticalScrollBar()->setValue(place);
    });
    onRetranslate(this, [this] { setTexts(); });
}

void ManualDock::setTexts()
{
    //: title of a panel, a noun: how to use the program
    setWindowTitle(tr("Manual"));
    m_back->setText(tr("‹ Back"));
    //: a button: shows the table of contents
    m_contents->setText(tr("Contents"));
    m_browser->setAccessibleName(tr("Manual"));
    showPage();
}

QStringList ManualDock::pageNames()
{
    QStringList names;
    for (const QString& file :
         QDir(QStringLiteral(":/manual/en")).entryList({QStringLiteral("*.md")}, QDir::Files, QDir::Name))
        names << file.chopped(3);
    return names;
}

QString ManualDock::markdown(const QString& page, bool chinese)
{
    QFile file(QStringLiteral(":/manual/%1/%2.md")
                   .arg(chinese ? QStringLiteral("zh_CN") : QStringLiteral("en"), page));
    QString text = file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    // Chinese has no spaces between words: Markdown would make one of a line break within a paragraph.
    static const QRegularExpression within(
        QStringLiteral("(?<=[\\p{Han}，。；：、（）“”])\\n *(?=[\\p{Han}“（*\\[`])"));
    return chinese ? text.remove(within) : text;
}

QStringList ManualDock::sections(const QString& markdown)
{
    QStringList found;
    static const QRegularExpression heading(QStringLiteral("^#{1,6} +(.+)$"),
                                            QRegularExpression::MultilineOption);
    for (auto match = heading.globalMatch(markdown); match.hasNext();)
        found << slug(match.next().captured(1));
    return found;
}

void ManualDock::open(const QString& page)
{
    const bool known = pageNames().contains(page.section(u'#', 0, 0));
    if (!m_pages.isEmpty())
        m_scrolledTo << m_browser->verticalScrollBar()->value();
    m_pages << (known ? page : kContents);
    const bool hidden = isHidden();
    show();
    raise();
    if (hidden)
        emit opened();
    showPage();
    m_browser->setFocus();
}

void ManualDock::follow(const QUrl& link)
{
    const QString name = link.path();
    if (link.scheme() == QLatin1String("scenario"))
        emit scenarioRequested(name);
    else if (link.scheme() == QLatin1String("lesson"))
        emit lessonRequested(name);
    else if (link.scheme() == QLatin1String("command"))
        emit commandRequested(name);
    else if (name.endsWith(QLatin1String(".md")))
        open(link.fragment().isEmpty() ? name.chopped(3) : name.chopped(3) + u'#' + link.fragment());
}

void ManualDock::back()
{
    if (m_scrolledTo.isEmpty())
        return;
    m_pages.removeLast();
    const int scrolled = m_scrolledTo.takeLast();
    showPage();
    m_browser->verticalScrollBar()->setValue(scrolled);
}

void ManualDock::showPage()
{
    m_back->setEnabled(!m_scrolledTo.isEmpty());
    if (m_pages.isEmpty())
        return;
    const QString name = page().section(u'#', 0, 0);
    const QString english = markdown(name, false);
    const QString own = isChinese() ? markdown(name, true) : english;
    const Palette& palette = m_theme->palette();
    QFont text = m_theme->fonts().text;
    text.setPointSizeF(text.pointSizeF() * 1.08);
    m_browser->document()->setDefaultFont(text);
    m_browser->document()->setIndentWidth(kListIndent);
    m_browser->setStyleSheet(QStringLiteral("QTextBrowser { background: %1; color: %2; }")
                                 .arg(palette.card.name(), palette.text.name()));
    m_browser->setMarkdown(withJoinedDashes(own.isEmpty() ? english : own));
    QTextCursor cursor(m_browser->document());
    cursor.beginEditBlock();
    for (QTextBlock block = m_browser->document()->begin(); block.isValid(); block = block.next()) {
        styleFragments(cursor, block, text.pointSizeF(), palette, m_theme->fonts());
        cursor.setPosition(block.position());
        QTextBlockFormat format = block.blockFormat();
        format.setLineHeight(125, QTextBlockFormat::ProportionalHeight);
        if (isCode(format))
            styleCode(format, palette);
        format.setNonBreakableLines(false);
        if (format.headingLevel() > 0)
            format.setTopMargin(format.headingLevel() == 1 ? 0 : 12);
        cursor.setBlockFormat(format);
    }
    for (QTextFrame* frame : m_browser->document()->rootFrame()->childFrames())
        if (auto* table = qobject_cast<QTextTable*>(frame))
            styleTable(*table, palette, m_browser->viewport()->width());
    cursor.endEditBlock();
    m_browser->moveCursor(QTextCursor::Start);
    goToSection(page().section(u'#', 1));
}

// Both languages have the same headings in the same order.
void ManualDock::goToSection(const QString& section)
{
    auto left = sections(markdown(page().section(u'#', 0, 0), false)).indexOf(section);
    for (QTextBlock block = m_browser->document()->begin(); left >= 0 && block.isValid();
         block = block.next()) {
        if (block.blockFormat().headingLevel() > 0 && left-- == 0) {
            m_browser->moveCursor(QTextCursor::End); // so that the heading is then at the top
            m_browser->setTextCursor(QTextCursor(block));
            const QRectF place = m_browser->document()->documentLayout()->blockBoundingRect(block);
            m_browser->verticalScrollBar()->setValue(static_cast<int>(place.top()));
        }
    }
}

void ManualDock::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        close();
    else if (event->key() == Qt::Key_Backspace)
        back();
    else
        QDockWidget::keyPressEvent(event);
}

} // namespace lockscope::ui

#include "moc_manual_dock.cpp"
