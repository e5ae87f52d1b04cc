import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Asks the server whether a licence holds on this computer, and answers without connection from what it kept.
 *
 * <pre>{@code
 * License license = new License(new License.Options(SERVER, SOFTWARE, KEYS, store));
 * License.Result result = license.check(key);
 * if (!result.ok()) explainAndStop(result.reason());
 * if (license.has("modulo_nomina")) openPayroll();
 * }</pre>
 *
 * The SDKs of all languages do the same in the same order: sdk/README.md describes it, docs/offline.md the token.
 * One License may be used by several threads; their calls of check and release wait for one another.
 */
public final class License {

    // ---------------------------------------------------------------- What the program gives and gets

    /** A public key, a constant of the program: kid, x and y in base64url, as in the JWK. */
    public record Key(String kid, String x, String y) {}

    /** What the SDK needs to know. The constructor takes what has no default. */
    public static final class Options {
        private final String server;
        private final String software;
        private final List<Key> keys;
        private final Path store;
        private Path file;
        private String machineId = "";
        private String machineName = "";
        private String appVersion = "";
        private double timeout = 5;
        private LongSupplier clock = () -> System.currentTimeMillis() / 1000;
        private LongSupplier uptime;

        /**
         * @param server the public address of the server, such as https://licencias.example.com
         * @param software the code of the software
         * @param keys the current public key and the next one
         * @param store a file that the program may write; the SDK keeps the last answer in it
         */
        public Options(String server, String software, List<Key> keys, Path store) {
            this.server = server;
            this.software = software;
            this.keys = keys;
            this.store = store;
        }

        /** The path of a licence file (.lic), which need not exist. */
        public Options file(Path path) { file = path; return this; }

        /** An id of this computer other than that of its system. */
        public Options machineId(String id) { machineId = id; return this; }

        /** A name of this computer other than its own. */
        public Options machineName(String name) { machineName = name; return this; }

        /** The version of the program, which the server counts. */
        public Options appVersion(String version) { appVersion = version; return this; }

        /** Seconds for each call to the server, 5 by default. */
        public Options timeout(double seconds) { timeout = seconds; return this; }

        /** For tests: gives the seconds since 1970. */
        public Options clock(LongSupplier seconds) { clock = seconds; return this; }

        /** For tests: gives the seconds of a counter that nobody sets. */
        public Options uptime(LongSupplier seconds) { uptime = seconds; return this; }
    }

    /**
     * Whether the program may run.
     *
     * @param ok whether it may
     * @param reason null when ok, else a reason of the server or of the SDK (sdk/README.md lists them)
     * @param offline whether this comes from what was kept, or from a file
     * @param daysLeft whole days until the licence ends, as the console counts them; null: no end
     * @param features the licence's codes with their values: Boolean, Long or String
     * @param expiresAt when the licence ends; null: no end, or nobody said it
     * @param inGrace whether the licence has ended and is in its grace
     * @param graceUntil when the grace ends; null outside of it
     * @param offlineUntil until when the program may work without connection; null when not ok
     * @param type the licence's type, such as trial; null where nobody said it
     * @param status the licence's status, such as active; null where nobody said it
     * @param nextCheck in how many seconds to check again
     * @param updatesUntil the last day of updates, such as 2027-01-31; null where the server says none
     */
    public record Result(boolean ok, String reason, boolean offline, Long daysLeft, Map<String, Object> features,
            Instant expiresAt, boolean inGrace, Instant graceUntil, Instant offlineUntil, String type, String status,
            long nextCheck, String updatesUntil) {}

    // ---------------------------------------------------------------- The licence

    /** The paths of the calls, by their names in tokens. */
    private static final Map<String, String> PATHS = Map.of(
            "validate", "/licenses/api/license/validate/",
            "activate", "/licenses/api/installations/",
            "heartbeat", "/licenses/api/installation/heartbeat/",
            "release", "/licenses/api/installations/release/");

    private final String server;
    private final String software;
    private final Map<String, PublicKey> keys = new HashMap<>();
    private final Store store;
    private final Path file;
    private final String machineId;
    private final String machineName;
    private final String appVersion;
    private final long milliseconds;
    private final LongSupplier clock;
    private final LongSupplier uptime;
    private volatile Result last = refused("no_connection", false);

