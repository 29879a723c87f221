import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Clients of Curator's locks, driven line by line: "CuratorPeer HOST:PORT". The words are in ../README.md.
 * One thread a client, as Curator's locks belong to threads; the main thread only reads. Ends at once, whatever its
 * clients do, when standard input ends: nothing outlives the program that started it.
 */
public final class CuratorPeer
{
    private final String host;
    private final Map<Integer, LockClient> clients = new TreeMap<>();

    private CuratorPeer(String host) { this.host = host; }

    public static void main(String[] arguments) throws Exception
    {
        CuratorPeer peer = new CuratorPeer(arguments[0]);
        say("ready");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            try {
                peer.obey(line.split(" "));
            } catch (Exception error) {
                say("failed 0 " + line + ": " + error);
            }
        }
        Runtime.getRuntime().halt(0);
    }

    static void say(String line)
    {
        synchronized (System.out) {
            System.out.print(line + "\n");
            System.out.flush();
        }
    }

    private void obey(String[] words) throws Exception
    {
        switch (words[0]) {
        case "open" -> open(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
        case "acquire" -> client(words).acquire(words[2], words[3], Long.parseLong(words[4]));
        case "release" -> client(words).release(words[2], words[3]);
        case "list" -> client(words).list(words[2]);
        case "kill" -> client(words).kill();
        case "cycle" -> client(words).cycle(words[2], words[3], Integer.parseInt(words[4]), words[5]);
        case "hold" -> client(words).hold(words[2], words[3], Integer.parseInt(words[4]), Long.parseLong(words[5]));
        case "lease" -> client(words).lease(words[2], Integer.parseInt(words[3]));
        case "elect" -> client(words).elect(words[2], words[3]);
        case "resign" -> client(words).resign();
        case "elected" -> client(words).elected();
        case "uncontended" -> Contest.uncontended(client(words), words[2], Integer.parseInt(words[3]));
        case "contend" -> Contest.contend(List.copyOf(clients.values()), words[1], Integer.parseInt(words[2]),
                                          Long.parseLong(words[3]));
        default -> throw new IllegalArgumentException("not understood");
        }
    }

    private LockClient client(String[] words) { return clients.get(Integer.parseInt(words[1])); }

    private void open(int count, int timeoutMs) throws Exception
    {
        long begin = System.nanoTime();
        List<LockClient> opened = new ArrayList<>();
        for (int i = 0; i < count; ++i) {
            LockClient client = new LockClient(clients.size() + 1, host, timeoutMs);
            clients.put(client.id(), client);
            opened.add(client);
        }
        for (LockClient client : opened)
            client.waitUntilConnected();
        say("opened " + count + " " + (System.nanoTime() - begin));
    }
}
