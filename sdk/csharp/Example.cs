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

    private static readonly string KeyFile = Path.Combine(Folder, "clave.txt");

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
        string key = arguments.Length > 0 ? arguments[0] : ReadKey();

        // Lo guardado responde al instante. El servidor se consulta en otro hilo, ahora y cada cierto tiempo; cada cambio
        // llega a esta cola.
        var changes = new BlockingCollection<License.Result>();
        Licence.Start(key, changes.Add);
        License.Result result = Heard(changes.Take());
        if (result.Ok)
        {
            string days = result.DaysLeft == null ? "sin límite" : result.DaysLeft.ToString();
            Console.WriteLine("Licencia válida. Días restantes: " + days);
        }
        for (int sale = 0; sale < 1 && result.Ok; sale++)
        {
            Work();
            // Un cambio se atiende entre una venta y otra, nunca a la mitad.
            if (changes.TryTake(out License.Result change)) result = Heard(change);
        }
        // Un programa que termina enseguida espera al servidor: si no, nunca sabría de una baja.
        while (result.Pending) result = Heard(changes.Take());
        if (result.Ok) SaveKey(key);
        if (result.Ok && result.Offline) Console.WriteLine("Sin conexión con el servidor de licencias.");
        Licence.Stop();
        if (Floating) Licence.Release(key);
        return result.Ok ? 0 : 1;
    }

    /// <summary>La clave se escribe una vez; después se lee de los ajustes, también como la deja un editor de textos.</summary>
    private static string ReadKey()
    {
        try
        {
            return File.ReadAllText(KeyFile).Trim();
        }
        catch (Exception)
        {
            return "";
        }
    }

    /// <summary>Sin permiso o sin espacio el programa funciona igual.</summary>
    private static void SaveKey(string key)
    {
        try
        {
            Directory.CreateDirectory(Folder);
            File.WriteAllText(KeyFile, key);
        }
        catch (Exception)
        {
            Console.Error.WriteLine("No se pudo guardar la clave: habrá que escribirla de nuevo la próxima vez.");
        }
    }

    /// <summary>Qué pasó y qué hacer; también avisa antes de que el programa deje de funcionar.</summary>
    private static License.Result Heard(License.Result result)
    {
        if (result.Message("es") != "") Console.Error.WriteLine(result.Message("es"));
        return result;
    }

    /// <summary>Lo que hace el programa sin que nada lo corte, como una venta.</summary>
    private static void Work()
    {
        if (Licence.Has("modulo_nomina")) Console.WriteLine("Con el módulo de nómina.");
    }
}
