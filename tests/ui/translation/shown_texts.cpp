#include "tests/ui/translation/shown_texts.h"

#include "tests/ui/translation/translation_entries.h"
#include "ui/models/style/format.h"
#include "ui/shell/export/picture.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QXmlStreamReader>

#include <algorithm>

namespace lockscope::ui::test {

namespace {

constexpr int kRowsRead = 40;

void readItems(const QAbstractItemView& view, Texts& texts)
{
    const QAbstractItemModel* model = view.model();
    if (!model)
        return;
    for (int column = 0; column < model->columnCount(); ++column) {
        texts.insert("heading", model->headerData(column, Qt::Horizontal).toString());
        for (int row = 0; row < std::min(kRowsRead, model->rowCount()); ++row) {
            for (const int role : {Qt::DisplayRole, Qt::ToolTipRole, Qt::AccessibleTextRole,
                                   Qt::AccessibleDescriptionRole, Qt::StatusTipRole})
                texts.insert("cell of " + view.accessibleName(),
                             model->index(row, column).data(role).toString());
        }
    }
}

// Text as it is painted: what widgets draw by themselves.
void readPainted(QWidget& window, Texts& texts)
{
    QXmlStreamReader svg(svgOf(window));
    while (!svg.atEnd()) {
        if (svg.readNext() == QXmlStreamReader::StartElement && svg.name() == u"text")
            texts.insert("painted", svg.readElementText(QXmlStreamReader::IncludeChildElements));
    }
}

void readWidget(const QWidget& widget, Texts& texts)
{
    const QString who = QStringLiteral("%1 %2").arg(widget.metaObject()->className(), widget.objectName());
    for (const QString& text :
         {widget.toolTip(), widget.statusTip(), widget.whatsThis(), widget.accessibleName(),
          widget.accessibleDescription(), widget.windowTitle()})
        texts.insert(who, text);
    if (const auto* label = qobject_cast<const QLabel*>(&widget))
        texts.insert(who, label->text());
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget))
        texts.insert(who, button->text());
    if (const auto* line = qobject_cast<const QLineEdit*>(&widget))
        texts.insert(who, line->placeholderText());
    if (const auto* box = qobject_cast<const QComboBox*>(&widget)) {
        for (int i = 0; i < box->count(); ++i)
            texts.insert(who, box->itemText(i));
    }
    if (const auto* view = qobject_cast<const QAbstractItemView*>(&widget))
        readItems(*view, texts);
    for (const QAction* action : widget.findChildren<QAction*>()) {
        const QString name = action->menu() ? "menu" : action->objectName();
        for (const QString& text : {action->text(), action->toolTip(), action->statusTip()})
            texts.insert("command " + name, text);
    }
}

} // namespace

Texts allTexts(QWidget& window)
{
    Texts texts;
    readWidget(window, texts);
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        if (widget->isVisibleTo(&window))
            readWidget(*widget, texts);
    }
    readPainted(window, texts);
    return texts;
}

EnglishWords::EnglishWords()
{
    static const QRegularExpression place(QStringLiteral("%L?(\\d|n)"));
    static const QRegularExpression letters(QStringLiteral("[A-Za-z]{3}"));
    static const QRegularExpression smallWord(QStringLiteral("^[a-z]+( %\\d)?$"));
    const QString file = QStringLiteral(LOCKSCOPE_SOURCE "/resources/translations/lockscope_zh_CN.ts");
    for (const auto& entry : translationEntries(file)) {
        const QString source = format::withoutMnemonic(entry.source);
        QStringList parts = source.split(place);
        if (source == format::withoutMnemonic(entry.translation) || smallWord.match(source).hasMatch() ||
            !parts.join(QString()).contains(letters))
            continue;
        const QString literal =
            *std::max_element(parts.begin(), parts.end(),
                              [](const QString& a, const QString& b) { return a.size() < b.size(); });
        for (QString& part : parts)
            part = QRegularExpression::escape(part);
        m_all.push_back({literal, QRegularExpression('^' + parts.join(QStringLiteral(".+")) + '$',
                                                     QRegularExpression::DotMatchesEverythingOption)});
    }
}

bool EnglishWords::has(const QString& text)
{
    const auto known = m_asked.constFind(text);
    if (known != m_asked.constEnd())
        return *known;
    return m_asked[text] = std::any_of(m_all.begin(), m_all.end(), [&](const Text& each) {
               return text.contains(each.literal) && each.whole.match(text).hasMatch();
           });
}

} // namespace lockscope::ui::test
