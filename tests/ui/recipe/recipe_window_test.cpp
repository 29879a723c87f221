// A lock of one's own in the window: built from choices, proven, and shown step by step as it breaks.
#include "tests/ui/window_test_fixture.h"
#include "ui/recipe/recipe_dock.h"

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>

#undef forever // of Qt; a name of the lock library
#include "core/explore/proof.h"

namespace lockscope::ui {
namespace {

struct RecipeWindowTest : WindowTest
{
    RecipeWindowTest()
    {
        MainWindow::Setup setup;
        setup.settings = &settings;
        window = shownWindow(setup);
        action("buildRecipe")->trigger();
    }
    RecipeDock& dock() { return window->recipe(); }
    template <class Part>
    Part* part(const char* name)
    {
        return dock().findChild<Part*>(QString::fromLatin1(name));
    }
    // As a user does it: with the keys of the box.
    void choose(const char* key, int option)
    {
        auto* box = part<QComboBox>(key);
        ASSERT_TRUE(box && box->isEnabled()) << key;
        box->setFocus();
        while (box->currentIndex() != option)
            QTest::keyClick(box, box->currentIndex() < option ? Qt::Key_Down : Qt::Key_Up);
    }
    bool prove(int faults)
    {
        part<QSpinBox>("recipeFaults")->setValue(faults);
        QTest::mouseClick(part<QPushButton>("recipeProve"), Qt::LeftButton);
        return waitFor(
            [this] { return dock().result() && part<QPushButton>("recipeProve")->text() == "Prove"; });
    }
    QString verdict() { return part<QLabel>("recipeVerdict")->text(); }
    QString algorithm() { return part<QLabel>("recipeAlgorithm")->text(); }
};

TEST_F(RecipeWindowTest, AWrongRecipeIsRefutedShownAndMendedByOneChoice)
{
    ASSERT_TRUE(dock().isVisible());
    EXPECT_TRUE(part<QPushButton>("recipeShow")->isHidden());
    EXPECT_TRUE(algorithm().contains("getData(kids[i-1])"));
    choose("recipe.watch", static_cast<int>(explore::Watched::nothing));
    EXPECT_EQ(dock().recipe().watched(), explore::Watched::nothing);
    EXPECT_FALSE(algorithm().contains("getData(kids[i-1])"));
    EXPECT_TRUE(algorithm().contains("background-color")) << "what the choice has changed is marked";
    ASSERT_TRUE(prove(0));
    ASSERT_TRUE(dock().result()->found);
    EXPECT_EQ(dock().result()->found->violation.invariant, "S7");
    EXPECT_TRUE(verdict().startsWith("It breaks in")) << verdict().toStdString();
    ASSERT_TRUE(part<QPushButton>("recipeShow")->isVisible());
    const auto trace = dock().result()->trace;
    QTest::mouseClick(part<QPushButton>("recipeShow"), Qt::LeftButton);
    EXPECT_EQ(window->model().store(), trace.get());
    EXPECT_LT(window->model().position(), trace->count()) << "from its beginning";
    choose("recipe.watch", static_cast<int>(explore::Watched::beforeByGetData));
    EXPECT_TRUE(part<QPushButton>("recipeShow")->isHidden()) << "it was of another recipe";
    EXPECT_EQ(window->model().store(), trace.get());
    ASSERT_TRUE(prove(0));
    EXPECT_FALSE(dock().result()->found);
    EXPECT_TRUE(verdict().startsWith("The rules hold in all")) << verdict().toStdString();
}

TEST_F(RecipeWindowTest, AProofIsCancelledAndSaysHowFarItCame)
{
    part<QSpinBox>("recipeClients")->setValue(3);
    part<QSpinBox>("recipeFaults")->setValue(2);
    QTest::mouseClick(part<QPushButton>("recipeProve"), Qt::LeftButton);
    EXPECT_EQ(part<QPushButton>("recipeProve")->text(), "Cancel");
    EXPECT_FALSE(dock().result());
    QTest::mouseClick(part<QPushButton>("recipeProve"), Qt::LeftButton);
    ASSERT_TRUE(waitFor([this] { return dock().result() && verdict().contains("not all"); }))
        << verdict().toStdString();
    EXPECT_EQ(part<QPushButton>("recipeProve")->text(), "Prove");
}

TEST_F(RecipeWindowTest, AReadyOneIsChosenAndAFileIsReadBackAsItWasSaved)
{
    auto* ready = part<QComboBox>("recipeReady");
    EXPECT_EQ(ready->count(), static_cast<int>(explore::builtRecipes().size()) + 1);
    choose("recipeReady", 3);
    const explore::BuiltRecipe chosen =
        explore::loadBuiltRecipe(ready->itemData(3).toString().toStdString()).value();
    EXPECT_EQ(dock().recipe(), chosen);
    EXPECT_TRUE(part<QLabel>("recipeAbout")->isVisible());
    choose("recipe.fencing", 1 - chosen[explore::Choice::fencing]);
    const explore::BuiltRecipe own = dock().recipe();
    EXPECT_TRUE(own.title.empty()) << "it is another one now";
    const QString file = folder.filePath("mine.toml");
    dock().saveFile(file);
    choose("recipeReady", 1);
    ASSERT_NE(dock().recipe(), own);
    dock().openFile(file);
    EXPECT_EQ(dock().recipe().options, own.options);
    QFile broken(file);
    ASSERT_TRUE(broken.open(QIODevice::WriteOnly) && broken.write("watch = 3\n") > 0);
    broken.close();
    dock().openFile(file);
    EXPECT_EQ(dock().recipe().options, own.options) << "as it was";
    EXPECT_TRUE(waitForMessage("mine.toml:1:")) << messages().toStdString();
}

} // namespace
} // namespace lockscope::ui
