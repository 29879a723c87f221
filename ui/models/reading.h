// The run's news for what is read: tables, captions, pills. The same two signals as the run's own, as calm as
// eyes can follow: while the run keeps changing, each reader is told every kTurns-th frame, and the readers
// are shared out among the frames. What moves, and what can be done next, follows the run itself. GUI thread.
#pragma once

#include <QObject>

#include <array>
#include <cstddef>

namespace lockscope::ui {

class Reading : public QObject
{
    Q_OBJECT
signals:
    void stateChanged();
    void cursorMoved();
};

class ReadingTurns
{
public:
    static constexpr std::size_t kTurns = 4; // frames between two tellings of one reader

    const Reading* share(); // for one more reader: the frames take turns in getting them

    // What all readers are to be told.
    void noteState();
    void noteCursor();
    void forget();

    // In a frame of a run that may go on: those whose turn it is. All, when nothing has changed in two
    // frames: then it has come to rest.
    void tellInTurn(bool changed);
    void tellAll();

private:
    static constexpr int kRest = 2;
    struct Turn
    {
        Reading reading;
        bool state = false;
        bool cursor = false;
        void tell();
    };
    std::array<Turn, kTurns> m_turns;
    std::size_t m_shared = 0;
    std::size_t m_next = 0;
    int m_quiet = 0; // frames without a change
};

} // namespace lockscope::ui
