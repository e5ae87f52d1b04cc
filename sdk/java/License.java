// SPDX-License-Identifier: MIT
package licensemanager;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.math.BigInteger;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.NoRouteToHostException;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URL;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/**
 * Asks the server whether a licence holds on this computer, and answers without connection from what it kept.
 *
 * <pre>{@code
 * License license = new License(new License.Options(SERVER, SOFTWARE, KEYS, store));
 * license.start(key, result -> {
 *     if (!result.message("es").isEmpty()) show(result.message("es")); // what happened, and what to do
 *     if (!result.ok()) saveAndClose();
 * });
 * if (license.has("modulo_nomina")) openPayroll();
 * }</pre>
 *
 * The SDKs of all languages do the same in the same order: sdk/README.md describes it, docs/offline.md the token.
 * One License may be used by several threads; their calls of check and release wait for one another.
 */
public final class License implements AutoCloseable {

    /** The version of this SDK. */
    public static final String VERSION = "0.4.0";

    // ---------------------------------------------------------------- What the program gives and gets

    /** A public key, a constant of the program: kid, x and y in base64url, as in the JWK. */
    public static final class Key {
        private final String kid;
        private final String x;
        private final String y;

        public Key(String kid, String x, String y) {
            this.kid = kid;
            this.x = x;
            this.y = y;
        }
    }

    /** What the SDK needs to know. The constructor takes what has no default. */
    public static final class Options {
        private final String server;
        private final String software;
        private final List<Key> keys;
        private final File store;
        private File file;
        private String machineId = "";
        private String machineName = "";
        private String instance = "";
        private String appVersion = "";
        private String releasedOn = "";
        private double timeout = 5;
        private BiConsumer<String, String> log = (code, message) -> {};
        private LongSupplier clock = () -> System.currentTimeMillis() / 1000;
        private LongSupplier uptime;
        private Transport transport;

        /**
         * @param server the public address of the server, such as https://licencias.example.com
         * @param software the code of the software
         * @param keys the current public key and the next one
         * @param store a file that the program may write; the SDK keeps the last answer in it, and makes its folder
         */
        public Options(String server, String software, List<Key> keys, Path store) {
            this(server, software, keys, store == null ? null : store.toString());
        }

        /** The same with the store as a text, which need not be one that the system takes for a path. */
        public Options(String server, String software, List<Key> keys, String store) {
            this.server = server;
            this.software = software;
            this.keys = keys;
            this.store = store == null || store.isEmpty() ? null : new File(store);
        }

        /** The path of a licence file (.lic), which need not exist. */
        public Options file(Path path) { return file(path == null ? null : path.toString()); }

        /** The same as a text. */
        public Options file(String path) { file = path == null || path.isEmpty() ? null : new File(path); return this; }

        /** An id of this computer other than that of its system. */
        public Options machineId(String id) { machineId = id; return this; }

        /** A name of this computer other than its own. */
        public Options machineName(String name) { machineName = name; return this; }

        /** Tells copies of the program on one computer apart: each takes a seat. Not together with machineId. */
        public Options instance(String name) { instance = name; return this; }

        /** The version of the program, which the server counts. */
        public Options appVersion(String version) { appVersion = version; return this; }

        /** The day on which this build came out, such as 2026-11-21: a licence may include updates until a day. */
        public Options releasedOn(String day) { releasedOn = day; return this; }

        /** Seconds for each call to the server, 5 by default. */
        public Options timeout(double seconds) { timeout = seconds; return this; }

        /** Gets a code and an English line for each failed call, problem of a file, and rule of the clock that bites. */
        public Options log(BiConsumer<String, String> codeAndMessage) { log = codeAndMessage; return this; }

        /** What makes the calls in place of HttpURLConnection, such as a client with the proxy or the CA of a company. */
        public Options transport(Transport own) { transport = own; return this; }

        /** For tests: gives the seconds since 1970. */
        public Options clock(LongSupplier seconds) { clock = seconds; return this; }

        /** For tests: gives the seconds of a counter that nobody sets. */
        public Options uptime(LongSupplier seconds) { uptime = seconds; return this; }
    }

    /** A transport of the program: OkHttp, java.net.http, or HttpURLConnection with settings of its own. */
    @FunctionalInterface
    public interface Transport {
        /**
         * Sends a POST, and follows no redirect. A call that is not over after the timeout of the options is given up, and
         * its thread interrupted.
         *
         * @throws IOException where no answer came: UnknownHostException, SSLException and others are told apart
         */
        Answer send(String url, byte[] body, Map<String, String> headers, int timeoutMillis) throws IOException;
    }

    /** What came back of a call, whatever its status. */
    public static final class Answer {
        private final int status;
        private final Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        private final byte[] body;

        /**
         * @param headers may be null; of them only Retry-After is read
         * @param body may be null; one of more than 64 KiB counts as empty
         */
        public Answer(int status, Map<String, String> headers, byte[] body) {
            this.status = status;
            this.body = body == null ? new byte[0] : body;
            if (headers == null) return;
            headers.forEach((name, value) -> {
                if (name != null) this.headers.put(name, value); // HttpURLConnection has its status line under null
            });
        }
    }

    private static final long HOUR = 60 * 60;
    private static final long DAY = 24 * HOUR;

    /** Whether the program may run, and why not. */
    public static final class Result {
        private final boolean ok;
        private final String reason;
        private boolean offline;
        private boolean pending;
        private Long daysLeft = 0L;
        private Map<String, Object> features = Collections.emptyMap();
        private Instant expiresAt;
        private boolean inGrace;
        private Instant graceUntil;
        private Instant offlineUntil;
        private String type;
        private String status;
        private long nextCheck = HOUR;
        private String updatesUntil;
        private Instant seatFreeAt;
        private List<RefusedUse> refusedUses = Collections.emptyList();
        private String detail;
        private String storeError;
        private long holds; // seconds from the check to offlineUntil

        Result(boolean ok, String reason, boolean offline) {
            this.ok = ok;
            this.reason = reason;
            this.offline = offline;
        }

        /** For the tests of the texts: a result with these fields. */
        static Result of(Map<String, Object> fields) {
            boolean ok = Boolean.TRUE.equals(fields.get("ok"));
            Result result = new Result(ok, text(fields.get("reason")), Boolean.TRUE.equals(fields.get("offline")));
            result.pending = Boolean.TRUE.equals(fields.get("pending"));
            result.detail = text(fields.get("detail"));
            result.storeError = text(fields.get("storeError"));
            result.inGrace = Boolean.TRUE.equals(fields.get("inGrace"));
            result.graceUntil = instant(fields.get("graceUntil"));
            result.offlineUntil = instant(fields.get("offlineUntil"));
            return result;
        }

        /** Whether it may. */
        public boolean ok() { return ok; }

        /** Null when ok, else a reason of the server or of the SDK (sdk/README.md lists them). */
        public String reason() { return reason; }

        /** Why there is no fresh verdict, or why the reason, such as dns or tls; null where nothing is to be said. */
        public String detail() { return detail; }

        /** Why the store cannot be used: denied, full or failed; null while work without connection is possible. */
        public String storeError() { return storeError; }

        /** Whether this comes from what was kept, or from a file. */
        public boolean offline() { return offline; }

        /** Whether this is the first word of start, from what was kept: the check is under way, and tells its result. */
        public boolean pending() { return pending; }

        /** Whole days until the licence ends, as the console counts them; null: no end. */
        public Long daysLeft() { return daysLeft; }

        /** The licence's codes with their values: Boolean, Long or String. */
        public Map<String, Object> features() { return features; }

        /** When the licence ends; null: no end, or nobody said it. */
        public Instant expiresAt() { return expiresAt; }

        /** Whether the licence has ended and is in its grace. */
        public boolean inGrace() { return inGrace; }

        /** When the grace ends; null outside of it. */
        public Instant graceUntil() { return graceUntil; }

        /** Until when the program may work without connection; null when not ok. */
        public Instant offlineUntil() { return offlineUntil; }

        /** The licence's type, such as trial; null where nobody said it. */
        public String type() { return type; }

        /** The licence's status, such as active; null where nobody said it. */
        public String status() { return status; }

        /** In how many seconds to check again. */
        public long nextCheck() { return nextCheck; }

        /** Of installation_limit: when a floating seat is free, if nobody gives one back before; else null. */
        public Instant seatFreeAt() { return seatFreeAt; }

        /** The last day of updates, such as 2027-01-31; null where the server says none. */
        public String updatesUntil() { return updatesUntil; }

        /** Uses that the server refused since the last result; mostly empty. */
        public List<RefusedUse> refusedUses() { return refusedUses; }

        /**
         * What happened and what to do, for the program's user; empty where all is well.
         *
         * @param language "es" or "en"
         */
        public String message(String language) {
            Map<String, String> texts = "en".equals(language) ? Texts.EN : Texts.ES;
            List<String> lines = new ArrayList<>();
            for (String name : ok ? warnings(texts) : troubles(texts)) lines.add(texts.get(name));
            return String.join(" ", lines)
                    .replace("{days}", String.valueOf(secondsUntil(graceUntil) / DAY))
                    .replace("{hours}", String.valueOf(Math.max(1, (secondsUntil(offlineUntil) + HOUR - 1) / HOUR)))
                    .replace("{reason}", String.valueOf(reason));
        }

        /** The seconds from now until then, a part of one counted as one; 0 where there is none. */
        private static long secondsUntil(Instant then) {
            return then == null ? 0 : -Math.floorDiv(System.currentTimeMillis() - then.toEpochMilli(), 1000L);
        }

        /** The names of the texts of a result that is ok. */
        private List<String> warnings(Map<String, String> texts) {
            if (inGrace) return Arrays.asList(secondsUntil(graceUntil) >= 2 * DAY ? "grace_days" : "grace");
            if (offline && !pending && offlineUntil != null && secondsUntil(offlineUntil) < 2 * DAY) {
                boolean isKnown = texts.containsKey("detail_" + detail);
                return isKnown ? Arrays.asList("offline_ends_because", "detail_" + detail) : Arrays.asList("offline_ends");
            }
            return storeError == null ? Collections.emptyList() : Arrays.asList("store_" + storeError);
        }

        /** The names of the texts of a result that is not ok. */
        private List<String> troubles(Map<String, String> texts) {
            String because = "detail_" + detail;
            boolean isNetwork = Arrays.asList("no_connection", "unverified", "offline_expired").contains(reason);
            boolean isOfKey = because.startsWith("detail_file_") || "wrong_key".equals(detail) || "key_signs".equals(detail);
            boolean hasDetail = (isNetwork || (isOfKey && "not_found".equals(reason))) && texts.containsKey(because);
            String plain = offline && "expired".equals(reason) ? "expired_offline" : reason;
            List<String> names = new ArrayList<>();
            if (!hasDetail) names.add(texts.containsKey(plain) ? plain : "unknown");
            else if ("offline_expired".equals(reason)) names.add("offline_expired_because");
            if (hasDetail) names.add(because);
            if (isNetwork && storeError != null) names.add("store_" + storeError);
            return names;
        }
    }

    /** A use that the server refused. */
    public static final class RefusedUse {
        private final String code;
        private final long amount;
        private final String reason;

        RefusedUse(String code, long amount, String reason) {
            this.code = code;
            this.amount = amount;
            this.reason = reason;
        }

        /** The code of the meter. */
        public String code() { return code; }

        /** How much was to be counted. */
        public long amount() { return amount; }

        /** limit_reached, unknown_meter (a misspelt code), out_of_time, or invalid. */
        public String reason() { return reason; }
    }

    // ---------------------------------------------------------------- The licence

    private final String server;
    private final String software;
    private final Map<String, PublicKey> keys = new HashMap<>();
    private final Store store;
    /** Held while the store is read and written; nobody waits for the server with it. */
    private final Object files = new Object();
    private final File file;
    private final String machineId;
    private final String machineName;
    private final String appVersion;
    private final String releasedOn;
    private final int milliseconds;
    private final BiConsumer<String, String> hook;
    private final LongSupplier clock;
    private final LongSupplier uptime;
    private final Transport transport; // null: HttpURLConnection
    private volatile Latest latest = new Latest("", refused("no_connection", false));
    /** What has goes by: the last result, or what start told of what was kept. */
    private volatile Result shown = latest.result;
    private volatile String releaseReason;
    private volatile String releaseDetail;
    private volatile String portalReason;
    private volatile String portalDetail;
    private volatile String trialReason;
    private volatile String trialDetail;
    /** The key that was checked last; empty without one. */
    private volatile String lastKey = "";
    /** Uses that the server refused, for the next result. Guarded by itself. */
    private final List<RefusedUse> refusedUses = new ArrayList<>();
    /** Consumptions that were not answered: asked again with their id, they count once. Guarded by meters. */
    private final List<Map<String, Object>> unanswered = new ArrayList<>();
    /** Held while a use is decided about and written. */
    private final Object meters = new Object();
    /** What was kept, as texts, and what it says is left. Guarded by meters. */
    private List<String> openedTexts = Collections.emptyList();
    private Opened opened = Opened.NOTHING;

