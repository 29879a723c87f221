// Known bugs of lock recipes, each of which can be switched on: the teaching recipes show their consequences,
// and the explorer of schedules uses them to prove that its checks can fail. Without any of them, the recipe
// is the real one. Plain values.
#pragma once

namespace lockscope::lock {

struct RecipeBugs
{
    bool noGuidSearch =
        false; // after a lost reply to the create, makes a second node; the first one stays (CURATOR-45)
    bool existsInsteadOfGet =
        false; // watches with exists, which leaves a watch behind on a node already deleted (CURATOR-107)
    bool noOwnerCheck =
        false; // accepts a node found by its prefix even if another session owns it (CURATOR-498)
    bool forgetfulRelease = false; // a release sends one delete and ignores its result (CURATOR-486)
    bool watchesLastNode =
        false;                   // always watches the last node of the queue, even behind its own (kazoo 649)
    bool announcesEarly = false; // announces that it holds the lock while it waits
    bool oldDowngrade =
        false; // a writer that also reads gets a number behind the waiting writers (CURATOR-621)
    bool acceptsAnySync = false; // trusts a list after a refused sync: makes a second node (CURATOR-264)
    bool noHoldRewatch = false;  // watches its own node once: not again after a disconnect or a refusal
    bool acceptsOverflow =
        false; // accepts a number that follows the overflow of the server's counter (ZOOKEEPER-2944)
    bool noOwnWatch = false; // waits for an announced predecessor without a watch on its own node
    bool grantsLostHold =
        false; // grants a re-entry although the hold was lost before the caller learns of it

    bool any() const
    {
        return noGuidSearch || existsInsteadOfGet || noOwnerCheck || forgetfulRelease || watchesLastNode ||
               announcesEarly || oldDowngrade || acceptsAnySync || noHoldRewatch || acceptsOverflow ||
               noOwnWatch || grantsLostHold;
    }
};

} // namespace lockscope::lock
