import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.prefs.BackingStoreException;
import java.util.prefs.Preferences;
import licensemanager.License;

/** Un programa con licencia: java -cp … Example XXXXX-XXXXX-XXXXX-XXXXX-XXXXX */
public final class Example {

    /** Verdadero si vendes licencias flotantes: al cerrar, el programa devuelve su lugar para otro equipo. */
    private static final boolean FLOATING = false;

    private static final Path STORE = Paths.get(System.getProperty("user.home"), ".punto-de-venta", "licencia.json");

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
            STORE).appVersion("1.0.0"));

    public static void main(String[] arguments) throws InterruptedException {
        // La clave se escribe una vez; después se lee de las preferencias del sistema.
        String key = arguments.length > 0 ? arguments[0] : keptKey();

        // Lo guardado responde al instante. El servidor se consulta en otro hilo, ahora y después cada cierto tiempo; lo
        // que se sabe llega a esta cola.
        BlockingQueue<License.Result> changes = new LinkedBlockingQueue<>();
        LICENSE.start(key, changes::add);
        License.Result result = changes.take();
        if (result.ok()) {
            String days = result.daysLeft() == null ? "sin límite" : result.daysLeft().toString();
            System.out.println("Licencia válida. Días restantes: " + days);
        }
        for (int sale = 0; sale < 1; sale++) {
            if (!result.message("es").isEmpty()) System.err.println(result.message("es"));
            if (!result.ok()) break;
            work();
            // Un cambio se atiende entre una venta y otra, nunca a la mitad. Un programa que termina enseguida espera al
            // servidor: si no, nunca sabría de una baja.
            while (result.pending() || !changes.isEmpty()) result = changes.take();
            if (!result.ok()) System.err.println(result.message("es"));
        }
        if (result.ok()) keep(key);
        if (result.ok() && result.offline()) System.out.println("Sin conexión con el servidor de licencias.");
        LICENSE.stop();
        if (FLOATING) LICENSE.release(key);
        System.exit(result.ok() ? 0 : 1);
    }

    private static String keptKey() {
        try {
            return Preferences.userRoot().node("punto-de-venta").get("clave", "");
        } catch (RuntimeException e) {
            return "";
        }
    }

    /** Guarda la clave. Sin permiso o sin espacio el programa funciona igual. */
    private static void keep(String key) {
        try {
            Preferences settings = Preferences.userRoot().node("punto-de-venta");
            settings.put("clave", key);
            settings.flush();
        } catch (BackingStoreException | RuntimeException e) {
            System.err.println("No se pudo guardar la clave: habrá que escribirla de nuevo la próxima vez.");
        }
    }

    /** Lo que hace el programa sin que nada lo corte, como una venta. */
    private static void work() {
        if (LICENSE.has("modulo_nomina")) System.out.println("Con el módulo de nómina.");
    }
}
