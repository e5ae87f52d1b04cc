import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
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
        Preferences settings = Preferences.userRoot().node("punto-de-venta");
        String key = arguments.length > 0 ? arguments[0] : settings.get("clave", "");

        // Pregunta al inicio y después cada cierto tiempo, en otro hilo; cada cambio llega a esta cola.
        BlockingQueue<License.Result> changes = new LinkedBlockingQueue<>();
        LICENSE.start(key, changes::add);
        License.Result result = changes.take();
        if (result.ok()) {
            settings.put("clave", key);
            String days = result.daysLeft() == null ? "sin límite" : result.daysLeft().toString();
            System.out.println("Licencia válida. Días restantes: " + days + (result.offline() ? " (sin conexión)" : ""));
        }
        for (int sale = 0; sale < 1; sale++) {
            if (!result.message("es").isEmpty()) System.err.println(result.message("es"));
            if (!result.ok()) break;
            work();
            // Un cambio se atiende entre una venta y otra, nunca a la mitad.
            if (!changes.isEmpty()) result = changes.take();
        }
        LICENSE.stop();
        if (FLOATING) LICENSE.release(key);
        System.exit(result.ok() ? 0 : 1);
    }

    /** Lo que hace el programa sin que nada lo corte, como una venta. */
    private static void work() {
        if (LICENSE.has("modulo_nomina")) System.out.println("Con el módulo de nómina.");
    }
}
