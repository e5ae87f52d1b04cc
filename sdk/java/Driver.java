// SPDX-License-Identifier: MIT
package licensemanager;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.security.PublicKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** What the tests run (sdk/README.md, The driver): it prints one line of JSON. */
public final class Driver {

    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("serve")) {
            BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                System.out.println(License.Json.write(answer(License.Json.object(License.Json.read(line)))));
            }
            return;
        }
        Map<String, Object> command = new LinkedHashMap<>();
        switch (arguments[0]) {
            case "vectors": command.put("file", arguments[1]); break;
            case "machine-id": command.put("software", arguments[1]); break;
            default: command.putAll(read(arguments[1]));
        }
        command.put("do", arguments[0]);
        Object result = answer(command);
        System.out.println(result instanceof String ? result : License.Json.write(result));
    }

    private static Object answer(Map<String, Object> command) throws Exception {
        switch ((String) command.get("do")) {
            case "vectors": return vectors(read((String) command.get("file")));
            case "check": return check(command);
            case "cached": return cached(command);
            case "start": return started(command);
            case "message": return License.Result.of(License.Json.object(command.get("result"))).message(text(command, "lang"));
            case "open": return errorOf(command);
            case "release": return license(command).release((String) command.get("key"));
            case "release-why": return release(command);
            case "portal": return portal(command);
            case "use": return used(command);
            case "consume": return consumed(command);
            case "remaining": return remaining(license(command), command.get("codes"));
            case "left": return left(command);
            case "trial": return trial(command);
            case "machine-id": return command.containsKey("server") ? license(command).machineId() : machineId(command);
            default: throw new IllegalArgumentException(String.valueOf(command.get("do")));
        }
    }

    private static Object used(Map<String, Object> command) {
        License license = license(command);
        List<Object> kept = new ArrayList<>();
        for (Map<String, Object> use : list(command.get("uses"))) {
            String code = (String) use.get("code");
            kept.add(use.get("amount") == null ? license.use(code) : license.use(code, (Long) use.get("amount")));
        }
        return kept;
    }

    private static Object left(Map<String, Object> command) {
        License license = license(command);
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("ok", license.check((String) command.get("key")).ok());
        result.put("left", remaining(license, command.get("codes")));
        return result;
    }

    private static List<Object> remaining(License license, Object codes) {
        List<Object> left = new ArrayList<>();
        for (Object code : (List<?>) codes) left.add(license.remaining((String) code));
        return left;
    }

    private static Object consumed(Map<String, Object> command) {
        License license = license(command);
        license.check((String) command.get("key"));
        List<Object> counted = new ArrayList<>();
        for (Map<String, Object> use : list(command.get("uses"))) {
            String code = (String) use.get("code");
            counted.add(use.get("amount") == null ? license.consume(code) : license.consume(code, (Long) use.get("amount")));
        }
        return counted;
    }

    private static Object trial(Map<String, Object> command) {
        License license = license(command);
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("key", license.startTrial((String) command.get("email"), (String) command.get("name")));
        result.put("reason", license.trialReason());
        result.put("detail", license.trialDetail());
        return result;
    }

    private static String machineId(Map<String, Object> command) {
        String store = text(command, "store");
        return License.Machine.id((String) command.get("software"), License.trim(text(command, "instance")),
                new File(store.isEmpty() ? "driver-store.json" : store));
    }

    private static Map<String, Object> read(String path) throws IOException {
        String text = new String(Files.readAllBytes(Paths.get(path)), StandardCharsets.UTF_8);
        return License.Json.object(License.Json.read(text));
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(Object value) {
        return (List<Map<String, Object>>) value;
    }

    private static List<License.Key> keys(Map<String, Object> from) {
        List<License.Key> keys = new ArrayList<>();
        for (Map<String, Object> key : list(from.get("keys"))) {
            keys.add(new License.Key((String) key.get("kid"), (String) key.get("x"), (String) key.get("y")));
        }
        return keys;
    }

    private static Object vectors(Map<String, Object> file) {
        Map<String, PublicKey> keys = new HashMap<>();
        for (Map<String, Object> key : list(file.get("keys"))) {
            keys.put((String) key.get("kid"), License.Es256.publicKey(
                    new License.Key((String) key.get("kid"), (String) key.get("x"), (String) key.get("y"))));
        }
        List<Object> results = new ArrayList<>();
        for (Map<String, Object> vector : list(file.get("cases"))) {
            Object typed = vector.getOrDefault("license_key", file.get("license_key"));
            License.Program program = new License.Program(keys, (String) file.get("audience"),
                    (String) file.get("machine_id"), License.hashOfKey((String) typed), text(vector, "released_on"));
            License.Verdict verdict = verdict(vector, program);
            Map<String, Object> result = new LinkedHashMap<>();
            result.put("name", vector.get("name"));
            result.put("accepted", verdict.accepted());
            if (verdict.accepted()) {
                result.put("valid", verdict.valid());
                result.put("reason", verdict.reason());
                result.put("mark", verdict.mark);
            } else {
                result.put("error", verdict.error);
            }
            results.add(result);
        }
        return results;
    }

    private static License.Verdict verdict(Map<String, Object> vector, License.Program program) {
        License.Time time = new License.Time((Long) vector.get("clock"), (Long) vector.get("mark"), 0, 0, 0);
        String input = (String) vector.get("input");
        switch ((String) vector.get("kind")) {
            case "fresh":
                return License.checkFresh(input, (String) vector.get("call"), (String) vector.get("nonce"), program);
            case "file": return License.checkFile(input, program, time);
            default: return License.checkStored(input, program, time);
        }
    }

    /** What the constructor says of wrong options; null where they are right. */
    private static String errorOf(Map<String, Object> config) {
        try {
            license(config);
            return null;
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
    }

    private static String text(Map<String, Object> config, String name) {
        Object value = config.get(name);
        return value == null ? "" : (String) value;
    }

    private static double number(Map<String, Object> config, String name, double otherwise) {
        Object value = config.get(name);
        return value == null ? otherwise : ((Number) value).doubleValue();
    }

    private static License license(Map<String, Object> config) {
        License.Options options = new License.Options((String) config.get("server"), (String) config.get("software"),
                keys(config), (String) config.get("store"));
        options.machineId(text(config, "machine_id")).machineName(text(config, "machine_name"));
        options.instance(text(config, "instance")).appVersion(text(config, "app_version"));
        options.releasedOn(text(config, "released_on"));
        options.timeout(number(config, "timeout", 5));
        if (config.get("file") != null) options.file(text(config, "file"));
        Path log = Paths.get(text(config, "log"));
        if (config.get("log") != null) options.log((code, message) -> append(log, code + " " + message));
        if (config.get("clock") != null) options.clock(((Number) config.get("clock"))::longValue);
        if (config.get("uptime") != null) options.uptime(((Number) config.get("uptime"))::longValue);
        return new License(options);
    }

    private static void append(Path path, String line) {
        try {
            byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
            Files.write(path, bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String written(Instant instant) { return instant == null ? null : instant.toString(); }

    private static Map<String, Object> fields(License.Result result) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("ok", result.ok());
        line.put("reason", result.reason());
        line.put("detail", result.detail());
        line.put("storeError", result.storeError());
        line.put("offline", result.offline());
        line.put("pending", result.pending());
        line.put("daysLeft", result.daysLeft());
        line.put("features", result.features());
        line.put("expiresAt", written(result.expiresAt()));
        line.put("inGrace", result.inGrace());
        line.put("graceUntil", written(result.graceUntil()));
        line.put("offlineUntil", written(result.offlineUntil()));
        line.put("type", result.type());
        line.put("status", result.status());
        line.put("nextCheck", result.nextCheck());
        line.put("updatesUntil", result.updatesUntil());
        line.put("seatFreeAt", written(result.seatFreeAt()));
        List<Object> refused = new ArrayList<>();
        for (License.RefusedUse use : result.refusedUses()) {
            Map<String, Object> one = line("code", use.code(), "amount", use.amount());
            one.put("reason", use.reason());
            refused.add(one);
        }
        line.put("refusedUses", refused);
        return line;
    }

    private static Object check(Map<String, Object> config) {
        License license = license(config);
        Map<String, Object> line = fields(license.check((String) config.get("key")));
        if (config.get("has") != null) line.put("has", license.has((String) config.get("has")));
        return line;
    }

    private static Object release(Map<String, Object> config) {
        License license = license(config);
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("released", license.release((String) config.get("key")));
        line.put("reason", license.releaseReason());
        line.put("detail", license.releaseDetail());
        return line;
    }

    private static Object portal(Map<String, Object> config) {
        License license = license(config);
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("url", license.portalUrl((String) config.get("key")));
        line.put("reason", license.portalReason());
        line.put("detail", license.portalDetail());
        return line;
    }

    private static Object cached(Map<String, Object> config) throws Exception {
        License license = license(config);
        ExecutorService callers = Executors.newCachedThreadPool();
        List<Object> rounds = new ArrayList<>();
        for (Map<String, Object> round : list(config.get("rounds"))) {
            Thread.sleep((long) (number(round, "wait", 0) * 1000));
            double seconds = number(round, "seconds", 0);
            List<Future<Map<String, Object>>> calls = new ArrayList<>();
            for (double caller = 0; caller < number(round, "callers", 1); caller++) {
                long began = System.nanoTime();
                calls.add(callers.submit(() -> {
                    License.Result result = license.checkCached((String) config.get("key"), seconds);
                    return line("ms", (System.nanoTime() - began) / 1_000_000, "result", fields(result));
                }));
            }
            List<Object> answers = new ArrayList<>();
            for (Future<Map<String, Object>> call : calls) answers.add(call.get());
            rounds.add(answers);
        }
        callers.shutdown();
        return rounds;
    }

    private static Object started(Map<String, Object> config) throws InterruptedException {
        List<Object> changes = Collections.synchronizedList(new ArrayList<>());
        long began = System.nanoTime();
        // Without 'until' there are never enough.
        CountDownLatch enough = new CountDownLatch((int) number(config, "until", Integer.MAX_VALUE));
        double starts = number(config, "starts", 1);
        try (License license = license(config)) {
            for (long start = 1; start <= starts; start++) {
                if (start > 1) Thread.sleep((long) (number(config, "wait", 0) * 1000));
                long number = start;
                license.start((String) config.get("key"), result -> {
                    Map<String, Object> change = line("start", number, "ms", (System.nanoTime() - began) / 1_000_000);
                    change.put("result", fields(result));
                    if (config.get("has") != null) change.put("has", license.has((String) config.get("has")));
                    if (config.get("codes") != null) change.put("left", remaining(license, config.get("codes")));
                    changes.add(change);
                    if (number == starts) enough.countDown();
                    if (Boolean.TRUE.equals(config.get("throws"))) throw new IllegalStateException("The program's mistake.");
                });
            }
            enough.await((long) (number(config, "for", 0) * 1000), TimeUnit.MILLISECONDS);
        }
        return new ArrayList<>(changes);
    }

    private static Map<String, Object> line(String name, Object value, String other, Object otherValue) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put(name, value);
        line.put(other, otherValue);
        return line;
    }
}
