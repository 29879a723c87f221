#include "ui/recipe/recipe_dock.h"

#include "ui/models/run/atomic_file.h"
#include "ui/models/style/command_table.h"
#include "ui/models/style/format.h"
#include "ui/models/style/theme.h"
#include "ui/recipe/recipe_text.h"
#include "ui/texts/core_messages.h"
#include "ui/widgets/ask_for_file.h"
#include "ui/widgets/elided_combo_box.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/without_wheel.h"

#include <QAbstractItemView>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <thread>

#undef forever // of Qt; a name of the lock library
#include "core/explore/proof.h"

namespace lockscope::ui {

using explore::Choice;

namespace {

using Box = WithoutWheel<ElidedComboBox>;

constexpr std::chrono::milliseconds kShown(200);
constexpr std::chrono::minutes kMost(10);     // of a proof, which keeps all states that it has seen
constexpr std::chrono::seconds kShortest(10); // how long to look for the shortest counterexample
constexpr int kRecipeMargin = 14;
constexpr int kMostClients = 3;
constexpr int kMostFaults = 2;

QString ofLanguage(const std::string& english, const std::string& chinese)
{
    const bool inChinese = isChinese() ? !chinese.empty() : english.empty();
    return format::plain(inChinese ? chinese : english);
}

std::size_t choicePlace(Choice choice) { return static_cast<std::size_t>(choice); }

QLabel* wrapped(const char* name, QWidget* parent)
{
    auto* label = named(new QLabel(parent), name);
    makePlainText(label);
    return label;
}

} // namespace

RecipeDock::RecipeDock(const Theme* theme, QWidget* parent)
    : QDockWidget(parent)
    , m_theme(theme)
{
    setObjectName("recipeDock");
    setProperty(kManualPage, QStringLiteral("recipes"));
    setAllowedAreas(Qt::LeftDockWidgetArea | Qt::RightDockWidgetArea);
    auto* panel = named(new QWidget(this), "recipePanel");
    auto* column = new QVBoxLayout(panel);
    column->setContentsMargins(kRecipeMargin, 10, kRecipeMargin, 10);
    auto* scroll = new QScrollArea(panel);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(makeForm());
    column->addWidget(scroll, 1);
    column->addWidget(makeFoot());
    setWidget(panel);
    hide();
    m_timer.setInterval(kShown);
    connect(&m_timer, &QTimer::timeout, this, &RecipeDock::showProof);
    theme->onChange(this, [this] { showRecipe(); });
    if (const auto first = explore::loadBuiltRecipe(std::string(explore::builtRecipes().front().name)))
        m_recipe = *first;
    onRetranslate(this, [this] { retranslate(); });
}

RecipeDock::~RecipeDock() = default;

const explore::ProofResult* RecipeDock::result() const { return m_proof ? m_proof->result() : nullptr; }

QWidget* RecipeDock::makeForm()
{
    auto* form = named(new QWidget(this), "recipeForm");
    auto* column = new QVBoxLayout(form);
    column->setContentsMargins(0, 0, 8, 0);
    auto* rows = new QGridLayout;
    rows->setVerticalSpacing(4);
    rows->setColumnStretch(0, 2);
    rows->setColumnStretch(1, 3);
    column->addLayout(rows);
    const auto add = [&](QLabel*& label, QComboBox* box) {
        label = new QLabel(form);
        label->setBuddy(box);
        label->setWordWrap(true);
        box->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        const int row = rows->rowCount();
        rows->addWidget(label, row, 0);
        rows->addWidget(box, row, 1);
    };
    m_ready = named(new Box(form), "recipeReady");
    add(m_readyLabel, m_ready);
    m_about = wrapped("recipeAbout", form);
    rows->addWidget(m_about, rows->rowCount(), 0, 1, 2);
    for (const explore::ChoiceRow& row : explore::choiceRows()) {
        auto* box = new Box(form);
        box->setObjectName(QStringLiteral("recipe.") + QString::fromUtf8(row.key));
        for (std::size_t i = 0; i < row.options.size(); ++i)
            box->addItem(QString());
        m_choices[choicePlace(row.choice)] = box;
        add(m_labels[choicePlace(row.choice)], box);
        connect(box, &QComboBox::activated, this,
                [this, choice = row.choice](int option) { choose(choice, option); });
    }
    connect(m_ready, &QComboBox::activated, this, [this](int place) {
        if (place > 0)
            openFile(m_ready->itemData(place).toString());
        else
            showRecipe();
    });
    m_algorithm = named(new QLabel(form), "recipeAlgorithm");
    m_algorithm->setWordWrap(true);
    m_algorithm->setTextFormat(Qt::RichText);
    m_algorithm->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    column->addSpacing(8);
    column->addWidget(m_algorithm);
    auto* files = new QHBoxLayout;
    m_open = named(new QPushButton(form), "recipeOpen");
    m_save = named(new QPushButton(form), "recipeSave");
    files->addWidget(m_open);
    files->addWidget(m_save);
    files->addStretch(1);
    column->addLayout(files);
    column->addStretch(1);
    connect(m_open, &QPushButton::clicked, this, [this] { askFor(false); });
    connect(m_save, &QPushButton::clicked, this, [this] { askFor(true); });
    return form;
}

QWidget* RecipeDock::makeFoot()
{
    auto* foot = new QWidget(this);
    auto* grid = new QGridLayout(foot);
    grid->setContentsMargins(0, 6, 0, 0);
    const auto number = [&](QLabel*& label, const char* name, int least, int most, int value) {
        auto* box = named(new WithoutWheel<QSpinBox>(foot), name);
        box->setRange(least, most);
        box->setValue(value);
        label = new QLabel(foot);
        label->setBuddy(box);
        connect(box, &QSpinBox::valueChanged, this, &RecipeDock::forgetProof);
        return box;
    };
    m_clients = number(m_clientsLabel, "recipeClients", 2, kMostClients, 2);
    m_faults = number(m_faultsLabel, "recipeFaults", 0, kMostFaults, 1);
    m_prove = named(new QPushButton(foot), "recipeProve");
    m_prove->setProperty("kind", "primary");
    m_verdict = wrapped("recipeVerdict", foot);
    m_show = named(new QPushButton(foot), "recipeShow");
    int place = 0;
    for (QWidget* part : std::initializer_list<QWidget*>{m_clientsLabel, m_clients, m_faultsLabel, m_faults})
        grid->addWidget(part, 0, place++);
    grid->setColumnStretch(place, 1);
    grid->addWidget(m_prove, 0, place + 1);
    grid->addWidget(m_verdict, 1, 0, 1, place + 2);
    grid->addWidget(m_show, 2, 0, 1, place + 2);
    connect(m_prove, &QPushButton::clicked, this, [this] { m_timer.isActive() ? cancel() : prove(); });
    connect(m_show, &QPushButton::clicked, this, [this] {
        if (const explore::ProofResult* done = result(); done && done->trace)
            emit runReady(done->trace, [name = title()] { return name; });
    });
    return foot;
}

void RecipeDock::retranslate()
{
    //: title of a panel, and a command: a lock recipe of one's own
    setWindowTitle(tr("Build Your Own Lock"));
    m_readyLabel->setText(tr("Recipe"));
    const int chosen = m_ready->currentIndex();
    m_ready->clear();
    //: a recipe that is none of the ready ones
    m_ready->addItem(tr("Your own"));
    for (const sim::BuiltIn& ready : explore::builtRecipes()) {
        const QString name = QString::fromUtf8(ready.name);
        const auto recipe = explore::loadBuiltRecipe(name.toStdString());
        m_ready->addItem(recipe ? ofLanguage(recipe->title, recipe->titleZh) : name, name);
    }
    m_ready->setCurrentIndex(chosen);
    for (const explore::ChoiceRow& row : explore::choiceRows()) {
        m_labels[choicePlace(row.choice)]->setText(translateMessage(row.title));
        QComboBox* box = m_choices[choicePlace(row.choice)];
        for (std::size_t i = 0; i < row.options.size(); ++i)
            box->setItemText(static_cast<int>(i), translateMessage(row.options[i].label));
        box->view()->setMinimumWidth(box->view()->sizeHintForColumn(0) + kRecipeMargin);
    }
    m_open->setText(tr("Open…"));
    m_open->setToolTip(tr("Opens the recipe of a file."));
    m_save->setText(tr("Save…"));
    m_save->setToolTip(tr("Saves the recipe in a file, which lockscope-cli explore proves, too."));
    m_clientsLabel->setText(tr("Clients"));
    m_faultsLabel->setText(tr("Faults"));
    m_show->setText(tr("Show Step by Step How It Breaks"));
    showRecipe();
}

QString RecipeDock::title() const
{
    const QString name = ofLanguage(m_recipe.title, m_recipe.titleZh);
    return name.isEmpty() ? tr("Your own lock") : name;
}

void RecipeDock::choose(Choice choice, int option)
{
    if (m_recipe[choice] == option)
        return;
    m_recipe[choice] = static_cast<std::uint8_t>(option);
    for (std::string* text : {&m_recipe.title, &m_recipe.titleZh, &m_recipe.about, &m_recipe.aboutZh})
        text->clear(); // they were said of another one
    m_changed = choice;
    forgetProof();
    showRecipe();
}

void RecipeDock::open(const explore::BuiltRecipe& recipe)
{
    m_recipe = recipe;
    m_changed.reset();
    forgetProof();
    showRecipe();
}

void RecipeDock::openFile(const QString& path)
{
    const auto read = explore::loadBuiltRecipe(path.toStdString());
    if (read)
        open(*read);
    else
        emit failed(read.error());
}

void RecipeDock::saveFile(const QString& path)
{
    AtomicFile file(path);
    if (!file.put(QByteArray::fromStdString(explore::toToml(m_recipe))))
        emit failed(Error{
            ErrorCode::ioFailed,
            message("The recipe %1 cannot be written: %2.", path.toStdString(), file.fault().toStdString()),
            {}});
}

void RecipeDock::askFor(bool save)
{
    FileQuestion question;
    question.title = save ? tr("Save the Recipe") : tr("Open a Recipe");
    question.filters = {tr("Recipes (*.toml)")};
    question.suffix = QStringLiteral("toml");
    question.name = save ? QStringLiteral("lock.toml") : QString();
    question.mode = save ? FileQuestion::Mode::save : FileQuestion::Mode::open;
    askForFile(question, this, [this, save](const QString& path) { save ? saveFile(path) : openFile(path); });
}

void RecipeDock::showRecipe()
{
    int ready = 0;
    for (int i = 1; i < m_ready->count(); ++i)
        if (const auto one = explore::loadBuiltRecipe(m_ready->itemData(i).toString().toStdString());
            one && one->options == m_recipe.options)
            ready = i;
    m_ready->setCurrentIndex(ready);
    const QString about = ofLanguage(m_recipe.about, m_recipe.aboutZh);
    m_about->setText(about);
    m_about->setVisible(!about.isEmpty());
    for (const explore::ChoiceRow& row : explore::choiceRows()) {
        QComboBox* box = m_choices[choicePlace(row.choice)];
        box->setCurrentIndex(m_recipe[row.choice]);
        box->setEnabled(m_recipe.matters(row.choice));
    }
    setTextColour(m_about, m_theme->palette().textMuted);
    showAlgorithm();
    showProof();
}

void RecipeDock::showAlgorithm()
{
    m_algorithm->setFont(m_theme->fonts().mono);
    m_algorithm->setText(algorithmHtml(m_recipe, m_changed, m_theme->palette()));
}

// ---- the proof ----

void RecipeDock::prove()
{
    forgetProof();
    explore::ProofOptions options;
    options.clients = static_cast<std::uint32_t>(m_clients->value());
    options.faults = static_cast<std::uint32_t>(m_faults->value());
    options.threads = std::max(1U, std::thread::hardware_concurrency());
    options.most = kMost;
    options.shortest = kShortest;
    m_since.start();
    m_proof = std::make_unique<explore::Proof>(m_recipe, options);
    m_timer.start();
    showProof();
}

void RecipeDock::cancel()
{
    if (m_proof)
        m_proof->cancel();
}

void RecipeDock::forgetProof()
{
    m_timer.stop();
    m_proof.reset();
    showProof();
}

void RecipeDock::showProof()
{
    const explore::ProofResult* done = result();
    if (done)
        m_timer.stop();
    const Palette& palette = m_theme->palette();
    QString text;
    QColor colour = palette.textMuted;
    if (done) {
        text = translateMessage(explore::verdictOf(m_recipe, *done));
        colour = done->found                                   ? palette.staleText
                 : done->search.end == explore::SearchEnd::all ? palette.holdsText
                                                               : palette.textMuted;
    } else if (m_proof) {
        const explore::SearchCount count = m_proof->progress();
        text = tr("%L1 schedules, %L2 states, %L3 s…")
                   .arg(count.schedules)
                   .arg(count.states)
                   .arg(m_since.elapsed() / 1000);
    } else {
        text = tr("Prove takes every schedule of the clients, with the faults at every place.");
    }
    m_verdict->setText(text);
    setTextColour(m_verdict, colour);
    m_prove->setText(m_timer.isActive() ? tr("Cancel") : tr("Prove"));
    m_show->setVisible(done && done->trace);
}

} // namespace lockscope::ui

#include "moc_recipe_dock.cpp"
