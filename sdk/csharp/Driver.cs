// SPDX-License-Identifier: MIT
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Http;
using System.Threading;
using System.Threading.Tasks;
using LicenseManager;

/// <summary>What the tests run (sdk/README.md, The driver): it prints one line of JSON for each command.</summary>
internal static class Driver
{
    private static void Main(string[] arguments)
    {
        if (arguments[0] == "serve")
        {
            for (string line = Console.In.ReadLine(); line != null; line = Console.In.ReadLine())
            {
                Console.Out.WriteLine(Json.Write(Answer(Json.ReadObject(line))));
                Console.Out.Flush();
            }
            return;
        }
        var command = new Dictionary<string, object>();
        if (arguments[0] == "vectors") command["file"] = arguments[1];
        else if (arguments[0] == "machine-id") command["software"] = arguments[1];
        else command = ReadFile(arguments[1]);
        command["do"] = arguments[0];
        object result = Answer(command);
        Console.Out.WriteLine(result as string ?? Json.Write(result));
    }

    private static object Answer(Dictionary<string, object> command)
    {
        switch ((string)command["do"])
        {
            case "vectors": return Vectors(ReadFile((string)command["file"]));
            case "check": return Check(command);
            case "open": return ErrorOf(command);
            case "release": return Open(command).Release((string)command["key"]);
            case "release-why": return Release(command);
            case "portal": return Portal(command);
            case "use": return Used(command);
            case "left": return Left(command);
            case "remaining": return Remaining(Open(command), command);
            case "consume": return Consumed(command);
            case "trial": return Trial(command);
            case "message": return ResultOf((Dictionary<string, object>)command["result"]).Message(command.Get("lang") as string);
            case "cached": return Cached(command);
            case "start": return Started(command);
            case "clients": return OnOneClient(command);
            case "machine-id":
                if (command.ContainsKey("server")) return Open(command).MachineId();
                string store = command.Get("store") as string ?? "driver-store.json";
                return License.Machine.Id((string)command["software"], License.Trim(command.Get("instance") as string), store);
            default: throw new ArgumentException((string)command["do"]);
        }
    }

    private static object Used(Dictionary<string, object> command)
    {
        License license = Open(command);
        return Objects(command["uses"])
            .Select(use => (object)license.Use((string)use["code"], use.Get("amount") as long? ?? 1))
            .ToList();
    }

    private static object Left(Dictionary<string, object> command)
    {
        License license = Open(command);
        bool ok = license.Check((string)command["key"]).Ok;
        return new Dictionary<string, object> { { "ok", ok }, { "left", Remaining(license, command) } };
    }

    private static object Remaining(License license, Dictionary<string, object> command)
    {
        return ((List<object>)command["codes"]).Select(code => (object)license.Remaining((string)code)).ToList();
    }

    private static object Consumed(Dictionary<string, object> command)
    {
        License license = Open(command);
        license.Check((string)command["key"]);
        return Objects(command["uses"])
            .Select(use => (object)license.Consume((string)use["code"], use.Get("amount") as long? ?? 1))
            .ToList();
    }

    private static object Refused(License.RefusedUse use) =>
        new Dictionary<string, object> { { "code", use.Code }, { "amount", use.Amount }, { "reason", use.Reason } };

    private static object Trial(Dictionary<string, object> command)
    {
        License license = Open(command);
        string key = license.StartTrial(command.Get("email") as string, command.Get("name") as string);
        return new Dictionary<string, object>
        {
            { "key", key }, { "reason", license.TrialReason }, { "detail", license.TrialDetail },
        };
    }

    private static Dictionary<string, object> ReadFile(string path) => Json.ReadObject(File.ReadAllText(path));

    private static IEnumerable<Dictionary<string, object>> Objects(object list)
    {
        return ((List<object>)list).Cast<Dictionary<string, object>>();
    }

    private static License.Key[] Keys(Dictionary<string, object> from)
    {
        return Objects(from["keys"])
            .Select(key => new License.Key((string)key["kid"], (string)key["x"], (string)key["y"]))
            .ToArray();
    }

