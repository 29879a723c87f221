import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.ExponentialBackoffRetry;

/**
 * A right use of Curator's mutex, for lockscope-cli judge -- java -cp ... CuratorRight. It has the lock only while the
 * session is connected; when the connection is suspended it stops at once. Its session timeout is its argument, in
 * milliseconds.
 */
public final class CuratorRight
{
    private static final long WORK_MS = 50;

    /** Whether we may do what the lock protects. Its lines are in order, whoever says them. */
    private static final class Claim
    {
        private long connection; // counts the losses of contact
        private boolean on;

        synchronized long connection() { return connection; }

        synchronized boolean begin(long of)
        {
            if (of != connection)
                return false; // contact was lost while we waited: what was read may be old
            on = true;
            say("acquired");
            return true;
        }

        synchronized void end()
        {
            if (on)
                say("released");
            on = false;
            notifyAll();
        }

        synchronized void lostContact()
        {
            ++connection;
            end();
        }

        synchronized void work() throws InterruptedException
        {
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(WORK_MS);
            for (long left = WORK_MS; on && left > 0; left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime()))
                wait(left);
        }
    }

    private static void say(String line)
    {
        System.out.print(line + "\n");
        System.out.flush();
    }

    public static void main(String[] arguments) throws Exception
    {
        int timeout = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 4000;
        CuratorFramework client = CuratorFrameworkFactory.newClient(System.getenv("LOCKSCOPE_CONNECT"), timeout, 15000,
                                                                    new ExponentialBackoffRetry(100, 20, 500));
        Claim claim = new Claim();
        client.getConnectionStateListenable().addListener((from, state) -> {
            if (state == ConnectionState.SUSPENDED || state == ConnectionState.LOST)
                claim.lostContact();
        });
        client.start();
        client.blockUntilConnected();
        InterProcessMutex mutex = new InterProcessMutex(client, System.getenv("LOCKSCOPE_LOCK"));
        while (true) {
            try {
                long connection = claim.connection();
                mutex.acquire();
                try {
                    if (claim.begin(connection)) {
                        claim.work();
                        claim.end(); // before it is given up
                    }
                } finally {
                    mutex.release();
                }
            } catch (Exception error) {
                System.err.println(error);
                Thread.sleep(100);
            }
        }
    }
}