    /** @throws IllegalArgumentException for a wrong option, which is a mistake of the programmer */
    public License(Options options) {
        if (!isAddress(options.server)) {
            throw new IllegalArgumentException("server: an address such as https://licencias.example.com");
        }
        if (trim(options.software).isEmpty()) throw new IllegalArgumentException("software: its code");
        boolean hasStore = options.store != null && !options.store.toString().isEmpty();
        if (!hasStore) throw new IllegalArgumentException("store: the path of a file");
        if (options.keys == null || options.keys.isEmpty()) throw new IllegalArgumentException("keys: one public key or more");
        if (!(options.timeout > 0)) throw new IllegalArgumentException("timeout: seconds, more than 0");
        for (Key key : options.keys) keys.put(key.kid(), Es256.publicKey(key));
        server = options.server.replaceAll("/+$", "");
        software = options.software;
        store = new Store(options.store);
        file = options.file;
        String id = trim(options.machineId);
        machineId = id.isEmpty() ? Machine.id(software, options.store) : id;
        machineName = options.machineName.isEmpty() ? Machine.name() : options.machineName;
        appVersion = options.appVersion;
        milliseconds = Math.max(1, Math.round(options.timeout * 1000));
        clock = options.clock;
        uptime = options.uptime;
    }

    private static boolean isAddress(String text) {
        try {
            URI address = URI.create(text == null ? "" : text);
            return Set.of("http", "https").contains(String.valueOf(address.getScheme())) && address.getHost() != null;
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
        try {
            last = judge(trim(key));
        } catch (RuntimeException e) {
            last = refused("no_connection", true); // such as a clock of the program that throws
        }
        return last;
    }

    /** Whether the last check was ok and the licence has this code with a value other than false. */
    public boolean has(String code) {
        Result result = last;
        Object value = code == null ? null : result.features().get(code);
        return result.ok() && value != null && !Boolean.FALSE.equals(value);
    }

    /** Gives the seat back. True when the server signed that this computer has none now; never throws. */
    public synchronized boolean release(String key) {
        try {
            if (!ask("release", trim(key), Map.of()).says("not_activated")) return false;
            Kept old = store.read();
            store.write(new Kept("", "", markOf(program(trim(key)), old), old.back(), old.leap(), old.issued(), old.times()));
            last = refused("not_activated", false);
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }

    private Result judge(String key) {
        if (key.isEmpty()) return byFile();
        Answer answer = ask("validate", key, Map.of("require_seat", true));
        if (answer.says("not_activated")) {
            Map<String, Object> more = aboutProgram();
            if (!machineName.isEmpty()) more.put("machine_name", machineName);
            answer = ask("activate", key, more);
        } else if (answer.verdict() != null && answer.verdict().valid()) {
            answer = ask("heartbeat", key, aboutProgram());
        }
        Verdict verdict = answer.verdict();
        if (verdict == null) return withoutConnection(program(key), answer);
        long iat = verdict.mark();
        store.write(new Kept(hashOfKey(key), answer.token(), iat, 0, 0, iat, timesNow()));
        return resultOf(verdict, false);
    }

    /** Takes the key's hash from the file. The server cannot be asked without the key. */
    private Result byFile() {
        String[] parts = fileToken(fileText()).split("\\.", -1);
        Map<String, Object> claims = parts.length == 3 ? Json.readObject(base64url(parts[1])) : null;
        if (claims == null || !(claims.get("key_hash") instanceof String named)) return refused("not_found", false);
        Program program = new Program(keys, software, machineId, named);
        if (!readFileToken(fileText(), program).accepted()) return refused("not_found", false);
        return withoutConnection(program, new Answer(0, null, null));
    }

    private String fileText() { return file == null ? "" : readText(file); }

    /** Judges what was kept and the file; the later of those that pass decides, so an old file undoes no refusal. */
    private Result withoutConnection(Program program, Answer answer) {
        Kept kept = store.read();
        Times times = timesNow(); // after the store: what another process writes cannot make this clock look set back
        Verdict inFile = readFileToken(fileText(), program);
        Time time = Time.of(kept, markOf(program, kept), times).byFile(inFile, kept.issued());
        Verdict own = Verdict.failed("malformed");
        if (kept.license().equals(program.keyHash())) own = checkStored(kept.token(), program, time).butRefusalsLast();
        Verdict filed = checkTime(inFile, time);
        Verdict later = filed.accepted() && (!own.accepted() || filed.iat() > own.iat()) ? filed : own;
        if (own.isTimely() || filed.isTimely()) {
            store.write(time.after(kept, times, later, own.isTimely() ? own : filed));
        }
        if (later.accepted()) return resultOf(later, true);
        for (Verdict verdict : List.of(own, filed)) {
            switch (verdict.error()) {
                case "expired": return refused("offline_expired", true);
                case "clock_back", "future": return refused(verdict.error(), true);
                default: break;
            }
        }
        return refused(answer.isNone() ? "no_connection" : "unverified", false);
    }

    private static final long HOUR = 60 * 60;
    private static final long DAY = 24 * HOUR;

    private static Result resultOf(Verdict verdict, boolean offline) {
        Map<String, Object> claims = verdict.claims();
        Instant end = instant(claims.get("license_expires"));
        String type = text(claims.get("license_type"));
        String status = text(claims.get("status"));
        String updates = text(claims.get("updates_until"));
        if (!verdict.valid()) {
            String reason = verdict.reason() == null ? "unverified" : verdict.reason();
            return new Result(false, reason, offline, 0L, Map.of(), end, false, null, null, type, status, HOUR, updates);
        }
        boolean isOver = end != null && verdict.mark() * 1000 > end.toEpochMilli();
        boolean inGrace = end != null && (isOver || Boolean.TRUE.equals(claims.get("in_grace")));
        long exp = seconds(claims.get("exp"));
        long half = (exp - verdict.iat()) / 2;
        Map<String, Object> features = Json.object(claims.get("features"));
        return new Result(true, null, offline, daysUntil(end, verdict.mark(), claims.get("utc_offset")),
                features == null ? Map.of() : features, end, inGrace, inGrace ? instant(claims.get("usable_until")) : null,
                Instant.ofEpochSecond(exp), type, status, half > 0 ? Math.min(HOUR, half) : HOUR, updates);
    }

    /** Whole days of the vendor's calendar, as the console counts them. */
    private static Long daysUntil(Instant end, long now, Object offset) {
        if (end == null) return null;
        long last = end.getEpochSecond();
        if (!(offset instanceof Long ahead)) return Math.max(0, Math.floorDiv(last - now, DAY));
        return Math.max(0, Math.floorDiv(last + ahead, DAY) - Math.floorDiv(now + ahead, DAY));
    }

    private static Result refused(String reason, boolean offline) {
        return new Result(false, reason, offline, 0L, Map.of(), null, false, null, null, null, null, HOUR, null);
    }

    private Map<String, Object> aboutProgram() {
        Map<String, Object> about = new LinkedHashMap<>(Map.of("os", Machine.system()));
        if (!appVersion.isEmpty()) about.put("app_version", appVersion);
        return about;
    }

    private Program program(String key) {
        return new Program(keys, software, machineId, hashOfKey(key));
    }

    /** The highest time that the program knows, in seconds; null before the first answer. */
    private static Long markOf(Program program, Kept kept) {
        Verdict signed = readSigned(kept.token(), STORED, program);
        if (signed.claims() == null) return kept.mark();
        return kept.mark() == null ? signed.iat() : Math.max(signed.iat(), kept.mark());
    }

    // ---------------------------------------------------------------- Asking the server

    private static final int MOST_BYTES = 64 * 1024;
    private static final String USER_AGENT = "license-manager-java/0.2.0";
    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    /** An answer: its status (0: none came), its token, and the verdict if the token passes. */
    private record Answer(int status, String token, Verdict verdict) {
        boolean says(String reason) {
            return verdict != null && !verdict.valid() && reason.equals(verdict.reason());
        }

        boolean isNone() {
            return status == 0 || status == 429 || status >= 500;
        }
    }

    /** Makes a call with a separate nonce and judges the answer as a fresh one. */
    private Answer ask(String call, String key, Map<String, Object> more) {
        byte[] random = new byte[16];
        new SecureRandom().nextBytes(random);
        String nonce = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        Map<String, Object> question = new LinkedHashMap<>(more);
        question.put("license_key", key);
        question.put("machine_id", machineId);
        question.put("software", software);
        question.put("nonce", nonce);
        Answer answer = post(PATHS.get(call), question);
        if (answer.token() == null) return answer;
        Verdict verdict = checkFresh(answer.token(), call, nonce, program(key));
        return new Answer(answer.status(), answer.token(), verdict.accepted() ? verdict : null);
    }

    /** One call, which ends after the timeout however slowly the server sends. */
    private Answer post(String path, Map<String, Object> question) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server + path))
                .header("Content-Type", "application/json")
                .header("Accept", "application/json")
                .header("User-Agent", USER_AGENT)
                .POST(HttpRequest.BodyPublishers.ofString(Json.write(question)))
                .build();
        CompletableFuture<HttpResponse<byte[]>> call = HTTP.sendAsync(request, head -> new Beginning());
        try {
            HttpResponse<byte[]> response = call.get(milliseconds, TimeUnit.MILLISECONDS);
            Map<String, Object> body = Json.readObject(response.body());
            Object token = body == null ? null : body.get("token");
            return new Answer(response.statusCode(), token instanceof String text ? text : null, null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // No answer: the caller goes on with what was kept.
        }
        call.cancel(true);
        return new Answer(0, null, null);
    }

