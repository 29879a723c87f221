#include "ui/shell/dialogs/preferences_dialog.h"

#include "ui/models/style/command_table.h"
#include "ui/models/style/format.h"
#include "ui/models/style/retranslate.h"
#include "ui/shell/dialogs/dialog_parts.h"
#include "ui/widgets/panel_parts.h"

#include <QApplication>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QTableWidget>

#include <utility>

namespace lockscope::ui {

namespace {

enum KeyColumn { CommandText, CommandKeys };
constexpr int kKeyRowHeight = 26;
constexpr int kLeastKeyRows = 8;

// Commands of one view work while it has the focus: the keys of another view are free for it.
QString scopeOf(const QString& name)
{
    const QString before = name.section(u'.', 0, 0);
    return before == name || before == u"fault" || before == u"until" ? QString() : before;
}

class KeyDelegate : public QStyledItemDelegate
{
public:
    KeyDelegate(std::function<void(int, const QKeySequence&)> chosen, QObject* parent)
        : QStyledItemDelegate(parent)
        , m_chosen(std::move(chosen))
    {}
    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex&) const override
    {
        auto* edit = new QKeySequenceEdit(parent);
        auto* self = const_cast<KeyDelegate*>(this); // NOLINT(cppcoreguidelines-pro-type-const-cast)
        connect(edit, &QKeySequenceEdit::editingFinished, self, [self, edit] {
            emit self->commitData(edit);
            emit self->closeEditor(edit);
        });
        return edit;
    }
    void setEditorData(QWidget*, const QModelIndex&) const override {} // it begins empty
    void setModelData(QWidget* editor, QAbstractItemModel*, const QModelIndex& index) const override
    {
        if (const QKeySequence keys = static_cast<QKeySequenceEdit*>(editor)->keySequence(); !keys.isEmpty())
            m_chosen(index.row(), keys);
    }

private:
    std::function<void(int, const QKeySequence&)> m_chosen;
};

} // namespace

void applyKeys()
{
    for (const QWidget* window : QApplication::topLevelWidgets())
        for (QAction* action : window->findChildren<QAction*>())
            if (const CommandRow* row = commandRow(action->objectName())) {
                action->setShortcuts(keysOf(row->name));
                if (*row->explanation)
                    setExplanation(*action, MenuTexts::tr(row->explanation));
            }
}

PreferencesDialog::PreferencesDialog(PreferenceCommands commands, Settings settings, QWidget* window)
    : QDialog(window)
    , m_commands(std::move(commands))
    , m_settings(settings)
    , m_window(window)
{
    setObjectName("preferences");
    setWindowTitle(tr("Preferences"));
    auto* rows = new QFormLayout(this);
    setDialogMargins(rows);
    if (!m_commands.languages.isEmpty())
        addChoice(rows, tr("&Language"), m_commands.languages)->setObjectName("preferredLanguage");
    addChoice(rows, tr("&Theme"), m_commands.themes)->setObjectName("preferredTheme");
    auto* times = named(new QComboBox(this), "preferredTimes");
    times->addItems({tr("Since the beginning of the run"), tr("By the wall clock, if recorded")});
    times->setCurrentIndex(m_commands.wallClock->isChecked() ? 1 : 0);
    connect(times, &QComboBox::activated, this, [this](int index) {
        if (m_commands.wallClock->isChecked() != (index == 1))
            m_commands.wallClock->trigger();
    });
    //: label: how times are shown
    rows->addRow(tr("T&imes"), times);
    auto* updates = named(new QComboBox(this), "preferredUpdates");
    for (const int each : {60, 30, 15, 5, 1})
        updates->addItem(QString::number(each), each);
    updates->setCurrentIndex(std::max(0, updates->findData(m_settings.get(settings::kUpdatesPerSecond))));
    updates->setToolTip(tr("Fewer updates of a live run take less of the processor."));
    connect(updates, &QComboBox::activated, this, [this, updates] {
        m_settings.set(settings::kUpdatesPerSecond, updates->currentData().toInt());
        emit updatesChosen(updates->currentData().toInt());
    });
    rows->addRow(tr("&Updates per second"), updates);
    //: label: whether the program sends data about its use
    rows->addRow(tr("Telemetry"),
                 new QLabel(tr("None. LockScope sends nothing about you or your use of it."), this));
    rows->addRow(makeKeys());
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    rows->addRow(buttons);
    // All texts are set once: another language shows the dialog anew.
    onLanguageChange(this, [this] { close(); });
}

QComboBox* PreferencesDialog::addChoice(QFormLayout* rows, const QString& label,
                                        const QList<QAction*>& actions)
{
    auto* box = new QComboBox(this);
    for (const QAction* action : actions) {
        box->addItem(format::withoutMnemonic(action->text()));
        if (action->isChecked())
            box->setCurrentIndex(box->count() - 1);
    }
    connect(box, &QComboBox::activated, this, [actions](int index) { actions[index]->trigger(); });
    rows->addRow(label, box);
    return box;
}