    private static object Vectors(Dictionary<string, object> file)
    {
        Dictionary<string, License.Es256> keys = License.Es256.All(Keys(file));
        var results = new List<object>();
        foreach (Dictionary<string, object> vector in Objects(file["cases"]))
        {
            var typed = (string)(vector.Get("license_key") ?? file["license_key"]);
            var program = new License.Program(keys, (string)file["audience"], (string)file["machine_id"],
                License.HashOfKey(typed), vector.Get("released_on") as string ?? "");
            var time = new License.Time((long)vector["clock"], (long?)vector["mark"]);
            var input = (string)vector["input"];
            var kind = (string)vector["kind"];
            License.Verdict verdict = kind == "fresh"
                ? License.CheckFresh(input, (string)vector["call"], (string)vector["nonce"], program)
                : kind == "file" ? License.CheckFile(input, program, time)
                : License.CheckStored(input, program, time);
            var result = new Dictionary<string, object> { { "name", vector["name"] }, { "accepted", verdict.Accepted } };
            if (verdict.Accepted)
            {
                result["valid"] = verdict.Valid;
                result["reason"] = verdict.Reason;
                result["mark"] = verdict.Mark;
            }
            else
            {
                result["error"] = verdict.Error;
            }
            results.Add(result);
        }
        return results;
    }

    /// <summary>What the constructor says of wrong options; null where they are right.</summary>
    private static string ErrorOf(Dictionary<string, object> config)
    {
        try
        {
            Open(config);
            return null;
        }
        catch (ArgumentException wrong)
        {
            return wrong.Message;
        }
    }

    private static License Open(Dictionary<string, object> config, HttpClient client = null)
    {
        var options = new License.Options
        {
            Server = (string)config["server"],
            Software = (string)config["software"],
            Keys = Keys(config),
            Store = (string)config["store"],
            File = config.Get("file") as string,
            MachineId = config.Get("machine_id") as string,
            MachineName = config.Get("machine_name") as string,
            AppVersion = config.Get("app_version") as string,
            ReleasedOn = config.Get("released_on") as string,
            Instance = config.Get("instance") as string,
        };
        if (config.Get("timeout") is object timeout) options.Timeout = Convert.ToDouble(timeout);
        if (config.Get("log") is string log) options.Log = (code, line) => File.AppendAllText(log, code + " " + line + "\n");
        if (config.Get("clock") is object clock) options.Clock = () => Convert.ToInt64(clock);
        if (config.Get("uptime") is object uptime) options.Uptime = () => Convert.ToInt64(uptime);
        options.HttpClient = config.Get("client") is Dictionary<string, object> given ? ClientOf(given) : client;
        return new License(options);
    }

    /// <summary>A client as a program may give one: with a proxy, a certificate that it trusts, or a handler with a fault.</summary>
    private static HttpClient ClientOf(Dictionary<string, object> given)
    {
        var handler = new HttpClientHandler();
        if (given.Get("proxy") is string proxy) handler.Proxy = new WebProxy(proxy);
        if (given.Get("trusts") is string thumbprint)
            handler.ServerCertificateCustomValidationCallback = (request, certificate, chain, errors) =>
                certificate.GetCertHashString() == thumbprint;
        return new HttpClient(new Faulty(handler, given.Get("fault") as string)) { Timeout = TimeSpan.FromMinutes(10) };
    }

    /// <summary>Never answers, or throws; without a fault it only passes on.</summary>
    private sealed class Faulty : DelegatingHandler
    {
        private readonly string fault;

        public Faulty(HttpMessageHandler inner, string given) : base(inner) { fault = given; }

