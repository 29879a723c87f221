// Known mistakes in lock recipes, each of which can be switched on: the teaching recipes show what they cost,
// and the explorer of schedules proves with them that its checks can fail. A lock without any of them is the
// real one. Plain values.
#pragma once

namespace lockscope::lock {

struct RecipeBugs
{
    bool noGuidSearch =
        false; // reply to the create lost: makes another node, the first one stays (CURATOR-45)
    bool existsInsteadOfGet =
        false; // watches with exists: a node that is gone already leaves a watch behind (CURATOR-107)
    bool noOwnerCheck =
        false; // takes a node found by its prefix whatever session it belongs to (CURATOR-498)
    bool forgetfulRelease = false; // a release tries to delete once and forgets (CURATOR-486)
    bool watchesLastNode =
        false;                   // watches the last node of the queue when there is one behind it (kazoo 649)
    bool announcesEarly = false; // says that it holds while it waits
    bool oldDowngrade =
        false; // a writer that reads too gets a number behind the writers that wait (CURATOR-621)
    bool acceptsAnySync = false; // believes a list after a sync that was refused: a second node (CURATOR-264)
    bool noHoldRewatch = false;  // watches its own node once: after a cut or a refusal it does not
    bool acceptsOverflow =
        false; // takes a number that the server's counter reached by its overflow (ZOOKEEPER-2944)
    bool noOwnWatch = false; // waits for an announced predecessor without a watch on its own node

    bool any() const
    {
        return noGuidSearch || existsInsteadOfGet || noOwnerCheck || forgetfulRelease || watchesLastNode ||
               announcesEarly || oldDowngrade || acceptsAnySync || noHoldRewatch || acceptsOverflow ||
               noOwnWatch;
    }
};

} // namespace lockscope::lock
