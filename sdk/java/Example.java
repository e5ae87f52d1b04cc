import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import licensemanager.License;

/** Un programa con licencia: java -cp … Example XXXXX-XXXXX-XXXXX-XXXXX-XXXXX */
public final class Example {

    /** Verdadero si vendes licencias flotantes: al cerrar, el programa devuelve su lugar para otro equipo. */
    private static final boolean FLOATING = false;

    private static final Path FOLDER = Paths.get(System.getProperty("user.home"), ".punto-de-venta");
    private static final Path KEY_FILE = FOLDER.resolve("clave.txt");

    private static final License LICENSE = new License(new License.Options(
            "https://licencias.example.com",
            "punto-de-venta",
            // De Configuración › Firma: la clave actual y la siguiente.
            Arrays.asList(
                    new License.Key(
                            "OWU11v3d5J8iBa0aO_WuWlc5MLhPvKXs8oUNFbWWJFI",
                            "yP0-iHEqjG4iWMkFi5koNYWxbyqkVVH265jENwM6GHk",
                            "CSHST7W7Mw9TsLjmcquiHPr0v3QYhhACzsKLT7wc95k"),
                    new License.Key(
                            "P-_1DxIxmxqy_WdO9UJRpo13zTFWVzbzTcAR4jguXSI",
                            "DLqmjXhfQDhkKpahykPcpqh2XvEjF_JJmdXN4AdgrVI",
                            "vPM41CzkH1ddjn3lHDCLPX3QU7YYDQfVIkJtT4MIE74")),
            FOLDER.resolve("licencia.json")).appVersion("1.0.0"));

    public static void main(String[] arguments) throws InterruptedException {
        // La clave se escribe una vez; después se lee de un archivo. Los espacios y la marca invisible que deja un editor de
        // textos no estorban.
        String key = arguments.length > 0 ? arguments[0] : keptKey();

        // Lo guardado responde al instante. El servidor se consulta en otro hilo, ahora y después cada cierto tiempo; lo
        // que se sabe llega a esta cola.
        BlockingQueue<License.Result> changes = new LinkedBlockingQueue<>();
        LICENSE.start(key, changes::add);
        License.Result result = changes.take();
        say(result);
        if (result.ok()) {
            String days = result.daysLeft() == null ? "sin límite" : result.daysLeft().toString();
            System.out.println("Licencia válida. Días restantes: " + days);
        }
        for (int sale = 0; sale < 1 && result.ok(); sale++) {
            work();
            // Un cambio se atiende entre una venta y otra, nunca a la mitad.
            while (!changes.isEmpty()) say(result = changes.take());
        }
        // Un programa que termina enseguida espera al servidor: si no, nunca sabría de una baja.
        while (result.pending()) say(result = changes.take());
        if (result.ok()) keep(key);
        if (result.ok() && result.offline()) System.out.println("Sin conexión con el servidor de licencias.");
        LICENSE.stop();
        if (FLOATING) LICENSE.release(key);
        System.exit(result.ok() ? 0 : 1);
    }

    /** Qué pasó y qué hacer; también avisa antes de que el programa deje de funcionar. */
    private static void say(License.Result result) {
        if (!result.message("es").isEmpty()) System.err.println(result.message("es"));
    }

    /** La clave que se escribió antes; vacía si no hay, o si no se puede leer. */
    private static String keptKey() {
        try {
            return new String(Files.readAllBytes(KEY_FILE), StandardCharsets.UTF_8);
        } catch (IOException | SecurityException e) {
            return "";
        }
    }

    /** Guarda la clave. Sin permiso o sin espacio el programa funciona igual. */
    private static void keep(String key) {
        try {
            Files.createDirectories(FOLDER);
            Files.write(KEY_FILE, key.getBytes(StandardCharsets.UTF_8));
        } catch (IOException | SecurityException e) {
            System.err.println("No se pudo guardar la clave: habrá que escribirla de nuevo la próxima vez.");
        }
    }

    /** Lo que hace el programa sin que nada lo corte, como una venta. */
    private static void work() {
        if (LICENSE.has("modulo_nomina")) System.out.println("Con el módulo de nómina.");
    }
}
