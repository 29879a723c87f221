import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderLatchListener;
import org.apache.curator.framework.recipes.leader.Participant;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreV2;
import org.apache.curator.framework.recipes.locks.Lease;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;

/** One client: a session of its own, and one thread on which it executes its commands in order. */
final class LockClient
{
    private final int id;
    private final String host;
    private final CuratorFramework framework;
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private LeaderLatch latch; // on its thread only
    private final Map<String, InterProcessMutex> locks = new HashMap<>(); // on its thread only

    LockClient(int id, String host, int timeoutMs)
    {
        this.id = id;
        this.host = host;
        framework = CuratorFrameworkFactory.builder()
                        .connectString(host)
                        .sessionTimeoutMs(timeoutMs)
                        .connectionTimeoutMs(60_000)
                        .retryPolicy(new ExponentialBackoffRetry(50, 10))
                        .build();
        framework.start();
        thread.execute(() -> {}); // the thread is there from the beginning
    }

    int id() { return id; }

    void waitUntilConnected() throws Exception
    {
        if (!framework.blockUntilConnected(120, TimeUnit.SECONDS))
            throw new IllegalStateException("client " + id + " does not get a session");
    }

    /** Runs it on the client's thread; what goes wrong is said. */
    void run(Callable<Void> work)
    {
        thread.execute(() -> {
            try {
                work.call();
            } catch (Exception error) {
                CuratorPeer.say("failed " + id + " " + error);
            }
        });
    }

    /** The same lock object for the same kind and path. On the client's thread. */
    InterProcessMutex lock(String kind, String path)
    {
        if (!locks.containsKey(kind + path)) {
            if (kind.equals("mutex")) {
                locks.put(kind + path, new InterProcessMutex(framework, path));
            } else {
                InterProcessReadWriteLock both = new InterProcessReadWriteLock(framework, path);
                locks.put("read" + path, both.readLock());
                locks.put("write" + path, both.writeLock());
            }
        }
        return locks.get(kind + path);
    }

    void acquire(String kind, String path, long limitMs)
    {
        run(() -> {
            boolean got = lock(kind, path).acquire(limitMs, TimeUnit.MILLISECONDS);
            CuratorPeer.say((got ? "acquired " : "timed-out ") + id);
            return null;
        });
    }

    void release(String kind, String path)
    {
        run(() -> {
            lock(kind, path).release();
            CuratorPeer.say("released " + id);
            return null;
        });
    }

    void list(String path)
    {
        run(() -> {
            StringBuilder line = new StringBuilder("participants " + id);
            for (String node : lock("mutex", path).getParticipantNodes())
                line.append(' ').append(node.substring(node.lastIndexOf('/') + 1));
            CuratorPeer.say(line.toString());
            return null;
        });
    }

    /** Ends the session as the server does: a second connection with the same session id closes it. Any thread. */
    void kill() throws Exception
    {
        ZooKeeper mine = framework.getZookeeperClient().getZooKeeper();
        CountDownLatch connected = new CountDownLatch(1);
        ZooKeeper second = new ZooKeeper(host, 30_000, event -> {
            if (event.getState() == Watcher.Event.KeeperState.SyncConnected)
                connected.countDown();
        }, mine.getSessionId(), mine.getSessionPasswd());
        boolean there = connected.await(60, TimeUnit.SECONDS);
        second.close();
        CuratorPeer.say((there ? "killed " : "failed ") + id);
    }

    /** So many times in and out, inside for so long. */
    void hold(String kind, String path, int times, long holdMs)
    {
        run(() -> {
            for (int i = 0; i < times; ++i) {
                lock(kind, path).acquire();
                Thread.sleep(holdMs);
                lock(kind, path).release();
            }
            CuratorPeer.say("held " + id + " " + times);
            return null;
        });
    }

    /** So many times a lease of a semaphore that has two, for a millisecond each. */
    void lease(String path, int times)
    {
        run(() -> {
            InterProcessSemaphoreV2 semaphore = new InterProcessSemaphoreV2(framework, path, 2);
            for (int i = 0; i < times; ++i) {
                Lease lease = semaphore.acquire();
                Thread.sleep(1);
                semaphore.returnLease(lease);
            }
            CuratorPeer.say("leased " + id + " " + times);
            return null;
        });
    }

    /** Takes part in an election; says when it leads, and when it does so no longer. */
    void elect(String path, String name)
    {
        run(() -> {
            latch = new LeaderLatch(framework, path, name);
            latch.addListener(new LeaderLatchListener() {
                @Override
                public void isLeader()
                {
                    CuratorPeer.say("leads " + id);
                }
                @Override
                public void notLeader()
                {
                    CuratorPeer.say("leads-not " + id);
                }
            });
            latch.start();
            return null;
        });
    }

    void resign()
    {
        run(() -> {
            latch.close();
            CuratorPeer.say("resigned " + id);
            return null;
        });
    }

    /** Who takes part, in their order, as Curator sees it; the leader has a star. */
    void elected()
    {
        run(() -> {
            StringBuilder line = new StringBuilder("candidates " + id);
            for (Participant one : latch.getParticipants())
                line.append(' ').append(one.getId()).append(one.isLeader() ? "*" : "");
            CuratorPeer.say(line.toString());
            return null;
        });
    }

    /**
     * So many times in and out. The client inside owns the marker, a file that can be made only once at a time: a
     * second one inside is a collision.
     */
    void cycle(String kind, String path, int times, String marker)
    {
        run(() -> {
            int collisions = 0;
            for (int i = 0; i < times; ++i) {
                lock(kind, path).acquire();
                try {
                    Files.createFile(Path.of(marker));
                    Thread.sleep(1);
                    Files.delete(Path.of(marker));
                } catch (FileAlreadyExistsException anotherIsInside) {
                    ++collisions;
                }
                lock(kind, path).release();
            }
            CuratorPeer.say("cycled " + id + " " + times + " " + collisions);
            return null;
        });
    }
}