QWidget* PreferencesDialog::makeKeys()
{
    auto* part = new QWidget(this);
    m_search = named(new QLineEdit(part), "keysFilter");
    m_search->setClearButtonEnabled(true);
    m_search->setPlaceholderText(tr("Find a command or a key"));
    m_search->setAccessibleName(m_search->placeholderText());
    m_keys = named(new QTableWidget(0, 2, part), "keysTable");
    setUpRowTable(m_keys, kKeyRowHeight);
    m_keys->setAccessibleName(tr("Keys of all commands"));
    m_keys->setHorizontalHeaderLabels({tr("Command"), tr("Keys")});
    m_keys->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_keys->horizontalHeader()->setSectionResizeMode(CommandText, QHeaderView::Stretch);
    m_keys->setColumnWidth(CommandKeys, fontMetrics().averageCharWidth() * 26);
    m_keys->setMinimumHeight(kLeastKeyRows * kKeyRowHeight);
    m_keys->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    m_keys->setItemDelegateForColumn(
        CommandKeys,
        new KeyDelegate([this](int row, const QKeySequence& keys) { setKeys(row, keys.toString()); },
                        m_keys));
    m_note =
        named(new QLabel(tr("Double-click a key, or press F2, to press another one."), part), "keysNote");
    makePlainText(m_note);
    auto* none = named(new QPushButton(tr("&No Key"), part), "noKey");
    auto* usual = named(new QPushButton(tr("&Default Key"), part), "defaultKey");
    auto* allUsual = named(new QPushButton(tr("&All Defaults"), part), "defaultKeys");
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    for (QPushButton* button : {none, usual, allUsual}) {
        button->setAutoDefault(false);
        buttons->addWidget(button);
    }
    connect(none, &QPushButton::clicked, this, [this] { setKeys(m_keys->currentRow(), {}); });
    connect(usual, &QPushButton::clicked, this, [this] {
        if (const QTableWidgetItem* item = m_keys->item(m_keys->currentRow(), CommandText))
            setKeys(item->row(), QLatin1String(commandRow(item->data(Qt::UserRole).toString())->keys));
    });
    connect(allUsual, &QPushButton::clicked, this, [this] {
        m_settings.set(settings::kKeys, {});
        qApp->setProperty(kChangedKeys, QVariantMap());
        applyKeys();
        fillKeys();
    });
    connect(m_search, &QLineEdit::textChanged, this, &PreferencesDialog::showMatching);
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_search);
    column->addWidget(m_keys, 1);
    column->addWidget(m_note);
    column->addLayout(buttons);
    fillKeys();
    return part;
}

// "Handoff timeline: Zoom In"
QString PreferencesDialog::titleOf(const QString& name) const
{
    const CommandRow* row = commandRow(name);
    const QAction* action = *row->text ? nullptr : m_window->findChild<QAction*>(name);
    const QString text = *row->text ? MenuTexts::tr(row->text) : action ? action->text() : QString();
    const QString view = m_commands.views.value(scopeOf(name));
    return (view.isEmpty() ? QString() : view + QStringLiteral(": ")) +
           format::withoutMnemonic(text).remove(u'…');
}

void PreferencesDialog::fillKeys()
{
    m_keys->setRowCount(0);
    for (const CommandRow& row : commandTable()) {
        const QString name = QLatin1String(row.name), title = titleOf(name);
        if (title.isEmpty() || title.endsWith(u' '))
            continue; // it has no text of its own
        const int at = m_keys->rowCount();
        m_keys->insertRow(at);
        auto* command = new QTableWidgetItem(title);
        command->setData(Qt::UserRole, name);
        command->setToolTip(explanationOf(name));
        command->setFlags(command->flags() & ~Qt::ItemIsEditable);
        m_keys->setItem(at, CommandText, command);
        m_keys->setItem(
            at, CommandKeys,
            new QTableWidgetItem(QKeySequence::listToString(keysOf(name), QKeySequence::NativeText)));
    }
    showMatching();
}

void PreferencesDialog::showMatching()
{
    for (int row = 0; row < m_keys->rowCount(); ++row) {
        const auto has = [&](KeyColumn column) {
            return m_keys->item(row, column)
                ->text()
                .contains(m_search->text().trimmed(), Qt::CaseInsensitive);
        };
        m_keys->setRowHidden(row, !has(CommandText) && !has(CommandKeys));
    }
}

QString PreferencesDialog::ownerOf(const QKeySequence& keys, const QString& name) const
{
    const QString scope = scopeOf(name);
    for (const CommandRow& row : commandTable()) {
        const QString other = QLatin1String(row.name), otherScope = scopeOf(other);
        if (other == name || otherScope == u"editor" ||
            (otherScope != scope && !otherScope.isEmpty() && !scope.isEmpty()))
            continue;
        for (const QKeySequence& used : keysOf(other))
            if (used.matches(keys) != QKeySequence::NoMatch || keys.matches(used) != QKeySequence::NoMatch)
                return titleOf(other);
    }
    return {};
}

void PreferencesDialog::setKeys(int row, const QString& keys)
{
    const QTableWidgetItem* item = m_keys->item(row, CommandText);
    if (!item)
        return;
    const QString name = item->data(Qt::UserRole).toString();
    for (const QKeySequence& each : QKeySequence::listFromString(keys))
        if (const QString owner = ownerOf(each, name); !owner.isEmpty())
            return m_note->setText(tr("%1 is the key of \"%2\". Give that another one first.")
                                       .arg(each.toString(QKeySequence::NativeText), owner));
    QVariantMap changed = m_settings.get(settings::kKeys);
    if (!m_settings.isKept())
        changed = qApp->property(kChangedKeys).toMap();
    if (keys == QLatin1String(commandRow(name)->keys))
        changed.remove(name);
    else
        changed[name] = keys;
    m_settings.set(settings::kKeys, changed);
    qApp->setProperty(kChangedKeys, changed);
    applyKeys();
    m_keys->item(row, CommandKeys)
        ->setText(QKeySequence::listToString(keysOf(name), QKeySequence::NativeText));
    m_note->setText(tr("%1 has new keys.").arg(item->text()));
}

} // namespace lockscope::ui

#include "moc_preferences_dialog.cpp"