    /** Reads a body of at most 64 KiB; a longer one counts as empty. */
    private static final class Beginning implements HttpResponse.BodySubscriber<byte[]> {
        private final CompletableFuture<byte[]> body = new CompletableFuture<>();
        private final ByteArrayOutputStream read = new ByteArrayOutputStream();
        private Flow.Subscription subscription;

        @Override public CompletionStage<byte[]> getBody() { return body; }

        @Override public void onSubscribe(Flow.Subscription given) {
            subscription = given;
            given.request(Long.MAX_VALUE);
        }

        @Override public void onNext(List<ByteBuffer> parts) {
            for (ByteBuffer part : parts) {
                byte[] bytes = new byte[Math.min(part.remaining(), MOST_BYTES + 1 - read.size())];
                part.get(bytes);
                read.writeBytes(bytes);
            }
            if (read.size() <= MOST_BYTES) return;
            body.complete(new byte[0]);
            subscription.cancel();
        }

        @Override public void onError(Throwable error) { body.completeExceptionally(error); }

        @Override public void onComplete() { body.complete(read.toByteArray()); }
    }

    // ---------------------------------------------------------------- Judging a token (docs/offline.md)

    private static final long AHEAD_SECONDS = 5 * 60;
    private static final long BACK_SECONDS = 24 * 60 * 60;

