import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Un programa con licencia: java -cp … Example XXXXX-XXXXX-XXXXX-XXXXX-XXXXX */
public final class Example {

    private static final License LICENSE = new License(new License.Options(
            "https://licencias.example.com",
            "punto-de-venta",
            // De Configuración › Firma: la clave actual y la siguiente.
            List.of(
                    new License.Key(
                            "OWU11v3d5J8iBa0aO_WuWlc5MLhPvKXs8oUNFbWWJFI",
                            "yP0-iHEqjG4iWMkFi5koNYWxbyqkVVH265jENwM6GHk",
                            "CSHST7W7Mw9TsLjmcquiHPr0v3QYhhACzsKLT7wc95k"),
                    new License.Key(
                            "P-_1DxIxmxqy_WdO9UJRpo13zTFWVzbzTcAR4jguXSI",
                            "DLqmjXhfQDhkKpahykPcpqh2XvEjF_JJmdXN4AdgrVI",
                            "vPM41CzkH1ddjn3lHDCLPX3QU7YYDQfVIkJtT4MIE74")),
            Path.of(System.getProperty("user.home"), ".punto-de-venta.json"))
            .appVersion("1.0.0"));

    /** Lo que lee la persona por cada motivo. */
    private static final Map<String, String> TEXTS = Map.of(
            "no_connection", "No hay conexión con el servidor de licencias. Conéctate a internet e inténtalo de nuevo.",
            "unverified", "La respuesta no viene del servidor de licencias. Revisa la red o el proxy.",
            "offline_expired", "Hace mucho que no hay conexión. Conéctate a internet una vez para seguir.",
            "clock_back", "El reloj de la computadora no es correcto. Corrígelo, conéctate a internet o pide otro archivo.",
            "installation_limit", "La licencia ya se usa en todas sus computadoras.",
            "suspended", "La licencia está suspendida. Escribe a tu proveedor.",
            "expired", "La licencia venció. Escribe a tu proveedor para renovarla.");

    public static void main(String[] arguments) {
        String key = arguments.length > 0 ? arguments[0] : "";
        check(key);
        ScheduledExecutorService hourly = Executors.newSingleThreadScheduledExecutor();
        hourly.scheduleAtFixedRate(() -> check(key), 1, 1, TimeUnit.HOURS);

        if (LICENSE.has("modulo_nomina")) System.out.println("Con el módulo de nómina.");
        hourly.shutdownNow(); // the work of the program ends here
    }

    private static void check(String key) {
        License.Result result = LICENSE.check(key);
        if (!result.ok()) {
            String other = "La licencia no es válida (" + result.reason() + ").";
            System.err.println(TEXTS.getOrDefault(result.reason(), other));
            System.exit(1);
        }
        String days = result.daysLeft() == null ? "sin límite" : result.daysLeft().toString();
        System.out.println("Licencia válida. Días restantes: " + days + (result.offline() ? " (sin conexión)" : ""));
    }
}
