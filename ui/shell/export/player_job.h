// Makes the page that plays a run: steps through its events with views of its own, which are never on the
// screen, and has them drawn in both languages and both colour schemes. GUI thread, a picture at a time; the
// page is packed and written in a worker thread.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>

#include "core/base/error.h"
#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/trace/store.h"
#include "ui/models/run/worker.h"

#include <memory>
#include <optional>
#include <vector>

namespace lockscope::ui {

struct PlayerPlan
{
    std::shared_ptr<const trace::TraceStore> store; // as it may be written to a file
    std::optional<TraceTime> begin, end;            // empty: all of the run so far
    QString path;
    QString language; // shown first: "en" or "zh_CN"
    QString scheme;   // shown first: "light" or "dark"; empty: as the browser is set

    static constexpr std::size_t kMaxSteps = 1000;
    std::vector<EventIndex> steps() const; // the events of the protocol log in that time
};

class PlayerJob : public QObject
{
    Q_OBJECT
public:
    static constexpr qsizetype kMaxBytes = 8 * 1024 * 1024;
    explicit PlayerJob(QObject* parent = nullptr);
    ~PlayerJob() override; // waits for a page that is being written: see isEnded()

    void start(const PlayerPlan& plan); // may be called again after the end, also before isEnded()
    void cancel();                      // does not wait
    bool active() const { return m_stage != nullptr; }
    bool isEnded() { return !active() && !m_worker.busy(); } // destroying it does not wait

signals:
    void progress(int percent);
    void done();
    void failed(const lockscope::Error& error); // also when canceled
    void ended();                               // after done() or failed(), once isEnded()

private:
    struct Stage;
    void drawNext();
    void drawPicture();
    void addTexts(EventIndex event, const QString& language);
    void addWords(const QString& language);
    void write();
    void fail(const Error& error);

    PlayerPlan m_plan;
    std::vector<EventIndex> m_steps;
    std::size_t m_next = 0;         // picture
    std::unique_ptr<Stage> m_stage; // null: not active
    QTimer m_timer;
    Worker m_worker{this};
};

} // namespace lockscope::ui
