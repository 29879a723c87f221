<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>Charts</name>
    <message numerus="yes">
        <source>%Ln acquisitions</source>
        <translation>
            <numerusform>%Ln acquisition</numerusform>
            <numerusform>%Ln acquisitions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln handoffs</source>
        <translation>
            <numerusform>%Ln handoff</numerusform>
            <numerusform>%Ln handoffs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln clients woken</source>
        <translation>
            <numerusform>%Ln client woken</numerusform>
            <numerusform>%Ln clients woken</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln deleted nodes</source>
        <translation>
            <numerusform>%Ln deleted node</numerusform>
            <numerusform>%Ln deleted nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln requests</source>
        <translation>
            <numerusform>%Ln request</numerusform>
            <numerusform>%Ln requests</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln nodes now, %1 at most</source>
        <translation>
            <numerusform>%Ln node now, %1 at most</numerusform>
            <numerusform>%Ln nodes now, %1 at most</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln nodes now</source>
        <translation>
            <numerusform>%Ln node now</numerusform>
            <numerusform>%Ln nodes now</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MergeTraces</name>
    <message numerus="yes">
        <source>%Ln more traces</source>
        <translation>
            <numerusform>%Ln more trace</numerusform>
            <numerusform>%Ln more traces</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RunTitle</name>
    <message numerus="yes">
        <source>%1 · %Ln clients</source>
        <translation>
            <numerusform>%1 · %Ln client</numerusform>
            <numerusform>%1 · %Ln clients</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln locks</source>
        <translation>
            <numerusform>%Ln lock</numerusform>
            <numerusform>%Ln locks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Texts</name>
    <message numerus="yes">
        <source>%Ln watch</source>
        <extracomment>clients that watch</extracomment>
        <translation>
            <numerusform>%Ln watches</numerusform>
            <numerusform>%Ln watch</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln more believe it, too</source>
        <translation>
            <numerusform>%Ln more believes it, too</numerusform>
            <numerusform>%Ln more believe it, too</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>From now on %Ln may hold at once.</source>
        <translation>
            <numerusform>From now on %Ln may hold at once.</numerusform>
            <numerusform>From now on %Ln may hold at once.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln children</source>
        <translation>
            <numerusform>%Ln child</numerusform>
            <numerusform>%Ln children</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The observer read the whole list: %Ln nodes.</source>
        <translation>
            <numerusform>The observer read the whole list: %Ln node.</numerusform>
            <numerusform>The observer read the whole list: %Ln nodes.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The server&apos;s watch table was read: %Ln watches.</source>
        <translation>
            <numerusform>The server&apos;s watch table was read: %Ln watch.</numerusform>
            <numerusform>The server&apos;s watch table was read: %Ln watches.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 got the list: %Ln nodes.</source>
        <translation>
            <numerusform>%1 got the list: %Ln node.</numerusform>
            <numerusform>%1 got the list: %Ln nodes.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln spans share these pixels; zoom in to tell them apart</source>
        <translation>
            <numerusform>%Ln span has these pixels</numerusform>
            <numerusform>%Ln spans share these pixels; zoom in to tell them apart</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln handoffs</source>
        <translation>
            <numerusform>%Ln handoff</numerusform>
            <numerusform>%Ln handoffs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln events</source>
        <translation>
            <numerusform>%Ln event</numerusform>
            <numerusform>%Ln events</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln folded</source>
        <translation>
            <numerusform>%Ln folded</numerusform>
            <numerusform>%Ln folded</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>There is no room for %Ln more rows</source>
        <translation>
            <numerusform>There is no room for %Ln more row</numerusform>
            <numerusform>There is no room for %Ln more rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln holds</source>
        <translation>
            <numerusform>%Ln hold</numerusform>
            <numerusform>%Ln holds</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more who held</source>
        <translation>
            <numerusform>and %Ln more who held</numerusform>
            <numerusform>and %Ln more who held</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 held %2, %Ln times (%3)</source>
        <translation>
            <numerusform>%1 held %2, once (%3)</numerusform>
            <numerusform>%1 held %2, %Ln times (%3)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln gaps</source>
        <translation>
            <numerusform>%Ln gap</numerusform>
            <numerusform>%Ln gaps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln nodes gone before they were read</source>
        <translation>
            <numerusform>%Ln node gone before it was read</numerusform>
            <numerusform>%Ln nodes gone before they were read</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln waits</source>
        <translation>
            <numerusform>%Ln wait</numerusform>
            <numerusform>%Ln waits</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln clients wait</source>
        <translation>
            <numerusform>%Ln client waits</numerusform>
            <numerusform>%Ln clients wait</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 and %Ln more</source>
        <translation>
            <numerusform>%1 and %Ln more</numerusform>
            <numerusform>%1 and %Ln more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more traces</source>
        <translation>
            <numerusform>and %Ln more trace</numerusform>
            <numerusform>and %Ln more traces</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::AttachDialog</name>
    <message numerus="yes">
        <source>Join %1 with %Ln clients?</source>
        <translation>
            <numerusform>Join %1 with %Ln client?</numerusform>
            <numerusform>Join %1 with %Ln clients?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Nothing was changed, and no client was started. Watch: the lock is shown, and still nothing is changed. Join: %Ln clients of LockScope create nodes there, queue with these programs, hold the lock in their turn and queue again until you end the run; the programs wait for them.</source>
        <translation>
            <numerusform>Nothing was changed, and no client was started. Watch: the lock is shown, and still nothing is changed. Join: %Ln client of LockScope creates a node there, queues with these programs, holds the lock in its turn and queues again until you end the run; the programs wait for it.</numerusform>
            <numerusform>Nothing was changed, and no client was started. Watch: the lock is shown, and still nothing is changed. Join: %Ln clients of LockScope create nodes there, queue with these programs, hold the lock in their turn and queue again until you end the run; the programs wait for them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&amp;Join with %Ln clients</source>
        <translation>
            <numerusform>&amp;Join with %Ln client</numerusform>
            <numerusform>&amp;Join with %Ln clients</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ClientsView</name>
    <message numerus="yes">
        <source> · wrong %Ln times</source>
        <translation>
            <numerusform> · wrong once</numerusform>
            <numerusform> · wrong %Ln times</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln sessions</source>
        <translation>
            <numerusform>%Ln session</numerusform>
            <numerusform>%Ln sessions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::CloseQuestion</name>
    <message numerus="yes">
        <source>%1 · %Ln bookmark(s)</source>
        <translation>
            <numerusform>%1 · %Ln bookmark</numerusform>
            <numerusform>%1 · %Ln bookmarks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>and %Ln more</numerusform>
            <numerusform>and %Ln more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::CompareChainView</name>
    <message numerus="yes">
        <source>%Ln watches on one node</source>
        <translation>
            <numerusform>%Ln watch on one node</numerusform>
            <numerusform>%Ln watches on one node</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::CompareTimelineView</name>
    <message numerus="yes">
        <source>%Ln lanes</source>
        <translation>
            <numerusform>%Ln lane</numerusform>
            <numerusform>%Ln lanes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::CompareWindow</name>
    <message numerus="yes">
        <source>%Ln clients each</source>
        <translation>
            <numerusform>%Ln client each</numerusform>
            <numerusform>%Ln clients each</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln clients</source>
        <translation>
            <numerusform>%Ln client</numerusform>
            <numerusform>%Ln clients</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln clients · %1 · ZooKeeper %2</source>
        <translation>
            <numerusform>%Ln client · %1 · ZooKeeper %2</numerusform>
            <numerusform>%Ln clients · %1 · ZooKeeper %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ExportController</name>
    <message numerus="yes">
        <source>Created %1 from %Ln picture(s).</source>
        <translation>
            <numerusform>Created %1 from %Ln picture.</numerusform>
            <numerusform>Created %1 from %Ln pictures.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Created %Ln picture(s) in %1; make-a-film.txt explains how to turn them into a film.</source>
        <translation>
            <numerusform>Created %Ln picture in %1; make-a-film.txt explains how to turn them into a film.</numerusform>
            <numerusform>Created %Ln pictures in %1; make-a-film.txt explains how to turn them into a film.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::FindingsPills</name>
    <message numerus="yes">
        <source>%Ln violated</source>
        <translation>
            <numerusform>%Ln violated</numerusform>
            <numerusform>%Ln violated</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::FramesDialog</name>
    <message numerus="yes">
        <source>%Ln picture(s), frame-0001.png and so on, and a text file with the command that turns them into a film.</source>
        <translation>
            <numerusform>%Ln picture, frame-0001.png and so on, and a text file with the command that turns them into a film.</numerusform>
            <numerusform>%Ln pictures, frame-0001.png and so on, and a text file with the command that turns them into a film.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln picture(s) in one file that repeats every %1.</source>
        <translation>
            <numerusform>%Ln picture in one file that repeats every %1.</numerusform>
            <numerusform>%Ln pictures in one file that repeats every %1.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::HandoffsView</name>
    <message numerus="yes">
        <source>%Ln handoffs</source>
        <translation>
            <numerusform>%Ln handoff</numerusform>
            <numerusform>%Ln handoffs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::JudgeController</name>
    <message numerus="yes">
        <source>The lock is not right: %Ln rules are violated. %1</source>
        <translation>
            <numerusform>The lock is not right: %Ln rule is violated. %1</numerusform>
            <numerusform>The lock is not right: %Ln rules are violated. %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No rule is violated: %Ln planned faults met a copy, and the lock was acquired %1 times.</source>
        <translation>
            <numerusform>No rule is violated: %Ln planned fault met a copy, and the lock was acquired %1 times.</numerusform>
            <numerusform>No rule is violated: %Ln planned faults met a copy, and the lock was acquired %1 times.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LessonController</name>
    <message numerus="yes">
        <source>%1 (%n min)</source>
        <translation>
            <numerusform>%1 (%n min)</numerusform>
            <numerusform>%1 (%n min)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Learn (%Ln Minutes)</source>
        <translation>
            <numerusform>Learn (%Ln Minute)</numerusform>
            <numerusform>Learn (%Ln Minutes)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LessonPanel</name>
    <message numerus="yes">
        <source>%1 of %n hands were right.</source>
        <translation>
            <numerusform>%1 of %n hand was right.</numerusform>
            <numerusform>%1 of %n hands were right.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n bets were right.</source>
        <translation>
            <numerusform>%1 of %n bet was right.</numerusform>
            <numerusform>%1 of %n bets were right.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>✓ Done in %n moves.</source>
        <translation>
            <numerusform>✓ Done in %n move.</numerusform>
            <numerusform>✓ Done in %n moves.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The shortest known way has %n moves.</source>
        <translation>
            <numerusform>The shortest known way has %n move.</numerusform>
            <numerusform>The shortest known way has %n moves.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>You skipped %Ln steps: the lesson does not count as done yet.</source>
        <translation>
            <numerusform>You skipped %Ln step: the lesson does not count as done yet.</numerusform>
            <numerusform>You skipped %Ln steps: the lesson does not count as done yet.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LogView</name>
    <message numerus="yes">
        <source>%Ln newer lines below</source>
        <translation>
            <numerusform>%Ln newer line below</numerusform>
            <numerusform>%Ln newer lines below</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::OptionButton</name>
    <message numerus="yes">
        <source>%n hands</source>
        <translation>
            <numerusform>%n hand</numerusform>
            <numerusform>%n hands</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::RunController</name>
    <message numerus="yes">
        <source>Saved %Ln steps to %1. Running it takes them again.</source>
        <translation>
            <numerusform>Saved %Ln step to %1. Running it takes it again.</numerusform>
            <numerusform>Saved %Ln steps to %1. Running it takes them again.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>A new run takes the same %Ln steps, then stops all clients.</source>
        <translation>
            <numerusform>A new run takes the same %Ln step, then stops all clients.</numerusform>
            <numerusform>A new run takes the same %Ln steps, then stops all clients.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ScenarioEditor</name>
    <message numerus="yes">
        <source>%Ln mistakes, marked in the form and on the tabs.</source>
        <translation>
            <numerusform>%Ln mistake, marked in the form and on the tab.</numerusform>
            <numerusform>%Ln mistakes, marked in the form and on the tabs.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ServerBadge</name>
    <message numerus="yes">
        <source>%Ln servers</source>
        <translation>
            <numerusform>%Ln server</numerusform>
            <numerusform>%Ln servers</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::TimelineSearchBar</name>
    <message numerus="yes">
        <source>%Ln events match</source>
        <translation>
            <numerusform>%Ln event matches</numerusform>
            <numerusform>%Ln events match</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::WatchPanel</name>
    <message numerus="yes">
        <source>! %Ln look stuck</source>
        <translation>
            <numerusform>! %Ln looks stuck</numerusform>
            <numerusform>! %Ln look stuck</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln locks</source>
        <translation>
            <numerusform>%Ln lock</numerusform>
            <numerusform>%Ln locks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::WatchedLocksModel</name>
    <message numerus="yes">
        <source>%Ln holders</source>
        <translation>
            <numerusform>%Ln holder</numerusform>
            <numerusform>%Ln holders</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::WelcomePage</name>
    <message numerus="yes">
        <source>Search %Ln scenarios…</source>
        <translation>
            <numerusform>Search %Ln scenario…</numerusform>
            <numerusform>Search %Ln scenarios…</numerusform>
        </translation>
    </message>
</context>
</TS>
