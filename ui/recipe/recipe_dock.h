// A lock recipe that the user builds from choices: the form, the algorithm that follows from it, the proof
// with its progress, and the verdict. The way in which it breaks comes as a run. GUI thread; the proof runs
// on threads of its own.
#pragma once

#include <QDockWidget>
#include <QElapsedTimer>
#include <QTimer>

#include "core/explore/built_recipe.h"
#include "ui/models/style/retranslate.h"

#include <array>
#include <memory>
#include <optional>

class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;

// core/explore/proof.h reaches a name that is a macro of Qt.
namespace lockscope::explore {
class Proof;
struct ProofResult;
} // namespace lockscope::explore
namespace lockscope::trace {
class TraceStore;
}

namespace lockscope::ui {

class Theme;

class RecipeDock : public QDockWidget
{
    Q_OBJECT
public:
    RecipeDock(const Theme* theme, QWidget* parent);
    ~RecipeDock() override; // ends the proof

    const explore::BuiltRecipe& recipe() const { return m_recipe; }
    const explore::ProofResult* result() const; // null: there is none yet

    void open(const explore::BuiltRecipe& recipe);
    void openFile(const QString& path);
    void saveFile(const QString& path);
    void prove();
    void cancel(); // the verdict says how far the proof came

signals:
    // How it breaks, from its beginning.
    void runReady(const std::shared_ptr<const lockscope::trace::TraceStore>& store,
                  const lockscope::ui::TextProvider& label);
    void failed(const lockscope::Error& error);

private:
    QWidget* makeForm();
    QWidget* makeFoot();
    void retranslate();
    void choose(explore::Choice choice, int option);
    void showRecipe(); // in the form, and what follows from it
    void showAlgorithm();
    void showProof();
    void forgetProof();
    void askFor(bool save);
    QString title() const;

    const Theme* m_theme;
    explore::BuiltRecipe m_recipe;
    std::optional<explore::Choice> m_changed; // the last choice that was made
    std::unique_ptr<explore::Proof> m_proof;
    QTimer m_timer;
    QElapsedTimer m_since; // the proof began

    QLabel* m_readyLabel;
    QComboBox* m_ready; // its first entry stands for any other recipe
    QLabel* m_about;
    std::array<QLabel*, explore::kChoices> m_labels{};
    std::array<QComboBox*, explore::kChoices> m_choices{};
    QLabel* m_algorithm;
    QPushButton* m_open;
    QPushButton* m_save;
    QLabel* m_clientsLabel;
    QSpinBox* m_clients;
    QLabel* m_faultsLabel;
    QSpinBox* m_faults;
    QPushButton* m_prove; // or cancels
    QLabel* m_verdict;
    QPushButton* m_show;
};

} // namespace lockscope::ui
