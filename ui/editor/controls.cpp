#include "ui/editor/controls.h"

#include "ui/widgets/without_wheel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSpinBox>

#include <algorithm>

namespace lockscope::ui {

namespace {

using sim::SettingValue;

constexpr int kNumberWidth = 84;
constexpr int kParagraphHeight = 110;
constexpr int kMaxLine = 400;
const QString kFixed = QStringLiteral("fixed");
const QString kBetween = QStringLiteral("between");
const QString kExponential = QStringLiteral("exponential");

QString part(const SettingValue& value, std::size_t index)
{
    return index < value.parts.size() ? QString::fromStdString(value.parts[index]) : QString();
}

QString listToml(const QStringList& entries)
{
    QString toml;
    for (const QString& entry : entries) {
        toml += (toml.isEmpty() ? "[" : ", ") + quotedToml(entry);
    }
    return toml.isEmpty() ? toml : toml + "]";
}

QHBoxLayout* makeRowIn(QWidget* widget)
{
    auto* row = new QHBoxLayout(widget);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    return row;
}

QSpinBox* makeSpinBox(int low, int high, QWidget* parent)
{
    auto* box = new WithoutWheel<QSpinBox>(parent);
    box->setRange(low, high);
    box->setFocusPolicy(Qt::StrongFocus);
    box->setMinimumWidth(kNumberWidth);
    return box;
}

QComboBox* makeComboBox(QWidget* parent)
{
    auto* box = new WithoutWheel<QComboBox>(parent);
    box->setFocusPolicy(Qt::StrongFocus);
    box->setMaxVisibleItems(20);
    return box;
}

QPlainTextEdit* makeTextEdit(int height, QWidget* parent)
{
    auto* edit = new QPlainTextEdit(parent);
    edit->setTabChangesFocus(true);
    edit->setFixedHeight(height);
    return edit;
}

// A name with a comma or a quote is put in quotes, with its own quotes doubled.
QString takesText(const SettingValue& value)
{
    QStringList shown;
    for (const std::string& one : value.parts) {
        QString name = QString::fromStdString(one);
        const bool quoted = name.contains(',') || name.contains('"');
        shown += quoted ? '"' + name.replace('"', "\"\"") + '"' : name;
    }
    return shown.join(", ");
}

QStringList takesOf(const QString& text)
{
    QStringList names(1);
    bool quoted = false;
    for (qsizetype at = 0; at < text.size(); ++at) {
        if (quoted && text.mid(at, 2) == "\"\"") {
            names.back() += text[++at];
        } else if (text[at] == '"') {
            quoted = !quoted;
        } else if (text[at] == ',' && !quoted) {
            names += QString();
        } else {
            names.back() += text[at];
        }
    }
    for (QString& name : names) {
        name = name.trimmed();
    }
    return names;
}

// A number as it is, any other text in quotes, so that the reader reports what it expected.
QString numberOrQuoted(const QString& text)
{
    const QString number = text.trimmed();
    bool whole = false; // and in the range of a TOML integer
    number.toLongLong(&whole);
    const bool digits = std::all_of(number.begin(), number.end(),
                                    [](QChar letter) { return letter >= '0' && letter <= '9'; });
    const bool leading = number.size() > 1 && number.startsWith('0');
    return whole && digits && !leading ? number : quotedToml(text);
}

} // namespace

QString quotedToml(const QString& text)
{
    return QString::fromStdString(sim::tomlString(text.toStdString()));
}

Control Controls::line(const QString& whenEmpty) const
{
    auto* edit = new QLineEdit(m_parent);
    edit->setPlaceholderText(whenEmpty);
    edit->setMaxLength(kMaxLine);
    QObject::connect(edit, &QLineEdit::textChanged, m_parent, m_edited);
    return {edit,
            [edit] {
                const QString text = edit->text().trimmed();
                return text.isEmpty() ? QString() : quotedToml(text);
            },
            [edit](const SettingValue& value) { edit->setText(part(value, 0)); }};
}

Control Controls::digits(const QString& text) const
{
    Control made = line();
    auto* edit = qobject_cast<QLineEdit*>(made.widget);
    edit->setText(text);
    made.toml = [edit] { return numberOrQuoted(edit->text()); };
    return made;
}

Control Controls::takes(const QString& whenEmpty) const
{
    Control made = line(whenEmpty);
    auto* edit = qobject_cast<QLineEdit*>(made.widget);
    edit->setMaxLength(32'767);
    made.toml = [edit] {
        return edit->text().trimmed().isEmpty() ? QString() : listToml(takesOf(edit->text()));
    };
    made.set = [edit](const SettingValue& value) { edit->setText(takesText(value)); };
    return made;
}

Control Controls::paragraph() const
{
    auto* edit = makeTextEdit(kParagraphHeight, m_parent);
    QObject::connect(edit, &QPlainTextEdit::textChanged, m_parent, m_edited);
    return {edit,
            [edit] {
                const QString text = edit->toPlainText();
                return text.isEmpty() ? QString() : quotedToml(text);
            },
            [edit](const SettingValue& value) { edit->setPlainText(part(value, 0)); }};
}

Control Controls::list(int height, const QString& example) const
{
    auto* edit = makeTextEdit(height, m_parent);
    edit->setPlaceholderText(example);
    QObject::connect(edit, &QPlainTextEdit::textChanged, m_parent, m_edited);
    return {edit,
            [edit] {
                QStringList entries;
                for (const QString& entry : edit->toPlainText().split('\n')) {
                    if (!entry.trimmed().isEmpty()) {
                        entries += entry.trimmed();
                    }
                }
                return listToml(entries);
            },
            [edit](const SettingValue& value) {
                QStringList entries;
                for (std::size_t i = 0; i < value.parts.size(); ++i) {
                    entries += part(value, i);
                }
                edit->setPlainText(entries.join('\n'));
            }};
}

Control Controls::number(int low, int high, const QString& suffix, const QString& lowest) const
{
    QSpinBox* box = makeSpinBox(low, high, m_parent);
    box->setSuffix(suffix);
    box->setSpecialValueText(lowest);
    QObject::connect(box, &QSpinBox::valueChanged, m_parent, m_edited);
    return {box, [box] { return QString::number(box->value()); },
            [box](const SettingValue& value) { box->setValue(part(value, 0).toInt()); }};
}

Control Controls::numbers(int low, int high) const
{
    auto* both = new QWidget(m_parent);
    QSpinBox* least = makeSpinBox(low, high, both);
    QSpinBox* most = makeSpinBox(low, high, both);
    least->setObjectName("min");
    least->setAccessibleName(tr("At least"));
    most->setObjectName("max");
    most->setAccessibleName(tr("At most"));
    QHBoxLayout* row = makeRowIn(both);
    row->addWidget(least);
    //: between two numbers: "1 to 3"
    row->addWidget(new QLabel(tr("to"), both));
    row->addWidget(most);
    row->addStretch(1);
    both->setFocusProxy(least);
    QObject::connect(least, &QSpinBox::valueChanged, m_parent, m_edited);
    QObject::connect(most, &QSpinBox::valueChanged, m_parent, m_edited);
    return {both, [=] { return QStringLiteral("[%1, %2]").arg(least->value()).arg(most->value()); },
            [=](const SettingValue& value) {
                least->setValue(part(value, 0).toInt());
                most->setValue(part(value, value.parts.size() > 1 ? 1 : 0).toInt());
            }};
}

Control Controls::flag(const QString& text) const
{
    auto* box = new QCheckBox(text, m_parent);
    QObject::connect(box, &QCheckBox::toggled, m_parent, m_edited);
    return {box, [box] { return box->isChecked() ? QStringLiteral("true") : QStringLiteral("false"); },
            [box](const SettingValue& value) { box->setChecked(part(value, 0) == "true"); }};
}

// With an amount beside the choice where one of the words takes one.
Control Controls::choice(const std::vector<Choice>& choices, bool quoted) const
{
    const bool withAmount =
        std::any_of(choices.begin(), choices.end(), [](const Choice& one) { return one.word.endsWith(' '); });
    auto* both = withAmount ? new QWidget(m_parent) : nullptr;
    QComboBox* box = makeComboBox(both ? both : m_parent);
    for (const Choice& one : choices) {
        if (one.text.isEmpty()) {
            box->insertSeparator(box->count());
        } else {
            box->addItem(one.text, one.word);
        }
    }
    QLineEdit* amount = nullptr;
    if (both) {
        amount = new QLineEdit(both);
        amount->setObjectName("amount");
        //: name of a field: the number or the time that belongs to a choice: "one after the other, every
        //: 20ms"
        amount->setAccessibleName(tr("Amount"));
        box->setObjectName("kind");
        QHBoxLayout* row = makeRowIn(both);
        row->addWidget(box);
        row->addWidget(amount, 1);
        both->setFocusProxy(box);
        QObject::connect(amount, &QLineEdit::textChanged, m_parent, m_edited);
        const auto showAmount = [=] { amount->setVisible(box->currentData().toString().endsWith(' ')); };
        QObject::connect(box, &QComboBox::currentIndexChanged, amount, showAmount);
        showAmount();
    }
    QObject::connect(box, &QComboBox::currentIndexChanged, m_parent, m_edited);
    return {both ? both : box,
            [=] {
                const QString word = box->currentData().toString();
                const QString all = word.endsWith(' ') ? word + amount->text().trimmed() : word;
                return quoted && !all.isEmpty() ? quotedToml(all) : all;
            },
            [=](const SettingValue& value) {
                const QString text = part(value, 0);
                int at = box->findData(text);
                for (int i = 0; at < 0 && i < box->count(); ++i) {
                    const QString word = box->itemData(i).toString();
                    if (word.endsWith(' ') && text.startsWith(word)) {
                        at = i;
                        amount->setText(text.mid(word.size()));
                    }
                }
                box->setCurrentIndex(std::max(0, at));
            }};
}

Control Controls::times() const
{
    auto* all = new QWidget(m_parent);
    QComboBox* kind = makeComboBox(all);
    //: a choice for how a time is drawn: always the same time
    kind->addItem(tr("always"), kFixed);
    //: a choice for how a time is drawn: "between 20ms and 100ms", uniformly
    kind->addItem(tr("between"), kBetween);
    kind->addItem(tr("exponential, mean"), kExponential);
    kind->setObjectName("kind");
    //: name of a field: how a time is drawn
    kind->setAccessibleName(tr("Distribution"));
    auto* low = new QLineEdit(all);
    low->setPlaceholderText(tr("20ms"));
    low->setObjectName("low");
    low->setAccessibleName(tr("Time, or minimum"));
    //: between two times: "between 20ms and 100ms"
    auto* to = new QLabel(tr("and"), all);
    auto* high = new QLineEdit(all);
    high->setPlaceholderText(tr("100ms"));
    high->setObjectName("high");
    //: name of a field: the greatest time that may be drawn
    high->setAccessibleName(tr("Maximum"));
    QHBoxLayout* row = makeRowIn(all);
    row->addWidget(kind);
    row->addWidget(low, 1);
    row->addWidget(to);
    row->addWidget(high, 1);
    all->setFocusProxy(low);
    const auto showParts = [=] {
        const bool two = kind->currentData() == kBetween;
        to->setVisible(two);
        high->setVisible(two);
    };
    showParts();
    QObject::connect(kind, &QComboBox::currentIndexChanged, all, showParts);
    QObject::connect(kind, &QComboBox::currentIndexChanged, m_parent, m_edited);
    QObject::connect(low, &QLineEdit::textChanged, m_parent, m_edited);
    QObject::connect(high, &QLineEdit::textChanged, m_parent, m_edited);
    const QString exponential = kExponential + ' ';
    return {all,
            [=] {
                const QString first = low->text().trimmed();
                if (kind->currentData() == kBetween) {
                    return "[" + quotedToml(first) + ", " + quotedToml(high->text().trimmed()) + "]";
                }
                return quotedToml((kind->currentData() == kExponential ? exponential : QString()) + first);
            },
            [=](const SettingValue& value) {
                QString first = part(value, 0);
                const bool mean = first.startsWith(exponential);
                first.remove(0, mean ? exponential.size() : 0);
                kind->setCurrentIndex(kind->findData(mean                     ? kExponential
                                                     : value.parts.size() > 1 ? kBetween
                                                                              : kFixed));
                low->setText(first);
                high->setText(value.parts.size() > 1 ? part(value, 1) : first);
            }};
}

} // namespace lockscope::ui
