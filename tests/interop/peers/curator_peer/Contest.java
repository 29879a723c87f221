import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;

/** What is measured. System.nanoTime() is CLOCK_MONOTONIC. */
final class Contest
{
    private Contest() {}

    /** In and out without contention, after a tenth of that to warm up. */
    static void uncontended(LockClient client, String path, int cycles)
    {
        client.run(() -> {
            InterProcessMutex lock = client.lock("mutex", path);
            long begin = 0;
            for (int i = -cycles / 10; i < cycles; ++i) {
                if (i == 0)
                    begin = System.nanoTime();
                lock.acquire();
                lock.release();
            }
            CuratorPeer.say("uncontended " + (System.nanoTime() - begin));
            return null;
        });
    }

    /**
     * All clients on one lock until it was acquired `target` times, each queueing up again after its release; those
     * in the queue by then pass through without holding. Says called, acquired and releasing of every hold.
     */
    static void contend(List<LockClient> clients, String path, int target, long holdUs) throws Exception
    {
        AtomicInteger acquired = new AtomicInteger();
        CountDownLatch finished = new CountDownLatch(clients.size());
        List<StringBuilder> reports = new ArrayList<>();
        for (LockClient client : clients) {
            StringBuilder report = new StringBuilder();
            reports.add(report);
            client.run(() -> {
                try {
                    takePart(client.lock("mutex", path), acquired, target, holdUs, report);
                } finally {
                    finished.countDown();
                }
                return null;
            });
        }
        finished.await();
        StringBuilder all = new StringBuilder();
        for (StringBuilder report : reports)
            all.append(report);
        CuratorPeer.say(all + "contended " + acquired.get());
    }

    private static void takePart(InterProcessMutex lock, AtomicInteger acquired, int target, long holdUs,
                                 StringBuilder report) throws Exception
    {
        while (acquired.get() < target) {
            long called = System.nanoTime();
            lock.acquire();
            long got = System.nanoTime();
            if (acquired.get() < target)
                hold(got + holdUs * 1000);
            acquired.incrementAndGet();
            long releasing = System.nanoTime();
            lock.release();
            report.append("hold ").append(called).append(' ').append(got).append(' ').append(releasing).append('\n');
        }
    }

    private static void hold(long until)
    {
        for (long left = until - System.nanoTime(); left > 0; left = until - System.nanoTime())
            LockSupport.parkNanos(left);
    }
}