    /** What the program knows when it judges a token. */
    record Program(Map<String, PublicKey> keys, String software, String machineId, String keyHash) {}

    /** What a token is worth: the error is null if it was accepted; claims are there once its signature verifies. */
    record Verdict(String error, Map<String, Object> claims, long mark) {
        static Verdict failed(String error) { return new Verdict(error, null, 0); }

        boolean accepted() { return error == null; }

        boolean isTimely() { return accepted() || error.equals("expired"); }

        boolean valid() { return claims != null && Boolean.TRUE.equals(claims.get("valid")); }

        String reason() { return claims != null && claims.get("reason") instanceof String text ? text : null; }

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
        if (!nonce.equals(signed.claims().get("nonce"))) return Verdict.failed("nonce");
        return new Verdict(null, signed.claims(), signed.iat());
    }

    /** A token that the program kept. */
    static Verdict checkStored(String token, Program program, Time time) {
        return checkTime(readSigned(token, STORED, program), time);
    }

    /** Steps 12 to 14, for a token that was kept or stands in a file. */
    private static Verdict checkTime(Verdict signed, Time time) {
        if (!signed.accepted()) return signed;
        long now = time.now();
        if (time.back() > BACK_SECONDS || time.clock() < now - BACK_SECONDS) {
            return new Verdict("clock_back", signed.claims(), now);
        }
        if (signed.iat() > now + AHEAD_SECONDS) return new Verdict("future", signed.claims(), now);
        String error = now < seconds(signed.claims().get("exp")) ? null : "expired";
        return new Verdict(error, signed.claims(), now);
    }