    /** @throws IllegalArgumentException for a wrong option, which is a mistake of the programmer */
    public License(Options options) {
        if (!isAddress(options.server)) {
            throw new IllegalArgumentException("server: an address such as https://licencias.example.com");
        }
        if (trim(options.software).isEmpty()) throw new IllegalArgumentException("software: its code");
        if (options.store == null) throw new IllegalArgumentException("store: the path of a file");
        boolean hasKeys = options.keys != null && !options.keys.isEmpty();
        if (!hasKeys) throw new IllegalArgumentException("keys: one public key or more");
        if (!(options.timeout > 0)) throw new IllegalArgumentException("timeout: seconds, more than 0");
        String id = trim(options.machineId);
        String instance = trim(options.instance);
        if (!id.isEmpty() && !instance.isEmpty()) {
            throw new IllegalArgumentException("instance: not together with machineId");
        }
        releasedOn = trim(options.releasedOn);
        if (!releasedOn.isEmpty() && !DAY_AS_TEXT.matcher(releasedOn).matches()) {
            throw new IllegalArgumentException("releasedOn: a day as 2026-11-21");
        }
        for (Key key : options.keys) keys.put(key.kid, Es256.publicKey(key));
        server = options.server.replaceAll("/+$", "");
        software = options.software;
        hook = options.log;
        store = new Store(options.store);
        file = options.file;
        machineId = id.isEmpty() ? Machine.id(software, instance, options.store) : id;
        machineName = cut(trim(options.machineName).isEmpty() ? Machine.name() : options.machineName, 200);
        appVersion = options.appVersion == null ? "" : options.appVersion;
        milliseconds = (int) Math.min(Integer.MAX_VALUE / 2, Math.max(1, Math.round(options.timeout * 1000)));
        clock = options.clock;
        uptime = options.uptime;
        transport = options.transport;
    }

