using System;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using LicenseManager;

/// <summary>Un programa con licencia: mono example.exe XXXXX-XXXXX-XXXXX-XXXXX-XXXXX</summary>
internal static class Example
{
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
        Store = Path.Combine(
            Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".punto-de-venta.json"),
        AppVersion = "1.0.0",
    });

    /// <summary>Lo que lee la persona por cada motivo.</summary>
    private static readonly Dictionary<string, string> Texts = new Dictionary<string, string>
    {
        { "no_connection", "No hay conexión con el servidor de licencias. Conéctate a internet e inténtalo de nuevo." },
        { "unverified", "La respuesta no viene del servidor de licencias. Revisa la red o el proxy." },
        { "offline_expired", "Hace mucho que no hay conexión. Conéctate a internet una vez para seguir." },
        { "clock_back", "El reloj de la computadora no es correcto. Corrígelo, conéctate a internet o pide otro archivo." },
        { "installation_limit", "La licencia ya se usa en todas sus computadoras." },
        { "suspended", "La licencia está suspendida. Escribe a tu proveedor." },
        { "expired", "La licencia venció. Escribe a tu proveedor para renovarla." },
    };

    private static void Main(string[] arguments)
    {
        string key = arguments.Length > 0 ? arguments[0] : "";
        Check(key);
        TimeSpan hour = TimeSpan.FromHours(1);
        using (new Timer(state => Check(key), null, hour, hour))
        {
            if (Licence.Has("modulo_nomina")) Console.WriteLine("Con el módulo de nómina.");
        }
    }

    private static void Check(string key)
    {
        License.Result result = Licence.Check(key);
        if (!result.Ok)
        {
            string other = "La licencia no es válida (" + result.Reason + ").";
            Console.Error.WriteLine(Texts.TryGetValue(result.Reason, out string text) ? text : other);
            Environment.Exit(1);
        }
        string days = result.DaysLeft == null ? "sin límite" : result.DaysLeft.ToString();
        Console.WriteLine("Licencia válida. Días restantes: " + days + (result.Offline ? " (sin conexión)" : ""));
    }
}