    /** A licence file: a token between two lines, broken into lines. */
    static Verdict checkFile(String text, Program program, Time time) {
        return checkTime(readFileToken(text, program), time);
    }

    private static Verdict readFileToken(String text, Program program) {
        return readSigned(fileToken(text), IN_FILE, program);
    }

    /** The token in the text of a licence file; an empty text where there is none. */
    private static String fileToken(String text) {
        String begin = "-----BEGIN LICENSE FILE-----";
        String end = "-----END LICENSE FILE-----";
        String file = trim(text);
        if (!file.startsWith(begin) || !file.endsWith(end) || file.length() < begin.length() + end.length()) return "";
        StringBuilder token = new StringBuilder();
        file.substring(begin.length(), file.length() - end.length()).chars()
                .filter(c -> !isBlank(c)).forEach(c -> token.append((char) c));
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
        PublicKey key = header.get("kid") instanceof String kid ? program.keys().get(kid) : null;
        if (key == null) return Verdict.failed("unknown_key");
        byte[] signed = (parts[0] + "." + parts[1]).getBytes(StandardCharsets.UTF_8);
        if (!Es256.verifies(key, signed, base64url(parts[2]))) return Verdict.failed("signature");
        Map<String, Object> claims = Json.readObject(base64url(parts[1]));
        if (claims == null || seconds(claims.get("iat")) == null || seconds(claims.get("exp")) == null) {
            return Verdict.failed("malformed");
        }
        if (!program.software().equals(claims.get("aud"))) return Verdict.failed("audience");
        if (!sha256(trim(program.machineId())).equals(claims.get("mid"))) return Verdict.failed("machine");
        // Without these a relay answers with the server's own words about another key, or about another call.
        if (!program.keyHash().equals(claims.get("key_hash"))) return Verdict.failed("key_hash");
        if (!isAnswerTo(role, claims)) return Verdict.failed("call");
        boolean isValid = Boolean.TRUE.equals(claims.get("valid"));
        if (isValid && !Boolean.TRUE.equals(claims.get("seat"))) return Verdict.failed("seat");
        return new Verdict(null, claims, 0);
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
            BigInteger x = new BigInteger(1, base64url(key.x()));
            BigInteger y = new BigInteger(1, base64url(key.y()));
            BigInteger right = x.pow(3).subtract(x.multiply(BigInteger.valueOf(3))).add(B);
            boolean isOnCurve = x.compareTo(P) < 0 && y.compareTo(P) < 0 && y.pow(2).subtract(right).mod(P).signum() == 0;
            if (!isOnCurve) throw new IllegalArgumentException("keys: " + key.kid() + " is no key of P-256");
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
                Signature verifier = Signature.getInstance("SHA256withECDSAinP1363Format");
                verifier.initVerify(key);
                verifier.update(signed);
                return verifier.verify(signature);
            } catch (GeneralSecurityException e) {
                return false;
            }
        }

        private static boolean isInRange(byte[] signature, int from) {
            BigInteger number = new BigInteger(1, Arrays.copyOfRange(signature, from, from + 32));
            return number.signum() > 0 && number.compareTo(N) < 0;
        }
    }

    // ---------------------------------------------------------------- The store

    /** What the store holds: whose token it is (SHA-256 of the key), the token, and what is known of the time. */
    record Kept(String license, String token, Long mark, long back, long leap, Long issued, Times times) {}

    private static final class Store {
        private final Path path;
        private Kept unwritten; // used instead of the file until a write succeeds

        Store(Path path) { this.path = path; }

        /** A file that cannot be read counts as empty. */
        Kept read() {
            if (unwritten != null) return unwritten;
            Map<String, Object> read = Json.readObject(readBytes(path));
            Map<String, Object> json = read == null ? Map.of() : read;
            Times times = new Times(seconds(json.get("clock")), text(json.get("run")), seconds(json.get("ticks")));
            return new Kept(text(json.get("license")), text(json.get("token")), seconds(json.get("mark")),
                    count(json.get("back")), count(json.get("leap")), seconds(json.get("issued")), times);
        }

        private static String text(Object value) { return value instanceof String text ? text : ""; }

        private static long count(Object value) {
            Long count = seconds(value);
            return count == null ? 0 : count;
        }

        void write(Kept kept) {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("license", kept.license());
            json.put("token", kept.token());
            json.put("mark", kept.mark());
            json.put("back", kept.back());
            json.put("leap", kept.leap());
            json.put("issued", kept.issued());
            json.put("clock", kept.times().clock());
            json.put("run", kept.times().run());
            json.put("ticks", kept.times().ticks());
            unwritten = replaceFile(path, Json.write(json)) ? null : kept;
        }
    }

    /** Writes a second file and renames it, so that a reader sees the old one or the new one. */
    private static boolean replaceFile(Path path, String text) {
        Path second = Path.of(path + "." + randomHex(8) + ".tmp");
        try {
            try (FileOutputStream file = new FileOutputStream(second.toFile())) {
                file.write(text.getBytes(StandardCharsets.UTF_8));
                file.getFD().sync();
            }
            Files.move(second, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return true;
        } catch (IOException | SecurityException e) {
            try {
                Files.deleteIfExists(second);
            } catch (IOException | SecurityException ignored) {
                // Nothing more can be done.
            }
            return false;
        }
    }

    /** At most 64 KiB of a file; empty where it cannot be read or is longer. A thread that is interrupted can read too. */
    private static byte[] readBytes(Path path) {
        try (FileInputStream file = new FileInputStream(path.toFile())) {
            byte[] bytes = file.readNBytes(MOST_BYTES + 1);
            return bytes.length > MOST_BYTES ? new byte[0] : bytes;
        } catch (IOException | SecurityException e) {
            return new byte[0];
        }
    }

    private static String readText(Path path) {
        return new String(readBytes(path), StandardCharsets.UTF_8);
    }

    // ---------------------------------------------------------------- The time (docs/offline.md, The clock)

    /** What a start counts whose clock is not later than at the last check. */
    private static final long START_SECONDS = 10 * 60;
    private static final long STARTED = System.nanoTime();
    private static final String PROCESS = randomHex(16);

    /** The clock of the computer, and a counter of seconds that nobody sets. Numbers of one run can be compared. */
    record Times(Long clock, String run, Long ticks) {}

    /**
     * The counter of Linux stands in a file, which a faked clock of the process does not reach; other systems have that
     * of the process.
     */
    private Times timesNow() {
        if (uptime != null) return new Times(clock.getAsLong(), "given", uptime.getAsLong());
        String boot = trim(readText(Path.of("/proc/sys/kernel/random/boot_id")));
        String ticks = Machine.found("^([0-9]{1,15})", readText(Path.of("/proc/uptime")));
        if (!boot.isEmpty() && !ticks.isEmpty()) return new Times(clock.getAsLong(), boot, Long.valueOf(ticks));
        return new Times(clock.getAsLong(), PROCESS, (System.nanoTime() - STARTED) / 1_000_000_000);
    }

    /**
     * What the program knows of the time. Least is the mark with the time that was measured since, null where there is no
     * mark; back and leap are the seconds of the clock's steps back and ahead.
     */
    record Time(long clock, Long least, long back, long leap) {
        static Time of(Kept kept, Long mark, Times now) {
            Times then = kept.times();
            boolean isMeasured = then.run().equals(now.run()) && then.ticks() != null && now.ticks() >= then.ticks();
            boolean standsStill = !isMeasured && then.clock() != null && now.clock() <= then.clock();
            long passed = isMeasured ? now.ticks() - then.ticks() : standsStill ? START_SECONDS : 0;
            long back = then.clock() == null ? 0 : Math.max(0, then.clock() - now.clock());
            return new Time(now.clock(), mark == null ? null : mark + passed, kept.back() + back, kept.leap());
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
            Time anew = new Time(clock, Math.max(inFile.iat(), lived), 0, 0);
            return checkTime(inFile, anew).accepted() ? anew : this;
        }

        /** What is kept after a check. The best one decided, if it was accepted. */
        Kept after(Kept kept, Times times, Verdict best, Verdict first) {
            long ahead = now() - (least == null ? first.iat() : least);
            boolean isNewer = best.accepted() && (kept.issued() == null || best.iat() > kept.issued());
            return new Kept(kept.license(), kept.token(), now(), isNewer ? 0 : back,
                    leap + (ahead > BACK_SECONDS ? ahead : 0), isNewer ? (Long) best.iat() : kept.issued(), times);
        }
    }

    // ---------------------------------------------------------------- The machine

    /** What identifies this computer. Never a network address. */
    static final class Machine {
        /** SHA-256 of the system's own id and the software; where there is none, digits kept beside the store. */
        static String id(String software, Path store) {
            String system = systemId();
            if (!system.isEmpty()) return sha256(system + "\n" + software);
            Path path = Path.of(store + ".machine");
            String kept = trim(readText(path));
            if (kept.matches("[0-9a-f]{32}")) return kept;
            String made = randomHex(16);
            replaceFile(path, made);
            return made;
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
            for (String path : List.of("/etc/machine-id", "/var/lib/dbus/machine-id")) {
                String id = trim(readText(Path.of(path)));
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
            if (name == null) name = readText(Path.of("/etc/hostname"));
            try {
                return line(trim(name).isEmpty() ? InetAddress.getLocalHost().getHostName() : name, 200);
            } catch (IOException e) {
                return "";
            }
        }

        private static String line(String text, int most) {
            String clean = trim(text.replaceAll("\\p{Cntrl}", " "));
            return clean.substring(0, Math.min(most, clean.length()));
        }

        private static String found(String pattern, String text) {
            Matcher match = Pattern.compile(pattern).matcher(text);
            return match.find() ? match.group(1) : "";
        }

        private static String run(String... command) {
            try {
                Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
                process.getOutputStream().close();
                return new String(process.getInputStream().readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
            } catch (IOException | SecurityException e) {
                return "";
            }
        }
    }

    // ---------------------------------------------------------------- Small tools

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

    static String sha256(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Of the printable ASCII of a key but its hyphens, in capitals: the same however the key is typed. */
    static String hashOfKey(String key) {
        return sha256(key.replaceAll("[^!-~]|-", "").toUpperCase(Locale.ROOT));
    }

    private static String randomHex(int count) {
        byte[] bytes = new byte[count];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** The bytes; none where the text has padding or a letter outside the alphabet. */
    private static byte[] base64url(String text) {
        boolean isClean = BASE64URL.matcher(text).matches() && text.length() % 4 != 1;
        return isClean ? Base64.getUrlDecoder().decode(text) : new byte[0];
    }

    /** A whole number from 0 to 2^53 - 1, else null. */
    private static Long seconds(Object value) {
        double seconds = value instanceof Number number ? number.doubleValue() : -1;
        return seconds >= 0 && seconds < 1L << 53 && seconds == Math.rint(seconds) ? (long) seconds : null;
    }

    private static String text(Object value) { return value instanceof String text ? text : null; }

    private static Instant instant(Object value) {
        try {
            return value instanceof String text ? Instant.parse(text) : null;
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
        static Map<String, Object> readObject(byte[] bytes) {
            try {
                return object(read(new String(bytes, StandardCharsets.UTF_8)));
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
            if (value instanceof Map<?, ?> map) {
                List<String> members = new ArrayList<>();
                map.forEach((name, member) -> members.add(write(name) + ":" + write(member)));
                return "{" + String.join(",", members) + "}";
            }
            if (value instanceof List<?> list) {
                return "[" + String.join(",", list.stream().map(Json::write).toList()) + "]";
            }
            if (!(value instanceof String string)) return String.valueOf(value);
            StringBuilder result = new StringBuilder("\"");
            for (char c : string.toCharArray()) {
                boolean isPlain = c >= ' ' && c != '"' && c != '\\' && !Character.isSurrogate(c) && c < 127;
                result.append(isPlain ? String.valueOf(c) : String.format("\\u%04x", (int) c));
            }
            return result.append('"').toString();
        }
    }
}