    private static boolean isAddress(String text) {
        try {
            URI address = URI.create(text == null ? "" : text);
            return Arrays.asList("http", "https").contains(address.getScheme()) && address.getHost() != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** The id of this computer for this software, which a licence file is issued for. */
    public String machineId() { return machineId; }

    /**
     * Whether the licence of this key holds on this computer. Never throws; asks the server twice at most. Without a key
     * the licence file decides, and the server is not asked.
     */
    public synchronized Result check(String key) {
        String typed = trim(key);
        lastKey = typed;
        Result result;
        try {
            result = judge(typed);
        } catch (RuntimeException e) {
            result = refused("no_connection", true); // such as a clock of the program that throws
        }
        result.storeError = store.error;
        synchronized (refusedUses) {
            result.refusedUses = Collections.unmodifiableList(new ArrayList<>(refusedUses));
            refusedUses.clear();
        }
        latest = new Latest(hashOfKey(typed), result);
        shown = result;
        return result;
    }

    /** What is kept, where that is good, else null. It waits for no check: a server may hang, or be behind a wall that answers nothing. */
    private Result look(String key) {
        lastKey = key;
        try {
            Result result = key.isEmpty() ? byFile() : withoutConnection(program(key), Reply.none(null));
            if (!result.ok) return null;
            result.pending = true;
            result.storeError = store.error;
            shown = result;
            return result;
        } catch (RuntimeException e) {
            return null;
        }
    }

    /** Whether the last check was ok and the licence has this code with a value other than false. */
    public boolean has(String code) {
        Result result = shown;
        Object value = code == null ? null : result.features.get(code);
        return result.ok && value != null && !Boolean.FALSE.equals(value);
    }

    /**
     * Gives the seat back. True when the server signed that this computer has none now; else releaseReason and
     * releaseDetail say why not. Never throws.
     */
    public synchronized boolean release(String key) {
        releaseReason = "no_connection";
        releaseDetail = null;
        try {
            Sent sent = sendUses(trim(key), clock.getAsLong());
            Reply answer = ask("release", trim(key), new LinkedHashMap<>());
            boolean isReleased = answer.says("not_activated");
            if (isReleased) {
                forget(trim(key));
                forgetSent(sent);
            }
            boolean isWord = answer.verdict != null || (answer.token == null && answer.code != null);
            releaseReason = isReleased ? null : answer.why();
            releaseDetail = isWord ? null : answer.detail;
            return isReleased;
        } catch (RuntimeException e) {
            return false;
        }
    }

    /** Why the last release was false: a reason, or the server's code such as release_not_allowed; null when it was true. */
    public String releaseReason() { return releaseReason; }

    /** The detail of a release without an answer that verifies; else null. */
    public String releaseDetail() { return releaseDetail; }

    /**
     * An address of the portal for this computer's seat, for the browser: it works once, within five minutes. Null where
     * there is none; portalReason and portalDetail then say why. Never throws, and waits for no check.
     */
    public String portalUrl(String key) {
        String reason = "no_connection";
        String detail = null;
        try {
            Map<String, Object> question = new LinkedHashMap<>();
            question.put("license_key", trim(key));
            question.put("machine_id", machineId);
            question.put("software", software);
            Reply answer = post("portal", Json.write(question).getBytes(StandardCharsets.UTF_8));
            boolean isAddress = answer.status == 200 && answer.url != null && isOfPortal(answer.url, server + pathOf("portal"));
            reason = isAddress ? null : answer.why();
            boolean isWord = answer.token == null && answer.code != null;
            if (isAddress) return answer.url;
            detail = isWord ? null : answer.status == 0 ? answer.detail : answer.kind(null);
            if (answer.status != 0) log(answer.kind(null), "portal: status " + answer.status + ", no address");
        } catch (RuntimeException e) {
            reason = "no_connection";
        } finally {
            portalReason = reason;
            portalDetail = detail;
        }
        return null;
    }

    /** Why the last portalUrl was null: no_connection, unverified or the server's code such as not_found; else null. */
    public String portalReason() { return portalReason; }

    /** What became of the call where the server did not say why; else null. */
    public String portalDetail() { return portalDetail; }

    // ---------------------------------------------------------------- What was used, and trials

    /** The records of one call, the calls that one check makes for them, and the size above which none is added. */
    private static final int MOST_RECORDS = 100;
    private static final int MOST_SENDINGS = 20;
    private static final int MOST_QUEUE = 4 * 1024 * 1024;
    private static final long MOST_AMOUNT = 1_000_000_000;
    private static final Pattern METER = Pattern.compile("[a-z0-9_]{1,50}");
    private static final Pattern USE_ID = Pattern.compile("[0-9a-f]{32}");

    /** Notes that something was used once. */
    public boolean use(String code) { return use(code, 1); }

    /**
     * Notes that something was used, beside the store; checks send it, and it counts once. True where it is kept; false
     * too where less is left, of a meter that refuses what is beyond. Never throws.
     */
    public boolean use(String code, long amount) {
        if (!isUse(code, amount)) return false;
        try {
            synchronized (meters) {
                Left left = leftOf(code);
                if (left == null || !left.isRefused || left.amount >= amount) return keepUse(newUse(code, amount));
                log("use_refused", code + ": " + amount + " of " + left.amount + " (limit_reached)");
            }
        } catch (RuntimeException e) {
            log("store_failed", "use: " + e); // such as a clock of the program that throws
        }
        return false;
    }

    /** Asks the server to count this once, now. */
    public boolean consume(String code) { return consume(code, 1); }

    /**
     * Asks the server to count this now, with the key that was checked last: true only where it signed that it did. A call
     * without an answer, said again, counts once. Waits for the server, but for no check. Never throws.
     */
    public boolean consume(String code, long amount) {
        String key = lastKey;
        if (!isUse(code, amount) || key.isEmpty()) return false;
        try {
            Map<String, Object> use = unansweredUse(code, amount);
            Map<String, Object> question = new LinkedHashMap<>();
            question.put("records", Collections.singletonList(recordOf(use, null)));
            Reply answer = ask("usage", key, question);
            if (answer.verdict == null) {
                // Nobody signed whether it counted: the same id asks again.
                if (answer.status != 400) {
                    synchronized (meters) {
                        unanswered.add(use);
                    }
                }
                return false;
            }
            Map<String, Object> said = answer.saidOf(use.get("id"));
            // A relay may have changed the record, sent another one first under this id, or named another day.
            boolean isThis = code.equals(said.get("code")) && ((Long) amount).equals(said.get("amount"))
                    && !Boolean.TRUE.equals(said.get("past"));
            if (!isThis || !Boolean.TRUE.equals(said.get("accepted"))) {
                String reason = answer.verdict.reason() == null ? "not this use" : answer.verdict.reason();
                if (Boolean.FALSE.equals(said.get("accepted"))) refuse(use, said.get("reason"));
                else log("use_refused", code + ": " + amount + " (" + reason + ")");
                return false;
            }
            use.put("counted", true); // what was kept does not know of it yet
            synchronized (meters) {
                keepUse(use);
            }
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }

    /**
     * What is left of a meter: what the last verdict said, without what waits to be sent. From the first line on, without
     * connection too. Null without a limit, and where nothing was kept.
     */
    public Long remaining(String code) {
        try {
            synchronized (meters) {
                Left left = leftOf(code);
                return left == null ? null : (Long) left.amount;
            }
        } catch (RuntimeException e) {
            return null;
        }
    }

    private static boolean isUse(String code, long amount) {
        return code != null && METER.matcher(code).matches() && amount >= 1 && amount <= MOST_AMOUNT;
    }

    private static Map<String, Object> newUse(String code, long amount) {
        Map<String, Object> use = new LinkedHashMap<>();
        use.put("code", code);
        use.put("amount", amount);
        use.put("id", randomHex(16));
        return use;
    }

    /** The consumption of this code and amount whose answer was lost, else a new one. */
    private Map<String, Object> unansweredUse(String code, long amount) {
        synchronized (meters) {
            for (Map<String, Object> use : unanswered) {
                if (!code.equals(use.get("code")) || !use.get("amount").equals(amount)) continue;
                unanswered.remove(use);
                return use;
            }
            return newUse(code, amount);
        }
    }

    /** Writes a use beside the store. */
    private boolean keepUse(Map<String, Object> use) {
        File path = store.beside(".usage");
        use.put("clock", clock.getAsLong());
        try {
            makeFolderOf(path);
            // A line of its own even where the one before was torn.
            byte[] line = ("\n" + Json.write(use) + "\n").getBytes(StandardCharsets.UTF_8);
            for (int tries = 0; tries < 100; tries++) {
                long length = path.length();
                if (length > MOST_QUEUE) throw new IOException("No space left in the file");
                try (FileOutputStream file = new FileOutputStream(path, true)) {
                    file.write(line);
                }
                if (hasFrom(path, length, text(use.get("id")))) return true;
                // Who sends the file gave it another name meanwhile, and may have read it before: once more, with this id.
            }
            throw new IOException("what was written is not there");
        } catch (IOException | RuntimeException e) {
            log("store_" + store.problemOf(e), path + ": " + e);
            return false;
        }
    }

    /** Whether a file has this text, not before this place. Windows has no inodes that could say that it is the same. */
    private static boolean hasFrom(File path, long place, String text) throws IOException {
        try (InputStream in = new FileInputStream(path)) {
            for (long skipped = 1, from = 0; from < place && skipped > 0; from += skipped) skipped = in.skip(place - from);
            return new String(readMost(in, MOST_QUEUE), StandardCharsets.UTF_8).contains(text);
        } catch (FileNotFoundException e) {
            return false;
        }
    }

    /** The files with uses: that which takes them, and those that got a name of their own to be sent. */
    private List<File> usageFiles() {
        File queue = store.beside(".usage").getAbsoluteFile();
        Pattern own = Pattern.compile(Pattern.quote(queue.getName()) + "(\\.[0-9a-f]{32}|\\.sending)?");
        File[] files = queue.getParentFile().listFiles((folder, name) -> own.matcher(name).matches());
        Arrays.sort(files = files == null ? new File[0] : files);
        return Arrays.asList(files);
    }

    /**
     * What was used, by the lines of a file. A line that was torn is none, nor is one that no use can be: the server would
     * refuse the others with it.
     */
    private static List<Map<String, Object>> usesIn(String text) {
        List<Map<String, Object>> uses = new ArrayList<>();
        for (String line : text.split("\n")) {
            Map<String, Object> use = line.isEmpty() ? null : Json.readObject(line);
            if (use == null || !(use.get("amount") instanceof Long) || !(use.get("clock") instanceof Long)) continue;
            boolean isNamed = text(use.get("id")) != null && USE_ID.matcher(text(use.get("id"))).matches();
            boolean isTimed = seconds(use.get("clock")) != null;
            if (isNamed && isTimed && isUse(text(use.get("code")), (Long) use.get("amount"))) uses.add(use);
        }
        return uses;
    }

    /** What is left of a meter, and whether what is beyond is refused. */
    private static final class Left {
        final long amount;
        final boolean isRefused;

        Left(long amount, boolean isRefused) {
            this.amount = amount;
            this.isRefused = isRefused;
        }
    }

    /** The claims of what was kept that say what is left, and whether they are those of the licence file. */
    private static final class Opened {
        static final Opened NOTHING = new Opened(Collections.emptyMap(), false);
        final Map<String, Object> claims;
        final boolean isFile;

        Opened(Map<String, Object> claims, boolean isFile) {
            this.claims = claims;
            this.isFile = isFile;
        }

        /** The meter of this code, where it has a limit; else null. */
        Map<String, Object> meter(String code) {
            Object all = claims.get("meters");
            for (Object one : all instanceof List ? (List<?>) all : Collections.emptyList()) {
                Map<String, Object> meter = Json.object(one);
                if (meter == null || !code.equals(meter.get("code"))) continue;
                return seconds(meter.get("limit")) != null && seconds(meter.get("remaining")) != null ? meter : null;
            }
            return null;
        }
    }

    /**
     * Null where nothing was kept of this meter, or it has no limit. After its reset all of it is left, but the last
     * period of a licence begins anew only with a renewal. Of a file what was used before it counts only where the meter
     * never begins anew.
     */
    private Left leftOf(String code) {
        Opened kept = openKept();
        Map<String, Object> meter = code == null ? null : kept.meter(code);
        if (meter == null) return null;
        Instant reset = instant(meter.get("resets_at"));
        Instant end = instant(kept.claims.get("license_expires"));
        boolean isReset = reset != null && clock.getAsLong() >= reset.getEpochSecond() && (end == null || reset.isBefore(end));
        long since = isReset ? reset.getEpochSecond() : kept.isFile && reset != null ? seconds(kept.claims.get("iat")) : 0;
        Map<Object, Long> waiting = new HashMap<>();
        for (File file : usageFiles()) {
            for (Map<String, Object> use : usesIn(readText(file, 2 * MOST_QUEUE))) {
                boolean counts = code.equals(use.get("code")) && (Long) use.get("clock") >= since;
                if (counts) waiting.put(use.get("id"), (Long) use.get("amount"));
            }
        }
        long left = seconds(meter.get(isReset ? "limit" : "remaining"));
        for (long amount : waiting.values()) left -= amount;
        return new Left(Math.max(0, left), "refuse".equals(meter.get("overage")));
    }

    /** The kept verdict or the file of its key, whichever is newer. */
    private Opened openKept() {
        Kept kept = store.glimpse();
        String inFile = file == null ? "" : fileToken(readText(file, MOST_BYTES));
        List<String> texts = Arrays.asList(kept.license, kept.token, inFile);
        if (texts.equals(openedTexts)) return opened;
        Map<String, Object> own = claimsOf(kept.token, STORED);
        if (own != null && !kept.license.equals(own.get("key_hash"))) own = null;
        Map<String, Object> filed = claimsOf(inFile, IN_FILE);
        boolean isOwn = filed != null && (own == null || kept.license.equals(filed.get("key_hash")));
        boolean isFile = isOwn && (own == null || seconds(filed.get("iat")) > seconds(own.get("iat")));
        openedTexts = texts;
        opened = isFile ? new Opened(filed, true) : own == null ? Opened.NOTHING : new Opened(own, false);
        return opened;
    }

    /** The claims of a token that passes the steps 1 to 11 with the key that it names; else null. */
    private Map<String, Object> claimsOf(String token, String role) {
        String named = keyHashIn(token);
        return named.isEmpty() ? null : readSigned(token, role, programOf(named)).claims;
    }

    /** The hash of the key that a token names, before anything of it is checked; an empty text where there is none. */
    private static String keyHashIn(String token) {
        String named = text(unjudged(token).get("key_hash"));
        return named == null ? "" : named;
    }

    /** The claims of a token of which nothing was checked. */
    private static Map<String, Object> unjudged(String token) {
        String[] parts = token.split("\\.", -1);
        Map<String, Object> claims = parts.length == 3 ? Json.readObject(base64url(parts[1])) : null;
        return claims == null ? Collections.<String, Object>emptyMap() : claims;
    }

    private void refuse(Map<String, Object> use, Object reason) {
        String said = text(reason) == null ? "invalid" : text(reason);
        synchronized (refusedUses) {
            refusedUses.add(new RefusedUse(text(use.get("code")), (Long) use.get("amount"), said));
        }
        log("use_refused", use.get("code") + ": " + use.get("amount") + " (" + said + ")");
    }

    /** What was sent: the files, and the ids that were answered. They go once a verdict that knows of them was kept. */
    private static final class Sent {
        final Map<File, List<Map<String, Object>>> files = new LinkedHashMap<>();
        final Set<Object> answered = new HashSet<>();
        boolean isMore;
    }

    /** Sends what was used. Each use has an id, so that what was sent and not answered can be sent again. */
    private Sent sendUses(String key, long now) {
        File queue = store.beside(".usage");
        try {
            // A name of its own, so that no process writes over what another one sends.
            Path own = pathOf(store.beside(".usage." + randomHex(16)));
            if (queue.exists()) Files.move(pathOf(queue), own, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException | SecurityException e) {
            // It cannot be moved now: the next check tries again.
        }
        Sent sent = new Sent();
        Map<Object, Map<String, Object>> waiting = new LinkedHashMap<>();
        for (File file : usageFiles()) {
            if (file.getName().equals(queue.getName())) continue;
            // What cannot be read now stays for a later check.
            String text = readTextOrNull(file, 2 * MOST_QUEUE);
            if (text == null) continue;
            List<Map<String, Object>> uses = usesIn(text);
            sent.files.put(file, uses);
            for (Map<String, Object> use : uses) {
                waiting.put(use.get("id"), use);
                if (Boolean.TRUE.equals(use.get("counted"))) sent.answered.add(use.get("id"));
            }
        }
        waiting.keySet().removeAll(sent.answered);
        List<Map<String, Object>> unsent = new ArrayList<>(waiting.values());
        int last = Math.min(unsent.size(), MOST_RECORDS * MOST_SENDINGS);
        long ahead = now - clock.getAsLong();
        sent.isMore = unsent.size() > last;
        for (int from = 0; from < last; from += MOST_RECORDS) {
            List<Map<String, Object>> part = unsent.subList(from, Math.min(last, from + MOST_RECORDS));
            if (!sendPart(part, key, now, ahead)) break;
            for (Map<String, Object> use : part) sent.answered.add(use.get("id"));
        }
        return sent;
    }

    /** Whether the server answered. Moments are said by its clock: that of the computer may be wrong. */
    private boolean sendPart(List<Map<String, Object>> uses, String key, long now, long ahead) {
        List<Object> records = new ArrayList<>();
        Map<Object, Map<String, Object>> byId = new HashMap<>();
        for (Map<String, Object> use : uses) {
            records.add(recordOf(use, Instant.ofEpochSecond(Math.max(0, Math.min(now, (Long) use.get("clock") + ahead)))));
            byId.put(use.get("id"), use);
        }
        Reply answer = report(key, records);
        if (answer.status == 400) {
            // What the server takes for no record it would take for none tomorrow.
            for (Map<String, Object> use : uses) refuse(use, null);
            return true;
        }
        if (answer.results == null) {
            if (answer.status != 0) log(answer.kind(null), "usage: status " + answer.status);
            return false;
        }
        for (Map<String, Object> said : answer.results) {
            Map<String, Object> use = byId.get(said.get("request_id"));
            if (use != null && Boolean.FALSE.equals(said.get("accepted"))) refuse(use, said.get("reason"));
        }
        return true;
    }

    private static Map<String, Object> recordOf(Map<String, Object> use, Instant at) {
        Map<String, Object> record = new LinkedHashMap<>();
        record.put("code", use.get("code"));
        record.put("amount", use.get("amount"));
        record.put("request_id", use.get("id"));
        if (at != null) record.put("at", at.toString());
        return record;
    }

    /** Reports some records. The results of the answer are null where it is none. */
    private Reply report(String key, List<Object> records) {
        Map<String, Object> question = new LinkedHashMap<>();
        question.put("license_key", key);
        question.put("machine_id", machineId);
        question.put("software", software);
        question.put("records", records);
        Reply answer = post("usage", Json.write(question).getBytes(StandardCharsets.UTF_8));
        Object results = answer.body.get("results");
        if (answer.status != 200 || !(results instanceof List)) return answer;
        answer.results = new ArrayList<>();
        for (Object one : (List<?>) results) if (Json.object(one) != null) answer.results.add(Json.object(one));
        return answer;
    }

    /** Deletes what a kept verdict knows of. What is kept twice is sent twice, and counts once. */
    private void forgetSent(Sent sent) {
        sent.files.forEach((file, uses) -> {
            List<String> rest = new ArrayList<>();
            for (Map<String, Object> use : uses) if (!sent.answered.contains(use.get("id"))) rest.add(Json.write(use) + "\n");
            if (!rest.isEmpty() && rest.size() == uses.size()) return;
            try {
                if (!rest.isEmpty()) replaceFile(store.beside(".usage." + randomHex(16)), String.join("", rest));
                Files.deleteIfExists(pathOf(file));
            } catch (IOException | SecurityException e) {
                // It is sent once more.
            }
        });
    }

    /** Starts a trial of which nothing is asked. */
    public String startTrial() { return startTrial(null, null); }

    /**
     * Starts the trial of this computer, or finds the one that it has: the key, for check. Mail address and name of the
     * user may be null. Null where there is none; trialReason then says why, and of a trial that may not be used why not.
     * Never throws.
     */
    public String startTrial(String email, String name) {
        String reason = "no_connection";
        String detail = null;
        try {
            byte[] random = new byte[16];
            new SecureRandom().nextBytes(random);
            String nonce = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
            Map<String, Object> question = aboutProgram();
            question.put("software", software);
            question.put("machine_id", machineId);
            question.put("nonce", nonce);
            if (!machineName.isEmpty()) question.put("machine_name", machineName);
            if (email != null) question.put("email", email);
            if (name != null) question.put("name", name);
            Reply answer = post("trial", Json.write(question).getBytes(StandardCharsets.UTF_8));
            // Only a signed one counts: anybody could name a key.
            String key = trim(text(answer.body.get("license_key")));
            Verdict verdict = answer.token == null ? Verdict.failed("no token")
                    : checkFresh(answer.token, "activate", nonce, program(key));
            if (!key.isEmpty() && verdict.accepted()) {
                String why = "expired".equals(verdict.reason()) ? "trial_ended" : verdict.reason();
                reason = verdict.valid() ? null : why;
                return key;
            }
            boolean isLimit = answer.status == 429 && "trial_limit".equals(answer.body.get("code"));
            boolean isWord = isLimit || (answer.token == null && answer.code != null);
            reason = isLimit ? "trial_limit" : isWord ? answer.code : answer.isNone() ? "no_connection" : "unverified";
            detail = isWord ? null : answer.status == 0 ? answer.detail : answer.kind(verdict.error);
            if (answer.status != 0) log(answer.kind(verdict.error), "trial: status " + answer.status);
        } catch (RuntimeException e) {
            reason = "no_connection";
        } finally {
            trialReason = reason;
            trialDetail = detail;
        }
        return null;
    }

    /** Why the last startTrial gave no key, or why its trial may not be used; null where it may. */
    public String trialReason() { return trialReason; }

    /** What became of the call where the server did not say why; else null. */
    public String trialDetail() { return trialDetail; }

    /** Forgets the token, and keeps what is known of the time. */
    private void forget(String key) {
        synchronized (files) {
            Kept old = store.read();
            store.write(new Kept("", "", "", markOf(program(key), old), old.back, old.leap, old.issued, old.times));
        }
        latest = new Latest("", refused("not_activated", false));
        shown = latest.result;
    }

    private Result judge(String key) {
        if (key.isEmpty()) return byFile();
        Map<String, Object> question = aboutProgram();
        question.put("require_seat", true);
        Reply answer = ask("validate", key, question);
        Sent sent = null;
        if (answer.says("not_activated")) {
            answer = ask("activate", key, named());
            Sent first = answer.isValid() ? sendUses(key, answer.verdict.mark) : new Sent();
            // The verdict that is kept knows of what was sent.
            Reply beat = first.files.isEmpty() ? Reply.none(null) : ask("heartbeat", key, named());
            if (beat.verdict != null) {
                answer = beat;
                sent = first;
            }
        } else if (answer.isValid()) {
            sent = sendUses(key, answer.verdict.mark);
            answer = ask("heartbeat", key, named());
        }
        Verdict verdict = answer.verdict;
        if (verdict == null) return withAnswer(withoutConnection(program(key), answer), answer, hashOfKey(key));
        long iat = verdict.mark;
        synchronized (files) {
            String before = refusesBuild(unjudged(answer.token)) ? goodBefore(hashOfKey(key)) : "";
            store.write(new Kept(hashOfKey(key), answer.token, before, iat, 0, 0, iat, timesNow()));
        }
        Result result = waitingForSeat(resultOf(verdict, false), answer);
        if ("not_found".equals(result.reason) && hasWrongSigns(key)) result.detail = "key_signs";
        if (sent != null) {
            forgetSent(sent);
            if (sent.isMore) result.nextCheck = 60; // what is left to be sent does not wait for an hour
        }
        return result;
    }

    /** The good verdict that stays beside the refusal of this build, because an older build may go on with it. */
    private String goodBefore(String keyHash) {
        Kept kept = store.read();
        if (!kept.license.equals(keyHash)) return "";
        Verdict last = readSigned(kept.token, STORED, new Program(keys, software, machineId, keyHash, ""));
        if (last.valid()) return kept.token;
        return last.claims != null && refusesBuild(last.claims) ? kept.before : "";
    }

    /** Whether the server refused a build; what forBuild refuses is valid for an older one. */
    private static boolean refusesBuild(Map<String, Object> claims) {
        return !Boolean.TRUE.equals(claims.get("valid")) && "updates_ended".equals(claims.get("reason"));
    }

    /** Whether such a refusal was for a newer build than this one. */
    private static boolean isForNewer(Map<String, Object> claims, String releasedOn) {
        String until = text(claims.get("updates_until"));
        return refusesBuild(claims) && until != null && DAY_AS_TEXT.matcher(until).matches() && releasedOn.compareTo(until) <= 0;
    }

    /** Of a floating licence without a free seat: when one is free, and to ask again then, at least each minute. */
    private static Result waitingForSeat(Result result, Reply answer) {
        Instant free = instant(answer.body.get("seat_free_at"));
        if (free == null || !"installation_limit".equals(result.reason)) return result;
        result.seatFreeAt = free;
        // By the server's clock: that of the computer may be wrong.
        result.nextCheck = Math.min(60, Math.max(1, free.getEpochSecond() - answer.verdict.mark));
        return result;
    }

    /**
     * What the server said instead of a verdict. 'Too many questions' turns nobody offline: what was kept decides with
     * the rules of the clock, but the connection is there.
     */
    private Result withAnswer(Result result, Reply answer, String keyHash) {
        result.detail = answer.detail;
        if (!"rate_limited".equals(answer.detail)) return result;
        Result before = latest.keyHash.equals(keyHash) ? latest.result : result;
        boolean isSame = before.ok == result.ok && Objects.equals(before.reason, result.reason);
        if (isSame) result.offline = before.offline;
        if (isSame) result.nextCheck = Math.min(HOUR, Math.max(result.nextCheck, answer.retryAfter));
        return result;
    }

    /** Takes the key's hash from the file. The server cannot be asked without the key. */
    private Result byFile() {
        ReadFile read = readFile();
        Program program = programOf(keyHashIn(fileToken(read.text)));
        String problem = read.problem(readFileToken(read.text, program));
        if (file != null && problem == null) return withoutConnection(program, Reply.none(null));
        if (problem != null) log(problem, file + ": the licence file does not count");
        Result result = refused("not_found", false);
        result.detail = problem;
        return result;
    }

    /** Judges what was kept and the file; the later of those that pass decides, so an old file undoes no refusal. */
    private Result withoutConnection(Program program, Reply answer) {
        synchronized (files) {
            return byStore(program, answer);
        }
    }

    private Result byStore(Program program, Reply answer) {
        Kept kept = store.read();
        Times times = timesNow(); // after the store: what another process writes cannot make this clock look set back
        ReadFile read = readFile();
        Verdict inFile = readFileToken(read.text, program);
        String problem = read.problem(inFile);
        if (problem != null) log(problem, file + ": the licence file does not count");
        Verdict last = readSigned(kept.token, STORED, program);
        boolean isForNewer = last.claims != null && isForNewer(last.claims, program.releasedOn);
        Verdict held = isForNewer ? readSigned(kept.before, STORED, program) : last;
        Long mark = markOf(program, kept);
        Time seen = Time.of(kept, mark, times);
        Time time = seen.byFile(inFile, kept.issued);
        logTime(kept, mark, seen, time);
        Verdict own = Verdict.failed("malformed");
        if (kept.license.equals(program.keyHash)) own = checkTime(held, time).butRefusalsLast();
        Verdict filed = checkTime(inFile, time);
        Verdict later = filed.accepted() && (!own.accepted() || filed.iat() > own.iat()) ? filed : own;
        if (own.isTimely() || filed.isTimely()) {
            store.write(time.after(kept, times, later, own.isTimely() ? own : filed));
        }
        if (later.accepted()) return resultOf(later, true);
        for (Verdict verdict : Arrays.asList(own, filed)) {
            switch (verdict.error) {
                case "expired": return ended(verdict);
                case "clock_back": case "future": return refused(verdict.error, true);
                default: break;
            }
        }
        return refused(answer.isNone() ? "no_connection" : "unverified", false);
    }

    /** What is said of a token that has ended: where the licence itself has ended by then, that. */
    private static Result ended(Verdict verdict) {
        Instant end = instant(verdict.claims.get("usable_until"));
        if (end == null) end = instant(verdict.claims.get("license_expires"));
        boolean isOver = end != null && end.toEpochMilli() <= verdict.mark * 1000;
        Result result = refused(isOver ? "expired" : "offline_expired", true);
        return isOver ? withTerms(result, verdict.claims) : result;
    }

    private static Result withTerms(Result result, Map<String, Object> claims) {
        result.expiresAt = instant(claims.get("license_expires"));
        result.type = text(claims.get("license_type"));
        result.status = text(claims.get("status"));
        result.updatesUntil = text(claims.get("updates_until"));
        return result;
    }

    private void logTime(Kept kept, Long mark, Time seen, Time time) {
        long back = seen.back - kept.back;
        if (back > 0) log("clock_back", "the clock is " + back + " s earlier than at the last check");
        else if (mark != null && seen.missed > 60) log("clock_still", seen.missed + " s more passed than the clock says");
        if (time != seen) log("clock_file", "a newer licence file set the time anew");
    }

    private static Result resultOf(Verdict verdict, boolean offline) {
        Map<String, Object> claims = verdict.claims;
        Instant end = instant(claims.get("license_expires"));
        String reason = verdict.reason() == null ? "unverified" : verdict.reason();
        Result result = withTerms(new Result(verdict.valid(), verdict.valid() ? null : reason, offline), claims);
        if (!result.ok) return result;
        boolean isOver = end != null && verdict.mark * 1000 > end.toEpochMilli();
        long exp = seconds(claims.get("exp"));
        long half = (exp - verdict.iat()) / 2;
        Map<String, Object> features = Json.object(claims.get("features"));
        if (features != null) result.features = Collections.unmodifiableMap(features);
        result.daysLeft = daysUntil(end, verdict.mark, claims.get("utc_offset"));
        result.inGrace = end != null && (isOver || Boolean.TRUE.equals(claims.get("in_grace")));
        if (result.inGrace) result.graceUntil = instant(claims.get("usable_until"));
        result.offlineUntil = Instant.ofEpochSecond(exp);
        result.holds = exp - verdict.mark;
        if (half > 0) result.nextCheck = Math.min(HOUR, half);
        return result;
    }

    /** Whole days of the vendor's calendar, as the console counts them. */
    private static Long daysUntil(Instant end, long now, Object offset) {
        if (end == null) return null;
        long last = end.getEpochSecond();
        if (!(offset instanceof Long)) return Math.max(0, Math.floorDiv(last - now, DAY));
        long ahead = (Long) offset;
        return Math.max(0, Math.floorDiv(last + ahead, DAY) - Math.floorDiv(now + ahead, DAY));
    }

    private static Result refused(String reason, boolean offline) { return new Result(false, reason, offline); }

    private Map<String, Object> named() {
        Map<String, Object> about = aboutProgram();
        if (!machineName.isEmpty()) about.put("machine_name", machineName);
        return about;
    }

    private Map<String, Object> aboutProgram() {
        Map<String, Object> about = new LinkedHashMap<>();
        about.put("os", Machine.system());
        if (!appVersion.isEmpty()) about.put("app_version", appVersion);
        if (!releasedOn.isEmpty()) about.put("released_on", releasedOn);
        return about;
    }

    private Program program(String key) { return programOf(hashOfKey(key)); }

    private Program programOf(String keyHash) { return new Program(keys, software, machineId, keyHash, releasedOn); }

    /** The highest time that the program knows, in seconds; null before the first answer. */
    private static Long markOf(Program program, Kept kept) {
        Verdict signed = readSigned(kept.token, STORED, program);
        if (signed.claims == null) return kept.mark;
        return kept.mark == null ? (Long) signed.iat() : (Long) Math.max(signed.iat(), kept.mark);
    }

    /** Tells the program's log in one line. What the log throws changes nothing. */
    private void log(String code, String message) {
        try {
            String line = message.replaceAll("[^ -~]", "?");
            hook.accept(code, line.substring(0, Math.min(300, line.length())));
        } catch (Throwable e) {
            // The program's own problem.
        }
    }

    // ---------------------------------------------------------------- Checks in the background, and cached ones

    /** The last result, of which key, and when: the counter of the process, which nobody sets. */
    private static final class Latest {
        final String keyHash;
        final Result result;
        final long at = System.nanoTime();

        Latest(String keyHash, Result result) {
            this.keyHash = keyHash;
            this.result = result;
        }

        boolean isYounger(double seconds) { return System.nanoTime() - at < seconds * 1e9; }

        /** Whether it answers for a key within this time: a refusal for a minute at most, nothing beyond its end. */
        boolean isFresh(String hash, double seconds) {
            return keyHash.equals(hash) && isYounger(Math.min(seconds, result.ok ? result.holds : 60));
        }
    }

    private final Map<String, FutureTask<Result>> underway = new HashMap<>();
    private Background background; // guarded by underway

    /**
     * The last result of this key where it is younger than these seconds, else that of a check, which callers who come
     * meanwhile share. Those who have an older result that still holds get that at once. Never throws.
     */
    public Result checkCached(String key, double seconds) {
        String hash = hashOfKey(trim(key));
        FutureTask<Result> call;
        boolean isMine;
        synchronized (underway) {
            Latest known = latest;
            if (known.isFresh(hash, seconds)) return known.result;
            call = underway.get(hash);
            if (call != null && known.result.ok && known.isFresh(hash, Double.MAX_VALUE)) return known.result;
            isMine = call == null;
            if (isMine) underway.put(hash, call = new FutureTask<>(() -> check(key)));
        }
        if (isMine) {
            call.run();
            synchronized (underway) {
                underway.remove(hash);
            }
        }
        try {
            return call.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return refused("no_connection", false);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e); // check throws nothing
        }
    }

    /**
     * Answers from what is kept, checks, and checks again after every nextCheck seconds, in a daemon thread. Another start
     * replaces this one.
     *
     * @param onChange is given what is kept, where that is good (pending), then the result of the first check, and each that differs in ok, reason, features, inGrace or offline, has
     *     refused uses, or whose text begins or ends
     */
    public void start(String key, Consumer<Result> onChange) {
        Background next = new Background(key, onChange);
        synchronized (underway) {
            stop();
            background = next;
        }
        daemon(next).start();
    }

    /** Ends what start began; a check that is under way tells nobody. The seat stays: release gives it back. */
    public void stop() {
        synchronized (underway) {
            if (background != null) background.end();
            background = null;
        }
    }

    /** The same as stop. */
    @Override public void close() { stop(); }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "license");
        thread.setDaemon(true);
        return thread;
    }

    private final class Background implements Runnable {
        private final String key;
        private final Consumer<Result> onChange;
        private boolean isEnded;

        Background(String key, Consumer<Result> onChange) {
            this.key = key;
            this.onChange = onChange;
        }

        @Override public void run() {
            Result kept = look(trim(key));
            if (kept != null && goesOnAfter(0)) tell(kept);
            List<Object> told = null;
            for (long wait = 0; goesOnAfter(wait);) {
                Result result = check(key);
                wait = result.nextCheck;
                boolean warns = !result.message("es").isEmpty(); // a text that begins may be the warning before the end
                List<Object> now = Arrays.asList(result.ok, result.reason, result.features, result.inGrace, result.offline, warns);
                boolean isNew = !now.equals(told) || !result.refusedUses.isEmpty();
                if (!isNew || !goesOnAfter(0)) continue;
                told = now;
                tell(result);
            }
        }

        private void tell(Result result) {
            try {
                onChange.accept(result);
            } catch (Throwable e) {
                log("callback", "onChange threw " + e);
            }
        }

        /** Waits for these seconds of the counter. False when it was ended. */
        private synchronized boolean goesOnAfter(long seconds) {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
            try {
                long left = seconds * 1000;
                for (; left > 0 && !isEnded; left = (end - System.nanoTime()) / 1_000_000) wait(left);
            } catch (InterruptedException e) {
                isEnded = true;
            }
            return !isEnded;
        }

        private synchronized void end() {
            isEnded = true;
            notifyAll();
        }
    }

    // ---------------------------------------------------------------- Asking the server

    /** The bytes of an answer and of a licence file, and those of the store. */
    private static final int MOST_BYTES = 64 * 1024;
    private static final int MOST_STORE = 1024 * 1024;
    private static final String USER_AGENT = "license-manager-java/" + VERSION;
    private static final Pattern CODE = Pattern.compile("[a-z_]{1,50}");
    /** An address that a program may open: it ends in a browser, perhaps through a shell. */
    private static final Pattern PORTAL_ADDRESS = Pattern.compile(
            "(https?)://([A-Za-z0-9.-]+|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?/[A-Za-z0-9/._~?#=-]{1,500}");

    /** Whether a program may open this address: by http only on this computer, or at the host that it asked by http itself. */
    private static boolean isOfPortal(String url, String asked) {
        Matcher address = PORTAL_ADDRESS.matcher(url);
        if (!address.matches() || address.group(1).equals("https")) return address.matches();
        String host = address.group(2);
        if (host.equals("localhost") || host.equals("127.0.0.1") || host.equals("[::1]")) return true;
        Matcher server = PORTAL_ADDRESS.matcher(asked);
        return server.matches() && server.group(1).equals("http") && server.group(2).equalsIgnoreCase(host);
    }

    private static String pathOf(String call) {
        switch (call) {
            case "validate": return "/licenses/api/license/validate/";
            case "heartbeat": return "/licenses/api/installation/heartbeat/";
            case "release": return "/licenses/api/installations/release/";
            case "portal": return "/licenses/api/portal/ticket/";
            case "usage": return "/licenses/api/usage/";
            case "trial": return "/licenses/api/trial/";
            default: return "/licenses/api/installations/";
        }
    }

    /** An answer: its status (0: none came), its token, the verdict if the token passes, else why there is none. */
    private static final class Reply {
        int status;
        String token;
        String code;
        String url;
        Map<String, Object> body = Collections.emptyMap();
        /** Of a report of usage: what became of each record. */
        List<Map<String, Object>> results;
        long retryAfter;
        Verdict verdict;
        String detail;

        static Reply none(String detail) {
            Reply none = new Reply();
            none.detail = detail;
            return none;
        }

        /** What the token of a report of usage says of this record; empty where it says nothing. */
        Map<String, Object> saidOf(Object id) {
            Object uses = verdict.claims.get("uses");
            for (Object use : uses instanceof List ? (List<?>) uses : Collections.emptyList()) {
                Map<String, Object> said = Json.object(use);
                if (said != null && id.equals(said.get("request_id"))) return said;
            }
            return Collections.emptyMap();
        }

        boolean isValid() { return verdict != null && verdict.valid(); }

        boolean says(String reason) { return verdict != null && !verdict.valid() && reason.equals(verdict.reason()); }

        boolean isNone() { return status == 0 || status == 407 || status == 429 || status >= 500; }

        /** Why a release did not succeed. A code is not signed: it only explains. */
        String why() {
            if (verdict != null && verdict.reason() != null) return verdict.reason();
            if (token == null && code != null) return code;
            return isNone() && token == null ? "no_connection" : "unverified";
        }

        /** What this answer is, where its token fails with this error, or is not there. */
        String kind(String error) {
            if (status == 429) return "rate_limited";
            if (status >= 500) return "server_error";
            if (status == 407) return "proxy";
            return "unknown_key".equals(error) || "signature".equals(error) ? "wrong_key" : "not_the_server";
        }
    }

    /** Makes a call with a separate nonce and judges the answer as a fresh one. */
    private Reply ask(String call, String key, Map<String, Object> question) {
        byte[] random = new byte[16];
        new SecureRandom().nextBytes(random);
        String nonce = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        question.put("license_key", key);
        question.put("machine_id", machineId);
        question.put("software", software);
        question.put("nonce", nonce);
        Reply answer = post(call, Json.write(question).getBytes(StandardCharsets.UTF_8));
        if (answer.status == 0) return answer;
        Verdict verdict = answer.token == null ? Verdict.failed("no token")
                : checkFresh(answer.token, call, nonce, program(key));
        if (verdict.accepted()) {
            answer.verdict = verdict;
        } else {
            answer.detail = answer.kind(verdict.error);
            log(answer.detail, call + ": status " + answer.status + ", " + verdict.error);
        }
        return answer;
    }

    /** One call, which ends after the timeout however slowly the server sends. */
    private Reply post(String call, byte[] question) {
        String address = server + pathOf(call);
        Connection own = transport == null ? new Connection() : null;
        Transport used = own == null ? transport : own;
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", "application/json");
        headers.put("Accept", "application/json");
        headers.put("User-Agent", USER_AGENT);
        FutureTask<Reply> task = new FutureTask<>(() -> replyIn(used.send(address, question, headers, milliseconds)));
        Throwable problem;
        try {
            daemon(task).start();
            return task.get(milliseconds, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            problem = e;
        } catch (TimeoutException e) {
            problem = new SocketTimeoutException("no whole answer in time");
        } catch (ExecutionException e) {
            problem = e.getCause();
        } catch (OutOfMemoryError e) {
            problem = e; // no thread can be had
        }
        task.cancel(true);
        if (own != null) daemon(own::cut).start(); // in a thread, because it may wait for the one that reads
        Reply none = Reply.none(problemOf(problem, URI.create(address)));
        log(none.detail, call + ": " + problem);
        return none;
    }

    private static Reply replyIn(Answer answer) throws IOException {
        if (answer == null || answer.status < 100) throw new SocketException("no HTTP");
        Reply reply = new Reply();
        reply.status = answer.status;
        String wait = trim(answer.headers.get("Retry-After"));
        reply.retryAfter = wait.matches("[0-9]{1,9}") ? Long.parseLong(wait) : 0;
        Map<String, Object> body = answer.body.length > MOST_BYTES ? null : Json.readObject(answer.body);
        if (body == null) return reply;
        reply.body = body;
        reply.token = text(body.get("token"));
        reply.url = text(body.get("url"));
        String code = text(body.get("code"));
        if (code != null && CODE.matcher(code).matches() && !reply.isNone()) reply.code = code;
        return reply;
    }

    /** The SDK's own transport. HttpURLConnection, because Java 8 has no other client. */
    private static final class Connection implements Transport {
        private volatile HttpURLConnection connection;

        @Override public Answer send(String url, byte[] question, Map<String, String> headers, int timeoutMillis)
                throws IOException {
            connection = (HttpURLConnection) new URL(url).openConnection();
            connection.setInstanceFollowRedirects(false);
            connection.setUseCaches(false);
            connection.setConnectTimeout(timeoutMillis + 1000); // later than the timeout of the whole
            connection.setReadTimeout(timeoutMillis + 1000);
            headers.forEach(connection::setRequestProperty);
            connection.setDoOutput(true);
            try (OutputStream out = connection.getOutputStream()) {
                out.write(question);
            }
            int status = connection.getResponseCode();
            Map<String, String> received = Collections.singletonMap("Retry-After", connection.getHeaderField("Retry-After"));
            try (InputStream body = status >= 400 ? connection.getErrorStream() : connection.getInputStream()) {
                byte[] bytes = body == null ? new byte[0] : readMost(body);
                if (bytes.length > MOST_BYTES) cut();
                return new Answer(status, received, bytes);
            }
        }

        void cut() {
            if (connection != null) connection.disconnect();
        }
    }

    /** Which of the codes of sdk/README.md a failure is. Clients wrap what happened, so the causes are looked at too. */
    private String problemOf(Throwable problem, URI address) {
        List<Throwable> causes = new ArrayList<>();
        for (Throwable e = problem; e != null && causes.size() < 10; e = e.getCause()) causes.add(e);
        String text = String.valueOf(problem.getMessage());
        boolean isRefused = text.startsWith("Unable to tunnel through proxy") || text.startsWith("Tunnel failed");
        boolean isName = isAny(causes, UnknownHostException.class, UnresolvedAddressException.class);
        boolean isFarther = isName || isAny(causes, ConnectException.class, NoRouteToHostException.class);
        if (isRefused || (isFarther && transport == null && isProxied(address))) return "proxy";
        if (isName) return "dns";
        // The last one is HttpTimeoutException, which Java 8 does not know.
        boolean isLate = isAny(causes, InterruptedIOException.class) || text.endsWith("timed out");
        if (isLate) return "timeout";
        boolean isSecure = isAny(causes, GeneralSecurityException.class) || text.startsWith("HTTPS hostname wrong");
        boolean isCut = isAny(causes, SocketException.class);
        return isSecure || (isAny(causes, SSLException.class) && !isCut) ? "tls" : "unreachable";
    }

    private static boolean isAny(List<Throwable> causes, Class<?>... kinds) {
        for (Throwable cause : causes) for (Class<?> kind : kinds) if (kind.isInstance(cause)) return true;
        return false;
    }

    private static boolean isProxied(URI address) {
        ProxySelector selector = ProxySelector.getDefault();
        if (selector == null) return false;
        for (Proxy proxy : selector.select(address)) if (proxy.type() != Proxy.Type.DIRECT) return true;
        return false;
    }

    // ---------------------------------------------------------------- Judging a token (docs/offline.md)

    private static final long AHEAD_SECONDS = 5 * 60;
    private static final long BACK_SECONDS = 24 * 60 * 60;

    /** What the program knows when it judges a token. */
    static final class Program {
        final Map<String, PublicKey> keys;
        final String software;
        final String machineId;
        final String keyHash;
        /** The day on which this build came out; empty: nothing is asked of updates. */
        final String releasedOn;

        Program(Map<String, PublicKey> keys, String software, String machineId, String keyHash, String releasedOn) {
            this.keys = keys;
            this.software = software;
            this.machineId = machineId;
            this.keyHash = keyHash;
            this.releasedOn = releasedOn;
        }
    }

    /** What a token is worth: the error is null if it was accepted; claims are there once its signature verifies. */
    static final class Verdict {
        final String error;
        final Map<String, Object> claims;
        final long mark;

        Verdict(String error, Map<String, Object> claims, long mark) {
            this.error = error;
            this.claims = claims;
            this.mark = mark;
        }

        static Verdict failed(String error) { return new Verdict(error, null, 0); }

        boolean accepted() { return error == null; }

        boolean isTimely() { return accepted() || error.equals("expired"); }

        boolean valid() { return claims != null && Boolean.TRUE.equals(claims.get("valid")); }

        String reason() { return claims == null ? null : text(claims.get("reason")); }

        long iat() { return claims == null ? 0 : seconds(claims.get("iat")); }

        /** A refusal that was kept decides even after its end. */
        Verdict butRefusalsLast() {
            return "expired".equals(error) && !valid() ? new Verdict(null, claims, mark) : this;
        }
    }

    /** The answer to a call that was just made with this nonce: validate, activate, heartbeat or release. */
    static Verdict checkFresh(String token, String call, String nonce, Program program) {
        Verdict signed = readSigned(token, call, program);
        if (!signed.accepted()) return signed;
        if (!nonce.equals(signed.claims.get("nonce"))) return Verdict.failed("nonce");
        return new Verdict(null, signed.claims, signed.iat());
    }

    /** A token that the program kept. */
    static Verdict checkStored(String token, Program program, Time time) {
        return checkTime(readSigned(token, STORED, program), time);
    }

    /** Steps 12 to 14, for a token that was kept or stands in a file. */
    private static Verdict checkTime(Verdict signed, Time time) {
        if (!signed.accepted()) return signed;
        long now = time.now();
        if (time.back > BACK_SECONDS || time.clock < now - BACK_SECONDS) {
            return new Verdict("clock_back", signed.claims, now);
        }
        if (signed.iat() > now + AHEAD_SECONDS) return new Verdict("future", signed.claims, now);
        String error = now < seconds(signed.claims.get("exp")) ? null : "expired";
        return new Verdict(error, signed.claims, now);
    }

    /** A licence file: a token between two lines, broken into lines. */
    static Verdict checkFile(String text, Program program, Time time) {
        return checkTime(readFileToken(text, program), time);
    }

    private static Verdict readFileToken(String text, Program program) {
        return readSigned(fileToken(text), IN_FILE, program);
    }

    private static final String BEGIN = "-----BEGIN LICENSE FILE-----";
    private static final String END = "-----END LICENSE FILE-----";

    /** The token in the text of a licence file, whatever stands around it; an empty text where there is none. */
    private static String fileToken(String text) {
        int begin = text.indexOf(BEGIN);
        int end = text.indexOf(END, Math.max(0, begin));
        if (begin < 0 || end < 0) return "";
        StringBuilder token = new StringBuilder();
        text.substring(begin + BEGIN.length(), end).chars().filter(c -> !isBlank(c)).forEach(c -> token.append((char) c));
        return token.toString();
    }

    // A token stands as the answer to a call, or as one of these.
    private static final String STORED = "stored";
    private static final String IN_FILE = "file";

    /**
     * Whether a token may stand where it does. What is kept is the last word of a check, which a validation has only
     * where it refuses.
     */
    private static boolean isAnswerTo(String role, Map<String, Object> claims) {
        Object call = claims.get("call");
        if (!role.equals(STORED)) return role.equals(call);
        boolean isRefusal = !Boolean.TRUE.equals(claims.get("valid"));
        return "activate".equals(call) || "heartbeat".equals(call) || ("validate".equals(call) && isRefusal);
    }

    /** Steps 1 to 11: what every token must pass. */
    private static Verdict readSigned(String token, String role, Program program) {
        String[] parts = token.split("\\.", -1);
        Map<String, Object> header = parts.length == 3 ? Json.readObject(base64url(parts[0])) : null;
        if (header == null) return Verdict.failed("malformed");
        if (!"ES256".equals(header.get("alg"))) return Verdict.failed("algorithm");
        String typ = role.equals(IN_FILE) ? "license-file+jwt" : "license+jwt";
        if (!typ.equals(header.get("typ"))) return Verdict.failed("type");
        PublicKey key = header.get("kid") instanceof String ? program.keys.get(header.get("kid")) : null;
        if (key == null) return Verdict.failed("unknown_key");
        byte[] signed = (parts[0] + "." + parts[1]).getBytes(StandardCharsets.UTF_8);
        if (!Es256.verifies(key, signed, base64url(parts[2]))) return Verdict.failed("signature");
        Map<String, Object> claims = Json.readObject(base64url(parts[1]));
        if (claims == null || seconds(claims.get("iat")) == null || seconds(claims.get("exp")) == null) {
            return Verdict.failed("malformed");
        }
        if (!program.software.equals(claims.get("aud"))) return Verdict.failed("audience");
        if (!sha256(trim(program.machineId)).equals(claims.get("mid"))) return Verdict.failed("machine");
        // Without these a relay answers with the server's own words about another key, or about another call.
        if (!program.keyHash.equals(claims.get("key_hash"))) return Verdict.failed("key_hash");
        if (!isAnswerTo(role, claims)) return Verdict.failed("call");
        boolean isValid = Boolean.TRUE.equals(claims.get("valid"));
        if (isValid && !Boolean.TRUE.equals(claims.get("seat"))) return Verdict.failed("seat");
        return new Verdict(null, forBuild(claims, program.releasedOn), 0);
    }

    /** A valid token refuses a build that came out after the last day of updates; older ones it lets run. */
    private static Map<String, Object> forBuild(Map<String, Object> claims, String releasedOn) {
        String until = text(claims.get("updates_until"));
        boolean isLater = until != null && !until.isEmpty() && releasedOn.compareTo(until) > 0;
        if (!isLater || !Boolean.TRUE.equals(claims.get("valid"))) return claims;
        Map<String, Object> refused = new LinkedHashMap<>(claims);
        refused.put("valid", false);
        refused.put("reason", "updates_ended");
        return refused;
    }

    /** ECDSA on P-256 with SHA-256. */
    static final class Es256 {
        private static final BigInteger P =
                new BigInteger("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff", 16);
        private static final BigInteger B =
                new BigInteger("5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b", 16);
        private static final BigInteger N =
                new BigInteger("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551", 16);

        static PublicKey publicKey(Key key) {
            BigInteger x = new BigInteger(1, base64url(key.x));
            BigInteger y = new BigInteger(1, base64url(key.y));
            BigInteger right = x.pow(3).subtract(x.multiply(BigInteger.valueOf(3))).add(B);
            boolean isOnCurve = x.compareTo(P) < 0 && y.compareTo(P) < 0 && y.pow(2).subtract(right).mod(P).signum() == 0;
            if (!isOnCurve) throw new IllegalArgumentException("keys: " + key.kid + " is no key of P-256");
            try {
                AlgorithmParameters curve = AlgorithmParameters.getInstance("EC");
                curve.init(new ECGenParameterSpec("secp256r1"));
                ECParameterSpec parameters = curve.getParameterSpec(ECParameterSpec.class);
                return KeyFactory.getInstance("EC").generatePublic(new ECPublicKeySpec(new ECPoint(x, y), parameters));
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }

        /** The range of r and s is tested here: Java before 17.0.3 accepts zeros (CVE-2022-21449). */
        static boolean verifies(PublicKey key, byte[] signed, byte[] signature) {
            if (signature.length != 64 || !isInRange(signature, 0) || !isInRange(signature, 32)) return false;
            try {
                Signature verifier = Signature.getInstance("SHA256withECDSA");
                verifier.initVerify(key);
                verifier.update(signed);
                return verifier.verify(derOf(signature));
            } catch (GeneralSecurityException e) {
                return false;
            }
        }

        /** The form of a signature that Java 8 takes: a SEQUENCE of two INTEGER, of less than 128 bytes. */
        private static byte[] derOf(byte[] signature) {
            ByteArrayOutputStream both = new ByteArrayOutputStream();
            for (int from : new int[] {0, 32}) {
                byte[] number = new BigInteger(1, Arrays.copyOfRange(signature, from, from + 32)).toByteArray();
                both.write(2);
                both.write(number.length);
                both.write(number, 0, number.length);
            }
            ByteArrayOutputStream sequence = new ByteArrayOutputStream();
            sequence.write(0x30);
            sequence.write(both.size());
            sequence.write(both.toByteArray(), 0, both.size());
            return sequence.toByteArray();
        }

        private static boolean isInRange(byte[] signature, int from) {
            BigInteger number = new BigInteger(1, Arrays.copyOfRange(signature, from, from + 32));
            return number.signum() > 0 && number.compareTo(N) < 0;
        }
    }

    // ---------------------------------------------------------------- The store

    /** What the store holds: whose token it is (SHA-256 of the key), the token, and what is known of the time. */
    static final class Kept {
        final String license;
        final String token;
        /** Beside the refusal of a newer build the good verdict before it; else empty. */
        final String before;
        final Long mark;
        final long back;
        final long leap;
        final Long issued;
        final Times times;

        Kept(String license, String token, String before, Long mark, long back, long leap, Long issued, Times times) {
            this.license = license;
            this.token = token;
            this.before = before;
            this.mark = mark;
            this.back = back;
            this.leap = leap;
            this.issued = issued;
            this.times = times;
        }
    }

    private final class Store {
        private final File path;
        private volatile Kept unwritten; // used instead of the file until a write succeeds
        private volatile String error; // why the last writing failed, or the reading of a file that exists

        Store(File path) { this.path = path; }

        /** A file that cannot be read counts as empty. */
        Kept read() {
            if (unwritten != null) return unwritten;
            byte[] bytes = new byte[0];
            try (InputStream in = new FileInputStream(path)) {
                bytes = readMost(in, MOST_STORE);
            } catch (IOException | SecurityException e) {
                if (path.exists()) failed(path.canRead() ? "failed" : "denied", e);
            }
            return keptIn(bytes.length > MOST_STORE ? "" : textIn(bytes));
        }

        /** The same for what a program asks between its checks: a file that cannot be read is told by those. */
        Kept glimpse() {
            Kept known = unwritten;
            if (known != null) return known;
            try (InputStream in = new FileInputStream(path)) {
                byte[] bytes = readMost(in, MOST_STORE);
                return keptIn(bytes.length > MOST_STORE ? "" : textIn(bytes));
            } catch (IOException | SecurityException e) {
                return keptIn("");
            }
        }

        private Kept keptIn(String text) {
            Map<String, Object> read = Json.readObject(text);
            Map<String, Object> json = read == null ? Collections.<String, Object>emptyMap() : read;
            Times times = new Times(seconds(json.get("clock")), orEmpty(json.get("run")), seconds(json.get("ticks")));
            return new Kept(orEmpty(json.get("license")), orEmpty(json.get("token")), orEmpty(json.get("before")),
                    seconds(json.get("mark")), count(json.get("back")), count(json.get("leap")), seconds(json.get("issued")), times);
        }

        private String orEmpty(Object value) { return value instanceof String ? (String) value : ""; }

        private long count(Object value) {
            Long count = seconds(value);
            return count == null ? 0 : count;
        }

        void write(Kept kept) {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("license", kept.license);
            json.put("token", kept.token);
            if (!kept.before.isEmpty()) json.put("before", kept.before);
            json.put("mark", kept.mark);
            json.put("back", kept.back);
            json.put("leap", kept.leap);
            json.put("issued", kept.issued);
            json.put("clock", kept.times.clock);
            json.put("run", kept.times.run);
            json.put("ticks", kept.times.ticks);
            unwritten = kept;
            try {
                replaceFile(path, Json.write(json));
                unwritten = null;
                error = null;
            } catch (IOException | SecurityException e) {
                failed(problemOf(e), e);
            }
        }

        /** A file whose name begins as that of the store. */
        File beside(String ending) { return new File(path + ending); }

        private void failed(String problem, Exception e) {
            error = problem;
            log("store_" + problem, path + ": " + e);
        }

        /** What hindered the writing. The texts of a system may be in its own language, so its state is looked at too. */
        private String problemOf(Exception e) {
            File folder = path.getAbsoluteFile().getParentFile();
            while (folder != null && !folder.exists()) folder = folder.getParentFile();
            String text = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
            boolean isFull = text.contains("no space left") || text.contains("quota") || text.contains("not enough space");
            if (isFull || (folder != null && folder.getTotalSpace() > 0 && folder.getUsableSpace() == 0)) return "full";
            boolean isDenied = e instanceof SecurityException || e instanceof AccessDeniedException
                    || text.contains("not permitted") || text.contains("permission denied") || text.contains("read-only")
                    || text.contains("access is denied");
            return isDenied || (folder != null && !Files.isWritable(folder.toPath())) ? "denied" : "failed";
        }
    }

    /** Writes a second file and renames it, so that a reader sees the old one or the new one. Makes the folder. */
    private static void replaceFile(File path, String text) throws IOException {
        Path second = pathOf(new File(path + "." + randomHex(8) + ".tmp"));
        makeFolderOf(path);
        try {
            try (FileOutputStream file = new FileOutputStream(second.toFile())) {
                file.write(text.getBytes(StandardCharsets.UTF_8));
                file.getFD().sync();
            }
            Files.move(second, pathOf(path), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException | SecurityException e) {
            try {
                Files.deleteIfExists(second);
            } catch (IOException | SecurityException ignored) {
                // Nothing more can be done.
            }
            throw e;
        }
    }

    private static void makeFolderOf(File path) throws IOException {
        File folder = path.getAbsoluteFile().getParentFile();
        if (folder != null && !folder.isDirectory()) Files.createDirectories(pathOf(folder));
    }

    /** The path of a file; a text that the system takes for none, such as one with a NUL, is a failure like others. */
    private static Path pathOf(File file) throws IOException {
        try {
            return file.toPath();
        } catch (InvalidPathException e) {
            throw new IOException("no path: " + e.getReason());
        }
    }

    /** All that a stream has, but at most one byte more than 64 KiB. */
    private static byte[] readMost(InputStream stream) throws IOException { return readMost(stream, MOST_BYTES); }

    private static byte[] readMost(InputStream stream, int most) throws IOException {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        byte[] part = new byte[8192];
        for (int size = 0; size >= 0 && read.size() <= most;) {
            size = stream.read(part, 0, Math.min(part.length, most + 1 - read.size()));
            if (size > 0) read.write(part, 0, size);
        }
        return read.toByteArray();
    }

    /** A file of the system, or beside the store; empty where it cannot be read. */
    private static String readText(File path, int most) {
        String text = readTextOrNull(path, most);
        return text == null ? "" : text;
    }

    private static String readTextOrNull(File path, int most) {
        // A stream, because a thread that is interrupted can read that too.
        try (InputStream in = new FileInputStream(path)) {
            return textIn(readMost(in, most));
        } catch (IOException | SecurityException e) {
            return null;
        }
    }

    private static String readText(String path) { return readText(new File(path), MOST_BYTES); }

    /** UTF-8, or UTF-16 with a byte order mark, as Notepad writes it; no text begins with the mark. */
    private static String textIn(byte[] bytes) {
        int mark = bytes.length < 2 ? 0 : (bytes[0] & 0xff) << 8 | bytes[1] & 0xff;
        boolean isWide = mark == 0xfffe || mark == 0xfeff;
        String text = new String(bytes, isWide ? StandardCharsets.UTF_16 : StandardCharsets.UTF_8);
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }

    /** The licence file: its text, and why it has none. */
    private static final class ReadFile {
        final String text;
        private final String missing;

        ReadFile(String text, String missing) {
            this.text = text;
            this.missing = missing;
        }

        /** Why the file does not count whose token was judged like this; null where it does, or none was wanted. */
        String problem(Verdict signed) {
            if (signed.accepted() || missing != null) return "".equals(missing) ? null : missing;
            switch (signed.error) {
                case "unknown_key": return "wrong_key";
                case "audience": return "file_other_software";
                case "machine": return "file_other_machine";
                case "key_hash": return "file_other_key";
                default: return "file_damaged";
            }
        }
    }

    private ReadFile readFile() {
        if (file == null) return new ReadFile("", "");
        try (InputStream in = new FileInputStream(file)) {
            return new ReadFile(textIn(readMost(in)), null);
        } catch (IOException | SecurityException e) {
            return new ReadFile("", file.exists() ? "file_unreadable" : "file_missing");
        }
    }

    // ---------------------------------------------------------------- The time (docs/offline.md, The clock)

    /** What a start counts whose clock is not later than at the last check. */
    private static final long START_SECONDS = 10 * 60;
    private static final long STARTED = System.nanoTime();
    private static final String PROCESS = randomHex(16);

    /** The clock of the computer, and a counter of seconds that nobody sets. Numbers of one run can be compared. */
    static final class Times {
        final Long clock;
        final String run;
        final Long ticks;

        Times(Long clock, String run, Long ticks) {
            this.clock = clock;
            this.run = run;
            this.ticks = ticks;
        }
    }

    /**
     * The counter of Linux stands in a file, which a faked clock of the process does not reach; other systems have that
     * of the process.
     */
    private Times timesNow() {
        if (uptime != null) return new Times(clock.getAsLong(), "given", uptime.getAsLong());
        String boot = trim(readText("/proc/sys/kernel/random/boot_id"));
        String ticks = Machine.found("^([0-9]{1,15})", readText("/proc/uptime"));
        if (!boot.isEmpty() && !ticks.isEmpty()) return new Times(clock.getAsLong(), boot, Long.valueOf(ticks));
        return new Times(clock.getAsLong(), PROCESS, (System.nanoTime() - STARTED) / 1_000_000_000);
    }

    /**
     * What the program knows of the time. Least is the mark with the time that was measured since, null where there is no
     * mark; back and leap are the seconds of the clock's steps back and ahead.
     */
    static final class Time {
        final long clock;
        final Long least;
        final long back;
        final long leap;
        final long missed; // seconds that passed and the clock does not say

        Time(long clock, Long least, long back, long leap, long missed) {
            this.clock = clock;
            this.least = least;
            this.back = back;
            this.leap = leap;
            this.missed = missed;
        }

        static Time of(Kept kept, Long mark, Times now) {
            Times then = kept.times;
            boolean isMeasured = then.run.equals(now.run) && then.ticks != null && now.ticks >= then.ticks;
            boolean standsStill = !isMeasured && then.clock != null && now.clock <= then.clock;
            long passed = isMeasured ? now.ticks - then.ticks : standsStill ? START_SECONDS : 0;
            long back = then.clock == null ? 0 : Math.max(0, then.clock - now.clock);
            Long least = mark == null ? null : (Long) (mark + passed);
            long missed = then.clock == null ? 0 : passed - (now.clock - then.clock);
            return new Time(now.clock, least, kept.back + back, kept.leap, missed);
        }

        long now() { return least == null ? clock : Math.max(clock, least); }

        /**
         * The same without the leaps of the clock, where a file needs that and was issued after every token that decided
         * before. No time comes back that was lived through: the mark without its leaps stays.
         */
        Time byFile(Verdict inFile, Long issued) {
            boolean isNewer = inFile.accepted() && (issued == null || inFile.iat() > issued);
            if (!isNewer || checkTime(inFile, this).accepted()) return this;
            long lived = least == null ? inFile.iat() : least - leap;
            Time anew = new Time(clock, Math.max(inFile.iat(), lived), 0, 0, 0);
            return checkTime(inFile, anew).accepted() ? anew : this;
        }

        /** What is kept after a check. The best one decided, if it was accepted. */
        Kept after(Kept kept, Times times, Verdict best, Verdict first) {
            long ahead = now() - (least == null ? first.iat() : least);
            boolean isNewer = best.accepted() && (kept.issued == null || best.iat() > kept.issued);
            return new Kept(kept.license, kept.token, kept.before, now(), isNewer ? 0 : back,
                    leap + (ahead > BACK_SECONDS ? ahead : 0), isNewer ? (Long) best.iat() : kept.issued, times);
        }
    }

    // ---------------------------------------------------------------- The machine

    /** What identifies this computer. Never a network address. */
    static final class Machine {
        /** SHA-256 of the system's own id, the software and the instance; where there is none, digits beside the store. */
        static String id(String software, String instance, File store) {
            String system = systemId();
            boolean isPlain = instance.isEmpty();
            if (!system.isEmpty()) return sha256(system + "\n" + software + (isPlain ? "" : "\n" + instance));
            File path = new File(store + ".machine");
            String digits = trim(readText(path, MOST_BYTES));
            if (!digits.matches("[0-9a-f]{32}")) {
                digits = randomHex(16);
                try {
                    replaceFile(path, digits);
                } catch (IOException | SecurityException e) {
                    // The check says that the store cannot be written.
                }
            }
            return isPlain ? digits : sha256(digits + "\n" + software + "\n" + instance);
        }

        private static String systemId() {
            String os = System.getProperty("os.name", "");
            if (os.startsWith("Windows")) {
                String reg = System.getenv().getOrDefault("SystemRoot", "C:\\Windows") + "\\System32\\reg.exe";
                String key = "HKLM\\SOFTWARE\\Microsoft\\Cryptography";
                return found("MachineGuid\\s+REG_SZ\\s+(\\S+)", run(reg, "query", key, "/v", "MachineGuid", "/reg:64"));
            }
            if (os.startsWith("Mac")) {
                String all = run("/usr/sbin/ioreg", "-rd1", "-c", "IOPlatformExpertDevice");
                return found("\"IOPlatformUUID\" = \"([^\"]+)\"", all);
            }
            for (String path : Arrays.asList("/etc/machine-id", "/var/lib/dbus/machine-id")) {
                String id = trim(readText(path));
                if (!id.isEmpty() && !id.equals("uninitialized")) return id;
            }
            return "";
        }

        /** The system's name and version, at most 100 characters. */
        static String system() {
            return line(System.getProperty("os.name") + " " + System.getProperty("os.version"), 100);
        }

        static String name() {
            String name = System.getenv("COMPUTERNAME");
            if (name == null) name = readText("/etc/hostname");
            try {
                return line(trim(name).isEmpty() ? InetAddress.getLocalHost().getHostName() : name, 200);
            } catch (IOException e) {
                return "";
            }
        }

        private static String line(String text, int most) {
            return cut(trim(text.replaceAll("\\p{Cntrl}", " ")), most);
        }

        private static String found(String pattern, String text) {
            Matcher match = Pattern.compile(pattern).matcher(text);
            return match.find() ? match.group(1) : "";
        }

        private static String run(String... command) {
            try {
                Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
                process.getOutputStream().close();
                return new String(readMost(process.getInputStream()), StandardCharsets.UTF_8);
            } catch (IOException | SecurityException e) {
                return "";
            }
        }
    }

    // ---------------------------------------------------------------- Texts

    /** The texts for the program's user (sdk/messages.json). In ASCII, so that no setting of a compiler garbles them. */
    private static final class Texts {
        static final Map<String, String> ES = table(
                "not_found", "La licencia no existe. Hay que revisar la clave, o pedirla de nuevo al proveedor.",
                "wrong_software", "La clave es de otro programa. Hay que escribir la clave de este, o pedirla al "
                        + "proveedor.",
                "inactive", "La licencia no est\u00e1 activa. Para activarla hay que comunicarse con el proveedor.",
                "suspended", "La licencia est\u00e1 suspendida. Para usarla de nuevo hay que comunicarse con el "
                        + "proveedor.",
                "cancelled", "La licencia est\u00e1 cancelada. Para seguir con el programa hay que comunicarse con el "
                        + "proveedor.",
                "expired", "La licencia venci\u00f3. Para seguir con el programa hay que renovarla con el proveedor.",
                "expired_offline", "La licencia venci\u00f3. Hay que renovarla con el proveedor; si ya se renov\u00f3, basta "
                        + "conectar el equipo a internet una vez.",
                "updates_ended", "La licencia no incluye esta versi\u00f3n del programa. Hay que instalar una versi\u00f3n "
                        + "anterior, o renovar las actualizaciones con el proveedor.",
                "installation_limit", "La licencia ya se usa en todos los equipos que permite. Hay que liberar un "
                        + "lugar en otro equipo, o pedir m\u00e1s lugares al proveedor.",
                "not_activated", "Este equipo no tiene lugar en la licencia. Hay que abrir el programa con "
                        + "conexi\u00f3n a internet, o comunicarse con el proveedor.",
                "no_connection", "No hay conexi\u00f3n con el servidor de licencias. Hay que conectar el equipo a "
                        + "internet e intentar de nuevo.",
                "unverified", "La respuesta no viene del servidor de licencias. Hay que revisar la red de este "
                        + "equipo, o comunicarse con el proveedor.",
                "offline_expired", "Termin\u00f3 el tiempo para trabajar sin conexi\u00f3n. Hay que conectar el equipo a "
                        + "internet una vez, o pedir al proveedor un archivo de licencia nuevo.",
                "offline_expired_because", "Termin\u00f3 el tiempo para trabajar sin conexi\u00f3n.",
                "clock_back", "El reloj de este equipo no es correcto. Hay que corregir la fecha y la hora, "
                        + "conectar el equipo a internet una vez, o pedir al proveedor un archivo de licencia nuevo.",
                "future", "La fecha de este equipo es anterior a la de la licencia. Hay que corregir la fecha y la "
                        + "hora del equipo.",
                "unknown", "La licencia no permite usar el programa ({reason}). Hay que comunicarse con el "
                        + "proveedor.",
                "detail_dns", "No se encuentra la direcci\u00f3n del servidor de licencias. Hay que revisar la conexi\u00f3n "
                        + "a internet de este equipo y su servidor DNS.",
                "detail_tls", "No se pudo abrir una conexi\u00f3n segura con el servidor de licencias. Hay que revisar "
                        + "la fecha y la hora de este equipo, y si un antivirus o un proxy vigila la conexi\u00f3n; si todo "
                        + "est\u00e1 bien, avisar al proveedor.",
                "detail_proxy", "El proxy de la red no deja llegar al servidor de licencias. Hay que revisar la "
                        + "configuraci\u00f3n del proxy, o pedir ayuda a quien administra la red.",
                "detail_timeout", "El servidor de licencias no respondi\u00f3 a tiempo. Hay que intentar de nuevo en "
                        + "unos minutos, y revisar la conexi\u00f3n a internet si se repite.",
                "detail_unreachable", "No hay conexi\u00f3n con el servidor de licencias. Hay que revisar la conexi\u00f3n a "
                        + "internet y el cortafuegos de este equipo.",
                "detail_rate_limited", "El servidor de licencias recibi\u00f3 demasiadas preguntas. Hay que esperar un "
                        + "minuto e intentar de nuevo.",
                "detail_server_error", "El servidor de licencias tiene una falla o est\u00e1 en mantenimiento. Hay que "
                        + "intentar de nuevo en unos minutos, y avisar al proveedor si se repite.",
                "detail_not_the_server", "La respuesta no viene del servidor de licencias. Hay que iniciar sesi\u00f3n "
                        + "en la red si lo pide, y revisar el proxy o el antivirus de este equipo.",
                "detail_wrong_key", "El programa no reconoce la firma del servidor de licencias. Hay que instalar "
                        + "la \u00faltima versi\u00f3n del programa, o avisar al proveedor.",
                "detail_key_signs", "La clave no existe. Las claves no llevan los signos 0, O, 1 ni I: hay que "
                        + "compararla letra por letra con la del correo.",
                "detail_file_missing", "No se encuentra el archivo de licencia. Hay que copiarlo a su lugar, o "
                        + "pedirlo al proveedor.",
                "detail_file_unreadable", "El archivo de licencia no se puede leer. Hay que revisar los permisos "
                        + "del archivo y de su carpeta.",
                "detail_file_damaged", "El archivo de licencia est\u00e1 da\u00f1ado o incompleto. Hay que copiarlo otra "
                        + "vez, o pedirlo de nuevo al proveedor.",
                "detail_file_other_machine", "El archivo de licencia es de otro equipo. Hay que pedir al proveedor "
                        + "uno para este equipo.",
                "detail_file_other_software", "El archivo de licencia es de otro programa. Hay que pedir al "
                        + "proveedor el de este programa.",
                "detail_file_other_key", "El archivo de licencia es de otra clave. Hay que escribir la clave del "
                        + "archivo, o pedir al proveedor uno para esta clave.",
                "store_denied", "El programa no tiene permiso para guardar la licencia en este equipo, y sin eso "
                        + "no funciona sin conexi\u00f3n. Hay que revisar los permisos de su carpeta de datos.",
                "store_full", "El disco est\u00e1 lleno: el programa no puede guardar la licencia, y sin eso no "
                        + "funciona sin conexi\u00f3n. Hay que liberar espacio.",
                "store_failed", "El programa no puede guardar la licencia en este equipo, y sin eso no funciona "
                        + "sin conexi\u00f3n. Hay que revisar su carpeta de datos.",
                "offline_ends", "El programa trabaja sin conexi\u00f3n y dejar\u00e1 de funcionar en {hours} h. Antes hay "
                        + "que conectar el equipo a internet, o pedir al proveedor un archivo de licencia nuevo.",
                "offline_ends_because", "El programa trabaja sin conexi\u00f3n y dejar\u00e1 de funcionar en {hours} h.",
                "grace", "La licencia venci\u00f3 y el programa dejar\u00e1 de funcionar pronto. Hay que renovarla con el "
                        + "proveedor.",
                "grace_days", "La licencia venci\u00f3 y el programa dejar\u00e1 de funcionar en {days} d\u00edas. Hay que "
                        + "renovarla con el proveedor.");

        static final Map<String, String> EN = table(
                "not_found", "The licence does not exist. Check the key, or ask the vendor for it again.",
                "wrong_software", "The key is for another program. Enter the key of this one, or ask the vendor "
                        + "for it.",
                "inactive", "The licence is not active. Contact the vendor to have it activated.",
                "suspended", "The licence is suspended. Contact the vendor to use it again.",
                "cancelled", "The licence is cancelled. Contact the vendor to go on with the program.",
                "expired", "The licence has expired. Renew it with the vendor to go on with the program.",
                "expired_offline", "The licence has expired. Renew it with the vendor; if it was renewed, connect the "
                        + "computer to the internet once.",
                "updates_ended", "The licence does not include this version of the program. Install an earlier "
                        + "version, or renew the updates with the vendor.",
                "installation_limit", "The licence is in use on all the computers that it allows. Free a seat on "
                        + "another computer, or ask the vendor for more.",
                "not_activated", "This computer has no seat in the licence. Open the program with an internet "
                        + "connection, or contact the vendor.",
                "no_connection", "There is no connection to the licence server. Connect the computer to the "
                        + "internet and try again.",
                "unverified", "The answer does not come from the licence server. Check the network of this "
                        + "computer, or contact the vendor.",
                "offline_expired", "The time for working without a connection is over. Connect the computer to the "
                        + "internet once, or ask the vendor for a new licence file.",
                "offline_expired_because", "The time for working without a connection is over.",
                "clock_back", "The clock of this computer is not right. Set the date and the time, connect the "
                        + "computer to the internet once, or ask the vendor for a new licence file.",
                "future", "The date of this computer is earlier than that of the licence. Set the date and the "
                        + "time of the computer.",
                "unknown", "The licence does not allow the use of the program ({reason}). Contact the vendor.",
                "detail_dns", "The address of the licence server cannot be found. Check the internet connection of "
                        + "this computer and its DNS server.",
                "detail_tls", "No secure connection to the licence server could be opened. Check the date and the "
                        + "time of this computer, and whether an antivirus or a proxy watches the connection; if all "
                        + "is well, tell the vendor.",
                "detail_proxy", "The proxy of the network does not let the program reach the licence server. Check "
                        + "the settings of the proxy, or ask whoever runs the network.",
                "detail_timeout", "The licence server did not answer in time. Try again in a few minutes, and "
                        + "check the internet connection if it happens again.",
                "detail_unreachable", "There is no connection to the licence server. Check the internet connection "
                        + "and the firewall of this computer.",
                "detail_rate_limited", "The licence server was asked too often. Wait a minute and try again.",
                "detail_server_error", "The licence server has a fault or is under maintenance. Try again in a few "
                        + "minutes, and tell the vendor if it happens again.",
                "detail_not_the_server", "The answer does not come from the licence server. Sign in to the network "
                        + "if it asks for that, and check the proxy or the antivirus of this computer.",
                "detail_wrong_key", "The program does not know the signature of the licence server. Install the "
                        + "latest version of the program, or tell the vendor.",
                "detail_key_signs", "The key does not exist. Keys have no 0, O, 1 or I: compare it letter by letter with "
                        + "the one in the mail.",
                "detail_file_missing", "The licence file cannot be found. Copy it to its place, or ask the vendor "
                        + "for it.",
                "detail_file_unreadable", "The licence file cannot be read. Check the permissions of the file and "
                        + "of its folder.",
                "detail_file_damaged", "The licence file is damaged or not complete. Copy it once more, or ask the "
                        + "vendor for it again.",
                "detail_file_other_machine", "The licence file is for another computer. Ask the vendor for one for "
                        + "this computer.",
                "detail_file_other_software", "The licence file is for another program. Ask the vendor for the one "
                        + "of this program.",
                "detail_file_other_key", "The licence file is for another key. Enter the key of the file, or ask "
                        + "the vendor for one for this key.",
                "store_denied", "The program may not save the licence on this computer, and without that it does "
                        + "not work without a connection. Check the permissions of its data folder.",
                "store_full", "The disk is full: the program cannot save the licence, and without that it does not "
                        + "work without a connection. Free some space.",
                "store_failed", "The program cannot save the licence on this computer, and without that it does "
                        + "not work without a connection. Check its data folder.",
                "offline_ends", "The program works without a connection and will stop in {hours} h. Before that "
                        + "connect the computer to the internet, or ask the vendor for a new licence file.",
                "offline_ends_because", "The program works without a connection and will stop in {hours} h.",
                "grace", "The licence has expired and the program will stop soon. Renew it with the vendor.",
                "grace_days", "The licence has expired and the program will stop in {days} days. Renew it with the "
                        + "vendor.");

        private static Map<String, String> table(String... namesAndTexts) {
            Map<String, String> table = new HashMap<>();
            for (int at = 0; at < namesAndTexts.length; at += 2) table.put(namesAndTexts[at], namesAndTexts[at + 1]);
            return table;
        }
    }

    // ---------------------------------------------------------------- Small tools

    private static final Pattern INSTANT = Pattern.compile(
            "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})");
    private static final Pattern DAY_AS_TEXT = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");
    private static final Pattern BASE64URL = Pattern.compile("[A-Za-z0-9_-]*");

    /** A blank as the server sees it. */
    private static boolean isBlank(int c) {
        return "\t\n\u000B\f\r\uFEFF".indexOf(c) >= 0 || Character.isSpaceChar(c);
    }

    static String trim(String text) {
        int from = 0;
        int to = text == null ? 0 : text.length();
        while (from < to && isBlank(text.charAt(from))) from++;
        while (from < to && isBlank(text.charAt(to - 1))) to--;
        return from < to ? text.substring(from, to) : "";
    }

    /** A text cut by characters: no half of one remains. */
    private static String cut(String text, int most) {
        int count = text.codePointCount(0, text.length());
        return count <= most ? text : text.substring(0, text.offsetByCodePoints(0, most));
    }

    static String sha256(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return hex(hash);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Of the printable ASCII of a key but its hyphens, in capitals: the same however the key is typed. */
    static String hashOfKey(String key) {
        return sha256(countedOf(key));
    }

    private static String countedOf(String key) { return key.replaceAll("[^!-~]|-", "").toUpperCase(Locale.ROOT); }

    /** Whether a key has the length of those that the server makes, and a sign that they never have. */
    private static boolean hasWrongSigns(String key) { return countedOf(key).matches("(?=.*[0O1I])[A-Z0-9]{25}"); }

    private static String hex(byte[] bytes) {
        StringBuilder digits = new StringBuilder();
        for (byte b : bytes) digits.append(String.format("%02x", b));
        return digits.toString();
    }

    private static String randomHex(int count) {
        byte[] bytes = new byte[count];
        new SecureRandom().nextBytes(bytes);
        return hex(bytes);
    }

    /** The bytes; none where the text has padding or a letter outside the alphabet. */
    private static byte[] base64url(String text) {
        boolean isClean = BASE64URL.matcher(text).matches() && text.length() % 4 != 1;
        return isClean ? Base64.getUrlDecoder().decode(text) : new byte[0];
    }

    /** A whole number from 0 to 2^53 - 1, else null. */
    private static Long seconds(Object value) {
        double seconds = value instanceof Number ? ((Number) value).doubleValue() : -1;
        return seconds >= 0 && seconds < 1L << 53 && seconds == Math.rint(seconds) ? (Long) (long) seconds : null;
    }

    private static String text(Object value) { return value instanceof String ? (String) value : null; }

    private static Instant instant(Object value) {
        try {
            boolean isOne = value instanceof String && INSTANT.matcher((String) value).matches();
            return isOne ? Instant.parse((String) value) : null;
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    /** JSON: objects are Map, arrays List, numbers Long or Double. */
    static final class Json {
        private static final int DEEPEST = 64;
        private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

        private final String text;
        private int at = 0;

        private Json(String text) { this.text = text; }

        /** The object that these bytes hold, or null. */
        static Map<String, Object> readObject(byte[] bytes) { return readObject(new String(bytes, StandardCharsets.UTF_8)); }

        static Map<String, Object> readObject(String text) {
            try {
                return object(read(text));
            } catch (IllegalArgumentException e) {
                return null;
            }
        }

        @SuppressWarnings("unchecked")
        static Map<String, Object> object(Object value) {
            return value instanceof Map ? (Map<String, Object>) value : null;
        }

        /** @throws IllegalArgumentException for a text that is no JSON, or is nested too deeply */
        static Object read(String text) {
            Json json = new Json(text);
            Object value = json.value(0);
            if (json.next() != '\0' || json.at < text.length()) throw json.wrong();
            return value;
        }

        private IllegalArgumentException wrong() { return new IllegalArgumentException("no JSON at " + at); }

        /** The next character that is no blank, without taking it; '\0' at the end. */
        private char next() {
            while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
            return at < text.length() ? text.charAt(at) : '\0';
        }

        private boolean takes(String expected) {
            next();
            boolean isThere = text.startsWith(expected, at);
            if (isThere) at += expected.length();
            return isThere;
        }

        private Object value(int depth) {
            if (depth > DEEPEST) throw wrong();
            if (takes("{")) return members(depth + 1);
            if (takes("[")) return elements(depth + 1);
            if (next() == '"') return string();
            if (takes("true")) return true;
            if (takes("false")) return false;
            if (takes("null")) return null;
            return number();
        }

        private Map<String, Object> members(int depth) {
            Map<String, Object> all = new LinkedHashMap<>();
            if (takes("}")) return all;
            do {
                String name = string();
                if (!takes(":")) throw wrong();
                all.put(name, value(depth));
            } while (takes(","));
            if (!takes("}")) throw wrong();
            return all;
        }

        private List<Object> elements(int depth) {
            List<Object> all = new ArrayList<>();
            if (takes("]")) return all;
            do all.add(value(depth)); while (takes(","));
            if (!takes("]")) throw wrong();
            return all;
        }

        private String string() {
            StringBuilder result = new StringBuilder();
            if (!takes("\"")) throw wrong();
            while (at < text.length()) {
                char c = text.charAt(at++);
                if (c == '"') return result.toString();
                if (c < ' ') break;
                result.append(c == '\\' ? escaped() : c);
            }
            throw wrong();
        }

        private char escaped() {
            char c = at < text.length() ? text.charAt(at++) : '\0';
            int simple = "\"\\/bfnrt".indexOf(c);
            if (simple >= 0) return "\"\\/\b\f\n\r\t".charAt(simple);
            if (c != 'u' || at + 4 > text.length()) throw wrong();
            String digits = text.substring(at, at += 4);
            if (!digits.matches("[0-9a-fA-F]{4}")) throw wrong();
            return (char) Integer.parseInt(digits, 16);
        }

        private Object number() {
            Matcher match = NUMBER.matcher(text).region(at, text.length());
            if (!match.lookingAt()) throw wrong();
            at = match.end();
            boolean isWhole = match.group(2) == null && match.group(3) == null && match.group().length() <= 18;
            return isWhole ? (Object) Long.parseLong(match.group()) : (Object) Double.parseDouble(match.group());
        }

        static String write(Object value) {
            List<String> parts = new ArrayList<>();
            if (value instanceof Map) {
                ((Map<?, ?>) value).forEach((name, member) -> parts.add(write(name) + ":" + write(member)));
                return "{" + String.join(",", parts) + "}";
            }
            if (value instanceof List) {
                for (Object element : (List<?>) value) parts.add(write(element));
                return "[" + String.join(",", parts) + "]";
            }
            if (!(value instanceof String)) return String.valueOf(value);
            StringBuilder result = new StringBuilder("\"");
            for (char c : ((String) value).toCharArray()) {
                boolean isPlain = c >= ' ' && c != '"' && c != '\\' && c < 127;
                result.append(isPlain ? String.valueOf(c) : String.format("\\u%04x", (int) c));
            }
            return result.append('"').toString();
        }
    }
}
