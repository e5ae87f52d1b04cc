using System;
using System.Collections.Concurrent;
using System.IO;
using LicenseManager;

/// <summary>Un programa con licencia: mono example.exe XXXXX-XXXXX-XXXXX-XXXXX-XXXXX</summary>
internal static class Example
{
    /// <summary>Verdadero si vendes licencias flotantes: al cerrar, el programa devuelve su lugar para otro equipo.</summary>
    private static readonly bool Floating = false;

    /// <summary>La carpeta donde el sistema guarda los ajustes de los programas.</summary>
    private static readonly string Folder = Path.Combine(
        Environment.GetFolderPath(Environment.SpecialFolder.ApplicationData, Environment.SpecialFolderOption.DoNotVerify),
        "punto-de-venta");

    private static readonly License Licence = new License(new License.Options
    {
        Server = "https://licencias.example.com",
        Software = "punto-de-venta",
        // De Configuración › Firma: la clave actual y la siguiente.
        Keys = new[]
        {
            new License.Key(
                "OWU11v3d5J8iBa0aO_WuWlc5MLhPvKXs8oUNFbWWJFI",
                "yP0-iHEqjG4iWMkFi5koNYWxbyqkVVH265jENwM6GHk",
                "CSHST7W7Mw9TsLjmcquiHPr0v3QYhhACzsKLT7wc95k"),
            new License.Key(
                "P-_1DxIxmxqy_WdO9UJRpo13zTFWVzbzTcAR4jguXSI",
                "DLqmjXhfQDhkKpahykPcpqh2XvEjF_JJmdXN4AdgrVI",
                "vPM41CzkH1ddjn3lHDCLPX3QU7YYDQfVIkJtT4MIE74"),
        },
        Store = Path.Combine(Folder, "licencia.json"),
        AppVersion = "1.0.0",
    });

    private static int Main(string[] arguments)
    {
        // La clave se escribe una vez; después se lee de los ajustes.
        string file = Path.Combine(Folder, "clave.txt"), kept = File.Exists(file) ? File.ReadAllText(file) : "";
        string key = arguments.Length > 0 ? arguments[0] : kept;

        // Pregunta al inicio y después cada cierto tiempo, en otro hilo; cada cambio llega a esta cola.
        var changes = new BlockingCollection<License.Result>();
        Licence.Start(key, changes.Add);
        License.Result result = changes.Take();
        if (result.Ok)
        {
            Directory.CreateDirectory(Folder);
            File.WriteAllText(file, key);
            string days = result.DaysLeft == null ? "sin límite" : result.DaysLeft.ToString();
            Console.WriteLine("Licencia válida. Días restantes: " + days + (result.Offline ? " (sin conexión)" : ""));
        }
        for (int sale = 0; sale < 1; sale++)
        {
            if (result.Message("es") != "") Console.Error.WriteLine(result.Message("es"));
            if (!result.Ok) break;
            Work();
            // Un cambio se atiende entre una venta y otra, nunca a la mitad.
            if (changes.TryTake(out License.Result change)) result = change;
        }
        Licence.Stop();
        if (Floating) Licence.Release(key);
        return result.Ok ? 0 : 1;
    }

    /// <summary>Lo que hace el programa sin que nada lo corte, como una venta.</summary>
    private static void Work()
    {
        if (Licence.Has("modulo_nomina")) Console.WriteLine("Con el módulo de nómina.");
    }
}
