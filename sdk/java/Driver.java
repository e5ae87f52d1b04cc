import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PublicKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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
            case "vectors" -> command.put("file", arguments[1]);
            case "machine-id" -> command.put("software", arguments[1]);
            default -> command.putAll(read(arguments[1]));
        }
        command.put("do", arguments[0]);
        Object result = answer(command);
        System.out.println(result instanceof String text ? text : License.Json.write(result));
    }

    private static Object answer(Map<String, Object> command) throws Exception {
        return switch ((String) command.get("do")) {
            case "vectors" -> vectors(read((String) command.get("file")));
            case "check" -> check(command);
            case "open" -> errorOf(command);
            case "release" -> license(command).release((String) command.get("key"));
            case "machine-id" -> command.containsKey("server") ? license(command).machineId()
                    : License.Machine.id((String) command.get("software"), Path.of("driver-store.json"));
            default -> throw new IllegalArgumentException(String.valueOf(command.get("do")));
        };
    }

    private static Map<String, Object> read(String path) throws Exception {
        return License.Json.object(License.Json.read(Files.readString(Path.of(path))));
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(Object value) {
        return (List<Map<String, Object>>) value;
    }

    private static List<License.Key> keys(Map<String, Object> from) {
        return list(from.get("keys")).stream()
                .map(key -> new License.Key((String) key.get("kid"), (String) key.get("x"), (String) key.get("y")))
                .toList();
    }

    private static Object vectors(Map<String, Object> file) {
        Map<String, PublicKey> keys = new HashMap<>();
        for (License.Key key : keys(file)) keys.put(key.kid(), License.Es256.publicKey(key));
        List<Object> results = new ArrayList<>();
        for (Map<String, Object> vector : list(file.get("cases"))) {
            Object typed = vector.getOrDefault("license_key", file.get("license_key"));
            License.Program program = new License.Program(keys, (String) file.get("audience"),
                    (String) file.get("machine_id"), License.hashOfKey((String) typed));
            License.Time time = new License.Time((Long) vector.get("clock"), (Long) vector.get("mark"), 0, 0);
            String input = (String) vector.get("input");
            License.Verdict verdict = switch ((String) vector.get("kind")) {
                case "fresh" -> License.checkFresh(input, (String) vector.get("call"), (String) vector.get("nonce"),
                        program);
                case "file" -> License.checkFile(input, program, time);
                default -> License.checkStored(input, program, time);
            };
            Map<String, Object> result = new LinkedHashMap<>();
            result.put("name", vector.get("name"));
            result.put("accepted", verdict.accepted());
            if (verdict.accepted()) {
                result.put("valid", verdict.valid());
                result.put("reason", verdict.reason());
                result.put("mark", verdict.mark());
            } else {
                result.put("error", verdict.error());
            }
            results.add(result);
        }
        return results;
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

    private static License license(Map<String, Object> config) {
        License.Options options = new License.Options((String) config.get("server"), (String) config.get("software"),
                keys(config), Path.of((String) config.get("store")));
        if (config.get("machine_id") instanceof String id) options.machineId(id);
        if (config.get("machine_name") instanceof String name) options.machineName(name);
        if (config.get("app_version") instanceof String version) options.appVersion(version);
        if (config.get("file") instanceof String file) options.file(Path.of(file));
        if (config.get("timeout") instanceof Number seconds) options.timeout(seconds.doubleValue());
        if (config.get("clock") instanceof Number clock) options.clock(clock::longValue);
        if (config.get("uptime") instanceof Number uptime) options.uptime(uptime::longValue);
        return new License(options);
    }

    private static String written(Instant instant) { return instant == null ? null : instant.toString(); }

    private static Object check(Map<String, Object> config) {
        License license = license(config);
        License.Result result = license.check((String) config.get("key"));
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("ok", result.ok());
        line.put("reason", result.reason());
        line.put("offline", result.offline());
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
        if (config.get("has") instanceof String code) line.put("has", license.has(code));
        return line;
    }
}