        protected override Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancel)
        {
            if (fault == "silent") return new TaskCompletionSource<HttpResponseMessage>().Task;
            if (fault == "blocks") Thread.Sleep(TimeSpan.FromMinutes(1));
            if (fault == "throws") throw new InvalidOperationException("The program's mistake.");
            return base.SendAsync(request, cancel);
        }
    }

    private static string Written(DateTimeOffset? instant) => instant?.ToString("o");

    /// <summary>Two objects one after the other with one client: disposing of the first leaves it open.</summary>
    private static object OnOneClient(Dictionary<string, object> config)
    {
        HttpClient client = ClientOf((Dictionary<string, object>)config["client"]);
        config.Remove("client");
        var results = new List<object>();
        for (int turn = 0; turn < 2; turn++)
            using (License license = Open(config, client)) results.Add(Fields(license.Check((string)config["key"])));
        return results;
    }

    private static Dictionary<string, object> Fields(License.Result result)
    {
        return new Dictionary<string, object>
        {
            { "ok", result.Ok }, { "reason", result.Reason }, { "detail", result.Detail },
            { "storeError", result.StoreError }, { "offline", result.Offline }, { "pending", result.Pending },
            { "daysLeft", result.DaysLeft }, { "features", result.Features },
            { "expiresAt", Written(result.ExpiresAt) }, { "inGrace", result.InGrace },
            { "graceUntil", Written(result.GraceUntil) }, { "offlineUntil", Written(result.OfflineUntil) },
            { "type", result.Type }, { "status", result.Status }, { "nextCheck", result.NextCheck.TotalSeconds },
            { "updatesUntil", result.UpdatesUntil }, { "seatFreeAt", Written(result.SeatFreeAt) },
            { "refusedUses", result.RefusedUses.Select(Refused).ToList() },
        };
    }

    private static object Check(Dictionary<string, object> config)
    {
        License license = Open(config);
        Dictionary<string, object> line = Fields(license.Check((string)config["key"]));
        if (config.Get("has") is string code) line["has"] = license.Has(code);
        return line;
    }

    private static object Release(Dictionary<string, object> config)
    {
        License license = Open(config);
        bool released = license.Release((string)config["key"]);
        return new Dictionary<string, object>
        {
            { "released", released }, { "reason", license.ReleaseReason }, { "detail", license.ReleaseDetail },
        };
    }

    private static object Portal(Dictionary<string, object> config)
    {
        License license = Open(config);
        string url = license.PortalUrl((string)config["key"]);
        return new Dictionary<string, object>
        {
            { "url", url }, { "reason", license.PortalReason }, { "detail", license.PortalDetail },
        };
    }

    /// <summary>A result with these fields, as the texts need them.</summary>
    private static License.Result ResultOf(Dictionary<string, object> fields)
    {
        bool ok = true.Equals(fields.Get("ok")), offline = true.Equals(fields.Get("offline"));
        return new License.Result(ok, fields.Get("reason") as string, offline, null, null)
        {
            Pending = true.Equals(fields.Get("pending")),
            Detail = fields.Get("detail") as string,
            StoreError = fields.Get("storeError") as string,
            InGrace = true.Equals(fields.Get("inGrace")),
            GraceUntil = License.InstantOf(fields.Get("graceUntil")),
            OfflineUntil = License.InstantOf(fields.Get("offlineUntil")),
        };
    }

    private static double Number(Dictionary<string, object> config, string name, double otherwise) =>
        Convert.ToDouble(config.Get(name) ?? otherwise);

    private static object Cached(Dictionary<string, object> config)
    {
        License license = Open(config);
        var rounds = new List<object>();
        foreach (Dictionary<string, object> round in Objects(config["rounds"]))
        {
            Thread.Sleep(TimeSpan.FromSeconds(Number(round, "wait", 0)));
            var answers = new List<Dictionary<string, object>>();
            List<Thread> callers = Enumerable.Range(0, (int)Number(round, "callers", 1)).Select(caller => new Thread(() =>
            {
                Stopwatch time = Stopwatch.StartNew();
                License.Result result = license.CheckCached((string)config["key"], Number(round, "seconds", 0));
                var answer = new Dictionary<string, object> { { "ms", time.ElapsedMilliseconds }, { "result", Fields(result) } };
                lock (answers) answers.Add(answer);
            })).ToList();
            callers.ForEach(caller => caller.Start());
            callers.ForEach(caller => caller.Join());
            rounds.Add(answers);
        }
        return rounds;
    }

    private static object Started(Dictionary<string, object> config)
    {
        var changes = new List<Dictionary<string, object>>();
        Stopwatch time = Stopwatch.StartNew();
        double starts = Number(config, "starts", 1), until = Number(config, "until", -1);
        var enough = new ManualResetEventSlim();
        using (License license = Open(config))
        {
            for (int start = 1; start <= starts; start++)
            {
                if (start > 1) Thread.Sleep(TimeSpan.FromSeconds(Number(config, "wait", 0)));
                int number = start;
                license.Start((string)config["key"], result =>
                {
                    var change = new Dictionary<string, object>
                    {
                        { "start", number }, { "ms", time.ElapsedMilliseconds }, { "result", Fields(result) },
                    };
                    if (config.Get("has") is string code) change["has"] = license.Has(code);
                    if (config.ContainsKey("codes")) change["left"] = Remaining(license, config);
                    lock (changes)
                    {
                        changes.Add(change);
                        if (changes.Count(one => (int)one["start"] == starts) == until) enough.Set();
                    }
                    if (true.Equals(config.Get("throws"))) throw new InvalidOperationException("The program's mistake.");
                });
            }
            enough.Wait(TimeSpan.FromSeconds(Number(config, "for", 0)));
        }
        lock (changes) return changes.ToList();
    }
}
