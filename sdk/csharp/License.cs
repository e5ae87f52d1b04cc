// SPDX-License-Identifier: MIT
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Net.Sockets;
using System.Numerics;
using System.Runtime.InteropServices;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Win32;

// The public members say by attributes what may be null, because mono's compiler knows no 'string?'. Inside of the file
// nothing is annotated.
#pragma warning disable 8600, 8601, 8602, 8603, 8604, 8605, 8618, 8619, 8620, 8622, 8625, 8714

namespace LicenseManager
{
    /// <summary>
    /// Asks the server whether a licence holds on this computer, and answers without connection from what it kept.
    /// <code>
    /// var license = new License(new License.Options { Server = …, Software = …, Keys = …, Store = … });
    /// license.Start(key, result =>
    /// {
    ///     if (result.Message("es") != "") Show(result.Message("es")); // what happened, and what to do
    ///     if (!result.Ok) SaveAndClose();
    /// });
    /// if (license.Has("modulo_nomina")) OpenPayroll();
    /// </code>
    /// The SDKs of all languages do the same in the same order: sdk/README.md describes it, docs/offline.md the token.
    /// One License may be used by several threads; their calls of Check and Release wait for one another.
    /// </summary>
    public sealed class License : IDisposable
    {
        /// <summary>The version of this SDK.</summary>
        public const string Version = "0.4.0";

        // ------------------------------------------------------------ What the program gives and gets

        /// <summary>A public key, a constant of the program: its parts in base64url, as in the JWK.</summary>
        public sealed class Key
        {
            public readonly string Kid, X, Y;

            public Key(string kid, string x, string y) { Kid = kid; X = x; Y = y; }
        }

        /// <summary>What the SDK needs to know; the first four have no default.</summary>
        public sealed class Options
        {
            /// <summary>The public address of the server, such as https://licencias.example.com</summary>
            public string Server { get; set; }
            /// <summary>The code of the software.</summary>
            public string Software { get; set; }
            /// <summary>The current public key and the next one.</summary>
            public Key[] Keys { get; set; }
            /// <summary>A file that the program may write; the SDK keeps the last answer in it, and makes its folder.</summary>
            public string Store { get; set; }
            /// <summary>The path of a licence file (.lic), which need not exist.</summary>
            [AllowNull, MaybeNull] public string File { get; set; }
            /// <summary>An id of this computer other than that of its system.</summary>
            [AllowNull, MaybeNull] public string MachineId { get; set; }
            /// <summary>A name of this computer other than its own.</summary>
            [AllowNull, MaybeNull] public string MachineName { get; set; }
            /// <summary>Tells copies of the program on one computer apart: each takes a seat. Not together with MachineId.</summary>
            [AllowNull, MaybeNull] public string Instance { get; set; }
            /// <summary>The version of the program, which the server counts.</summary>
            [AllowNull, MaybeNull] public string AppVersion { get; set; }
            /// <summary>The day on which this build came out, such as 2026-11-21: a licence may include updates until a day.</summary>
            [AllowNull, MaybeNull] public string ReleasedOn { get; set; }
            /// <summary>Seconds for each call to the server.</summary>
            public double Timeout { get; set; } = 5;
            /// <summary>Gets a code and a line for each failed call, problem of a file, and rule of the clock that bites.</summary>
            [AllowNull, MaybeNull] public Action<string, string> Log { get; set; }
            /// <summary>
            /// A client of the program for the calls, such as one with a proxy or another certificate authority. It is not
            /// disposed. Timeout holds whatever its own is, and a redirect that it follows is no answer.
            /// </summary>
            [AllowNull, MaybeNull] public HttpClient HttpClient { get; set; }
            /// <summary>For tests: gives the seconds since 1970.</summary>
            public Func<long> Clock { get; set; } = () => DateTimeOffset.UtcNow.ToUnixTimeSeconds();
            /// <summary>For tests: gives the seconds of a counter that nobody sets.</summary>
            [AllowNull, MaybeNull] public Func<long> Uptime { get; set; }
        }

        /// <summary>A use that the server refused.</summary>
        public sealed class RefusedUse
        {
            /// <summary>The code and the amount that Use or Consume was called with.</summary>
            public string Code { get; }
            public long Amount { get; }
            /// <summary>limit_reached, unknown_meter (a misspelt code), out_of_time or invalid.</summary>
            public string Reason { get; }

            internal RefusedUse(string code, long amount, string reason) { Code = code; Amount = amount; Reason = reason; }
        }

        /// <summary>Whether the program may run, and why not.</summary>
        public sealed class Result
        {
            /// <summary>Whether it may.</summary>
            public bool Ok { get; }
            /// <summary>Null when Ok, else a reason of the server or of the SDK (sdk/README.md lists them).</summary>
            [MaybeNull] public string Reason { get; }
            /// <summary>Why there is no fresh verdict, or why the reason, such as dns or tls; null where nothing is to be said.</summary>
            [MaybeNull] public string Detail { get; internal set; }
            /// <summary>Why the store cannot be used: denied, full or failed; null while work without connection is possible.</summary>
            [MaybeNull] public string StoreError { get; internal set; }
            /// <summary>Whether this comes from what was kept, or from a file.</summary>
            public bool Offline { get; internal set; }
            /// <summary>Only of the first result of Start, which comes from what was kept: that of the check follows.</summary>
            public bool Pending { get; internal set; }
            /// <summary>Whole days until the licence ends, as the console counts them; null: no end.</summary>
            public long? DaysLeft { get; }
            /// <summary>The licence's codes with their values: bool, long or string.</summary>
            public IReadOnlyDictionary<string, object> Features { get; }

            /// <summary>When the licence ends; null: no end, or nobody said it.</summary>
            public DateTimeOffset? ExpiresAt { get; internal set; }
            /// <summary>Whether the licence has ended and is in its grace.</summary>
            public bool InGrace { get; internal set; }
            /// <summary>When the grace ends; null outside of it.</summary>
            public DateTimeOffset? GraceUntil { get; internal set; }
            /// <summary>Until when the program may work without connection; null when not Ok.</summary>
            public DateTimeOffset? OfflineUntil { get; internal set; }
            /// <summary>The licence's type, such as trial; null where nobody said it.</summary>
            [MaybeNull] public string Type { get; internal set; }
            /// <summary>The licence's status, such as active; null where nobody said it.</summary>
            [MaybeNull] public string Status { get; internal set; }
            /// <summary>When to check again.</summary>
            public TimeSpan NextCheck { get; internal set; } = TimeSpan.FromHours(1);
            /// <summary>The last day of updates, such as 2027-01-31; null where the server says none.</summary>
            [MaybeNull] public string UpdatesUntil { get; internal set; }
            /// <summary>Of installation_limit: when a floating seat is free, if nobody gives one back before; else null.</summary>
            public DateTimeOffset? SeatFreeAt { get; internal set; }
            /// <summary>Uses that the server refused since the last result; mostly empty.</summary>
            public IReadOnlyList<RefusedUse> RefusedUses { get; internal set; } = new RefusedUse[0];

            /// <summary>The seconds from the check to OfflineUntil.</summary>
            internal long Holds;

            internal Result(bool ok, string reason, bool offline, long? daysLeft, Dictionary<string, object> features)
            {
                Ok = ok;
                Reason = reason;
                Offline = offline;
                DaysLeft = daysLeft;
                Features = features ?? new Dictionary<string, object>();
            }

            /// <summary>The same for those who read it once more: each refused use is told once.</summary>
            internal Result WithoutRefused()
            {
                var copy = (Result)MemberwiseClone();
                copy.RefusedUses = new RefusedUse[0];
                return copy;
            }

            /// <summary>What happened and what to do, for the program's user, in "es" or "en"; empty where all is well.</summary>
            public string Message(string language = "es")
            {
                Dictionary<string, string> texts = language == "en" ? Texts.En : Texts.Es;
                string[] names = Ok ? Warnings(texts) : Troubles(texts);
                var days = (long)Math.Floor(Until(GraceUntil).TotalDays);
                var hours = (long)Math.Max(1, Math.Ceiling(Until(OfflineUntil).TotalHours));
                return string.Join(" ", names.Select(name => texts[name]))
                    .Replace("{days}", days.ToString(CultureInfo.InvariantCulture))
                    .Replace("{hours}", hours.ToString(CultureInfo.InvariantCulture))
                    .Replace("{reason}", Reason);
            }

            private static TimeSpan Until(DateTimeOffset? then) =>
                then == null ? TimeSpan.Zero : then.Value - DateTimeOffset.UtcNow;

            /// <summary>The names of the texts of a result that is Ok.</summary>
            private string[] Warnings(Dictionary<string, string> texts)
            {
                TimeSpan near = TimeSpan.FromDays(2);
                if (InGrace) return new[] { Until(GraceUntil) >= near ? "grace_days" : "grace" };
                if (Offline && !Pending && OfflineUntil != null && Until(OfflineUntil) < near)
                {
                    string because = "detail_" + Detail;
                    return texts.ContainsKey(because) ? new[] { "offline_ends_because", because } : new[] { "offline_ends" };
                }
                return StoreError == null ? new string[0] : new[] { "store_" + StoreError };
            }

            /// <summary>The names of the texts of a result that is not Ok.</summary>
            private string[] Troubles(Dictionary<string, string> texts)
            {
                string because = "detail_" + Detail;
                bool isNetwork = Reason == "no_connection" || Reason == "unverified" || Reason == "offline_expired";
                bool isOfKey = Detail == "wrong_key" || Detail == "key_signs"
                    || because.StartsWith("detail_file_", StringComparison.Ordinal);
                bool hasDetail = (isNetwork || (isOfKey && Reason == "not_found")) && texts.ContainsKey(because);
                var names = new List<string>();
                if (Reason == "expired" && Offline) names.Add("expired_offline");
                else if (!hasDetail) names.Add(texts.ContainsKey(Reason) ? Reason : "unknown");
                else if (Reason == "offline_expired") names.Add("offline_expired_because");
                if (hasDetail) names.Add(because);
                if (isNetwork && StoreError != null) names.Add("store_" + StoreError);
                return names.ToArray();
            }
        }

        // ------------------------------------------------------------ The licence

        /// <summary>The paths of the calls, by their names in tokens.</summary>
        private static readonly Dictionary<string, string> Paths = new Dictionary<string, string>
        {
            { "validate", "/licenses/api/license/validate/" },
            { "activate", "/licenses/api/installations/" },
            { "heartbeat", "/licenses/api/installation/heartbeat/" },
            { "release", "/licenses/api/installations/release/" },
            { "portal", "/licenses/api/portal/ticket/" },
            { "usage", "/licenses/api/usage/" },
            { "trial", "/licenses/api/trial/" },
        };

        /// <summary>An address that a program may open: it ends in a browser, perhaps through a shell.</summary>
        private static readonly Regex PortalAddress = new Regex(
            "^(https?)://([A-Za-z0-9.-]+|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?/[A-Za-z0-9/._~?#=-]{1,500}\\z");

        private static readonly Regex Day = new Regex("^[0-9]{4}-[0-9]{2}-[0-9]{2}\\z");

        private readonly Options options;
        private readonly string server, machineId, machineName;
        private readonly Dictionary<string, Es256> keys;
        private readonly Kept.Store store;
        private readonly TimeSpan timeout;
        private readonly HttpClient http, own; // own: null where the program gave one
        private readonly SemaphoreSlim calls = new SemaphoreSlim(1, 1);
        private readonly object files = new object(); // held while the store is read and written, never while the server is asked
        private volatile Latest latest = new Latest("", Refused("no_connection", false));
        private volatile IReadOnlyDictionary<string, object> features = new Dictionary<string, object>();

        /// <exception cref="ArgumentException">For a wrong option, which is a mistake of the programmer.</exception>
        public License(Options given)
        {
            options = given;
            bool isAddress = Uri.TryCreate(given.Server, UriKind.Absolute, out Uri address);
            if (!isAddress || (address.Scheme != "http" && address.Scheme != "https"))
                throw new ArgumentException("Server: an address such as https://licencias.example.com");
            if (Trim(given.Software) == "") throw new ArgumentException("Software: its code");
            if (string.IsNullOrEmpty(given.Store)) throw new ArgumentException("Store: the path of a file");
            if (given.Keys == null || given.Keys.Length == 0) throw new ArgumentException("Keys: one public key or more");
            if (!(given.Timeout > 0)) throw new ArgumentException("Timeout: seconds, more than 0");
            machineId = Trim(given.MachineId);
            string instance = Trim(given.Instance);
            if (machineId != "" && instance != "") throw new ArgumentException("Instance: not together with MachineId");
            if (ReleasedOn != "" && !Day.IsMatch(ReleasedOn))
                throw new ArgumentException("ReleasedOn: a day as 2026-11-21");
            keys = Es256.All(given.Keys);
            server = given.Server.TrimEnd('/');
            store = new Kept.Store(given.Store, Log);
            if (machineId == "") machineId = Machine.Id(given.Software, instance, given.Store);
            machineName = string.IsNullOrEmpty(given.MachineName) ? Machine.Name() : Machine.Cut(given.MachineName, 200);
            timeout = TimeSpan.FromSeconds(given.Timeout);
            http = given.HttpClient;
            if (http != null) return;
            http = own = new HttpClient(new HttpClientHandler { AllowAutoRedirect = false, UseCookies = false });
            http.Timeout = timeout;
        }

        /// <summary>The id of this computer for this software, which a licence file is issued for.</summary>
        public string MachineId() => machineId;

        /// <summary>
        /// Whether the licence of this key holds on this computer. Never throws; asks the server twice at most. Without
        /// a key the licence file decides, and the server is not asked.
        /// It waits for the answers, so a program with windows awaits CheckAsync.
        /// </summary>
        public Result Check([AllowNull] string key) => CheckAsync(key).GetAwaiter().GetResult();

        /// <summary>The same without waiting: reading and asking happen in other threads.</summary>
        public Task<Result> CheckAsync([AllowNull] string key) => Task.Run(() => CheckInTurn(Trim(key)));

        private async Task<Result> CheckInTurn(string key)
        {
            await calls.WaitAsync().ConfigureAwait(false);
            lastKey = key;
            try
            {
                Result result;
                try
                {
                    result = await Judge(key).ConfigureAwait(false);
                }
                catch (Exception)
                {
                    result = Refused("no_connection", false); // such as a clock of the program that throws
                }
                result.StoreError = store.Error;
                lock (refused)
                {
                    result.RefusedUses = refused.ToArray();
                    refused.Clear();
                }
                features = result.Features;
                latest = new Latest(HashOfKey(key), result.WithoutRefused());
                return result;
            }
            finally
            {
                calls.Release();
            }
        }

        /// <summary>Whether the last check was ok and the licence has this code with a value other than false.</summary>
        public bool Has([AllowNull] string code)
        {
            object value = null;
            return code != null && features.TryGetValue(code, out value) && value != null && !false.Equals(value);
        }

        /// <summary>
        /// Gives the seat back. True when the server signed that this computer has none now; else ReleaseReason and
        /// ReleaseDetail say why not. Never throws.
        /// </summary>
        public bool Release([AllowNull] string key) => ReleaseAsync(key).GetAwaiter().GetResult();

        /// <summary>The same without waiting.</summary>
        public Task<bool> ReleaseAsync([AllowNull] string key) => Task.Run(() => ReleaseInTurn(Trim(key)));

        /// <summary>Why the last release was false: a reason, or the server's code such as release_not_allowed; else null.</summary>
        [MaybeNull] public string ReleaseReason { get; private set; }

        /// <summary>The detail of a release without an answer that verifies; else null.</summary>
        [MaybeNull] public string ReleaseDetail { get; private set; }

        private async Task<bool> ReleaseInTurn(string key)
        {
            await calls.WaitAsync().ConfigureAwait(false);
            ReleaseReason = "no_connection";
            ReleaseDetail = null;
            try
            {
                Sent sent = await SendUses(key, options.Clock()).ConfigureAwait(false);
                Answer answer = await Ask("release", key, new Dictionary<string, object>()).ConfigureAwait(false);
                bool isReleased = answer.Says("not_activated");
                if (isReleased)
                {
                    Forget(key);
                    ForgetSent(sent);
                }
                ReleaseReason = isReleased ? null : answer.Why;
                ReleaseDetail = answer.IsWord ? null : answer.Detail;
                return isReleased;
            }
            catch (Exception)
            {
                return false;
            }
            finally
            {
                calls.Release();
            }
        }

        /// <summary>
        /// An address of the portal for this computer's seat, for the browser: it works once, within five minutes. Null
        /// where there is none; PortalReason and PortalDetail then say why. Never throws, and waits for no check.
        /// </summary>
        [return: MaybeNull]
        public string PortalUrl([AllowNull] string key) => PortalUrlAsync(key).GetAwaiter().GetResult();

        /// <summary>The same without waiting.</summary>
        public Task<string> PortalUrlAsync([AllowNull] string key) => Task.Run(() => AskPortal(Trim(key)));

        /// <summary>Why the last PortalUrl was null: no_connection, unverified or the server's code such as not_found; else null.</summary>
        [MaybeNull] public string PortalReason { get; private set; }

        /// <summary>What became of the call where the server did not say why; else null.</summary>
        [MaybeNull] public string PortalDetail { get; private set; }

        /// <summary>Whether a program may open this address: by http only on this computer, or at the host that it asked by http itself.</summary>
        private static bool IsOfPortal(string url, string asked)
        {
            Match address = PortalAddress.Match(url), from = PortalAddress.Match(asked);
            if (!address.Success || address.Groups[1].Value == "https") return address.Success;
            string host = address.Groups[2].Value;
            if (host == "localhost" || host == "127.0.0.1" || host == "[::1]") return true;
            return from.Groups[1].Value == "http" && string.Equals(from.Groups[2].Value, host, StringComparison.OrdinalIgnoreCase);
        }

        private async Task<string> AskPortal(string key)
        {
            var answer = new Answer();
            string found = null;
            try
            {
                var question = new Dictionary<string, object>
                {
                    { "license_key", key }, { "machine_id", machineId }, { "software", options.Software },
                };
                answer = await Post("portal", Json.Write(question)).ConfigureAwait(false);
                if (answer.Status == 200 && answer.Url != null && IsOfPortal(answer.Url, server + Paths["portal"])) found = answer.Url;
                if (answer.Status != 0) answer.Detail = answer.Kind(null);
                if (answer.Status != 0 && found == null) Log(answer.Detail, "portal: status " + answer.Status + ", no address");
            }
            catch (Exception)
            {
                found = null;
            }
            PortalReason = found != null ? null : answer.Why;
            PortalDetail = found != null || answer.IsWord ? null : answer.Detail;
            return found;
        }

        // ------------------------------------------------------------ What was used (sdk/README.md, Meters)

        /// <summary>The records of one call, the calls of one check, and the size above which no use is added.</summary>
        private const int MostRecords = 100, MostSendings = 20, MostQueue = 4 * 1024 * 1024;
        private const long MostAmount = 1000000000;

        /// <summary>
        /// Held while files of uses are read or written, by all objects of the process: on Unix a process that closes a
        /// file loses its lock on it.
        /// </summary>
        private static readonly object UseFiles = new object();

        /// <summary>Uses that the server refused, for the next result.</summary>
        private readonly List<RefusedUse> refused = new List<RefusedUse>();
        /// <summary>Consumptions that were not answered: asked again, they count once.</summary>
        private readonly List<Used> unanswered = new List<Used>();
        /// <summary>The key that was checked last.</summary>
        private volatile string lastKey = "";
        private Opened opened = new Opened();

        /// <summary>A line of a file: what was used, and the computer's clock then.</summary>
        private sealed class Used
        {
            public string Code, Id;
            public long Amount, Clock;
            /// <summary>The server counted it already: it waits for the verdict that knows of it.</summary>
            public bool IsCounted;

            public static bool IsOne(string code, long amount) =>
                code != null && Regex.IsMatch(code, "^[a-z0-9_]{1,50}\\z") && amount >= 1 && amount <= MostAmount;

            /// <summary>Null for a line that was torn, or that no use can be: the server would refuse the others with it.</summary>
            public static Used In(string line)
            {
                Dictionary<string, object> json = Json.ReadObject(line);
                var used = new Used { Code = json.Get("code") as string, Id = json.Get("id") as string };
                used.Amount = json.Get("amount") as long? ?? 0;
                used.Clock = SecondsOf(json.Get("clock")) ?? -1;
                used.IsCounted = true.Equals(json.Get("counted"));
                bool isNamed = used.Id != null && Regex.IsMatch(used.Id, "^[0-9a-f]{32}\\z");
                return isNamed && used.Clock >= 0 && IsOne(used.Code, used.Amount) ? used : null;
            }

            public string Line()
            {
                var json = new Dictionary<string, object>
                {
                    { "code", Code }, { "amount", Amount }, { "id", Id }, { "clock", Clock },
                };
                if (IsCounted) json["counted"] = true;
                return Json.Write(json);
            }
        }

        /// <summary>The files with uses, and the ids that were answered: they go once a verdict that knows of them was kept.</summary>
        private sealed class Sent
        {
            public readonly Dictionary<string, List<Used>> Files = new Dictionary<string, List<Used>>();
            public readonly HashSet<string> Answered = new HashSet<string>();
            public bool IsMore;
        }

        /// <summary>The kept verdict, or the file of its key, whichever is newer; Texts are what it was read from.</summary>
        private sealed class Opened
        {
            public string Texts;
            public Dictionary<string, object> Claims;
            public bool IsFile;
        }

        /// <summary>
        /// Notes that something was used, beside the store; checks send it, and it counts once. True where it is kept;
        /// false too where less is left, of a meter that refuses what is beyond. Never throws.
        /// </summary>
        public bool Use([AllowNull] string code, long amount = 1)
        {
            if (!Used.IsOne(code, amount)) return false;
            long? left = null;
            try
            {
                lock (UseFiles)
                {
                    left = LeftOf(code, out bool refuses);
                    bool isEnough = left == null || !refuses || left >= amount;
                    if (isEnough) return KeepUse(code, amount, ToHex(RandomBytes(16)), false);
                }
            }
            catch (Exception e)
            {
                Log("store_failed", "use: " + e.GetType().Name); // such as a clock of the program that throws
                return false;
            }
            Log("use_refused", code + ": " + amount + " of " + left + " (limit_reached)");
            return false;
        }

        /// <summary>
        /// Asks the server to count this now, with the key that was checked last: true only where it signed that it did. A
        /// call without such an answer, said again, counts once. Never throws, and waits for the answer.
        /// </summary>
        public bool Consume([AllowNull] string code, long amount = 1) => ConsumeAsync(code, amount).GetAwaiter().GetResult();

        /// <summary>The same without waiting.</summary>
        public Task<bool> ConsumeAsync([AllowNull] string code, long amount = 1) => Task.Run(() => AskToCount(code, amount));

        private async Task<bool> AskToCount(string code, long amount)
        {
            string key = lastKey;
            if (!Used.IsOne(code, amount) || key == "") return false;
            try
            {
                Used use;
                lock (unanswered)
                {
                    use = unanswered.Find(one => one.Code == code && one.Amount == amount);
                    if (use == null) use = new Used { Code = code, Amount = amount, Id = ToHex(RandomBytes(16)) };
                    unanswered.Remove(use);
                }
                var records = new List<object>
                {
                    new Dictionary<string, object> { { "code", code }, { "amount", amount }, { "request_id", use.Id } },
                };
                var question = new Dictionary<string, object> { { "records", records } };
                Answer answer = await Ask("usage", key, question).ConfigureAwait(false);
                if (answer.Verdict == null)
                {
                    // Nobody signed whether it counted: the same id asks again.
                    if (answer.Status != 400) lock (unanswered) unanswered.Add(use);
                    return false;
                }
                var uses = answer.Verdict.Claims.Get("uses") as List<object>;
                Dictionary<string, object> said = uses?.OfType<Dictionary<string, object>>()
                    .FirstOrDefault(one => use.Id.Equals(one.Get("request_id")));
                // A relay may have changed the record, sent another one first under this id, or named another day.
                bool isThis = code.Equals(said.Get("code")) && amount.Equals(said.Get("amount")) && !true.Equals(said.Get("past"));
                if (!true.Equals(said.Get("accepted")) || !isThis)
                {
                    if (false.Equals(said.Get("accepted"))) Refuse(use, said.Get("reason") as string);
                    else Log("use_refused", code + ": " + amount + " (" + (answer.Verdict.Reason ?? "not this use") + ")");
                    return false;
                }
                // What was kept does not know of it yet.
                lock (UseFiles) KeepUse(code, amount, use.Id, true);
                return true;
            }
            catch (Exception)
            {
                return false;
            }
        }

        /// <summary>
        /// What is left of a meter: what the last verdict said, without what waits to be sent. From the first line on,
        /// without connection too. Null without a limit, and where nothing was kept. Never throws.
        /// </summary>
        public long? Remaining([AllowNull] string code)
        {
            try
            {
                lock (UseFiles) return LeftOf(code, out _);
            }
            catch (Exception)
            {
                return null;
            }
        }

        /// <summary>
        /// What is left of a meter, and whether what is beyond is refused. After its reset all of it is left, but the last
        /// period of a licence begins anew only with a renewal. Of a file what was used before it counts only where the
        /// meter never begins anew.
        /// </summary>
        private long? LeftOf(string code, out bool refuses)
        {
            Opened kept = OpenKept();
            var meters = kept.Claims.Get("meters") as List<object>;
            Dictionary<string, object> meter = meters?.OfType<Dictionary<string, object>>()
                .FirstOrDefault(one => code != null && code.Equals(one.Get("code")));
            refuses = "refuse".Equals(meter.Get("overage"));
            long? limit = SecondsOf(meter.Get("limit")), remaining = SecondsOf(meter.Get("remaining"));
            if (limit == null || remaining == null) return null;
            DateTimeOffset? reset = InstantOf(meter.Get("resets_at")), end = InstantOf(kept.Claims.Get("license_expires"));
            long begin = reset?.ToUnixTimeSeconds() ?? 0;
            bool isReset = reset != null && options.Clock() >= begin && (end == null || reset < end);
            long since = isReset ? begin : kept.IsFile && reset != null ? SecondsOf(kept.Claims.Get("iat")) ?? 0 : 0;
            var waiting = new Dictionary<string, long>();
            foreach (string path in UseFilesNow())
            {
                // Most lines may be of another meter: they are not worth reading.
                foreach (string line in Files.Read(path, int.MaxValue).Split('\n').Where(line => line.Contains(code)))
                {
                    Used use = Used.In(line);
                    if (use != null && use.Code == code && use.Clock >= since) waiting[use.Id] = use.Amount;
                }
            }
            return Math.Max(0, (isReset ? limit : remaining).Value - waiting.Values.Sum());
        }

        /// <summary>What was kept, read again where it changed.</summary>
        private Opened OpenKept()
        {
            Kept kept = store.Peek();
            string file = FileToken(LicenseFile.Read(options.File).Text);
            string texts = kept.License + " " + kept.Token + " " + file;
            if (opened.Texts == texts) return opened;
            Verdict own = ReadSigned(kept.Token, Stored, ProgramIn(kept.Token));
            Verdict inFile = ReadSigned(file, InFile, ProgramIn(file));
            bool isKept = own.Accepted && kept.License.Equals(own.Claims.Get("key_hash"));
            bool isOwn = inFile.Accepted && (!isKept || kept.License.Equals(inFile.Claims.Get("key_hash")));
            bool isFile = isOwn && (!isKept || inFile.Iat > own.Iat);
            opened = new Opened { Texts = texts, IsFile = isFile, Claims = isFile ? inFile.Claims : isKept ? own.Claims : null };
            return opened;
        }

        /// <summary>Adds a line to the file of uses.</summary>
        private bool KeepUse(string code, long amount, string id, bool isCounted)
        {
            string path = options.Store + ".usage";
            try
            {
                var use = new Used { Code = code, Amount = amount, Id = id, Clock = options.Clock(), IsCounted = isCounted };
                bool isKept = Files.Append(path, use.Line(), MostQueue);
                if (!isKept) Log("store_full", path);
                return isKept;
            }
            catch (Exception e)
            {
                Log("store_" + Files.ProblemOf(e), path + ": " + e.GetType().Name);
                return false;
            }
        }

        private void Refuse(Used use, string reason)
        {
            var told = new RefusedUse(use.Code, use.Amount, reason ?? "invalid");
            lock (refused) refused.Add(told);
            Log("use_refused", told.Code + ": " + told.Amount + " (" + told.Reason + ")");
        }

        /// <summary>The files with uses: that of the store, and those that got a name of their own to be sent.</summary>
        private string[] UseFilesNow()
        {
            try
            {
                string path = Path.GetFullPath(options.Store + ".usage");
                var own = new Regex("^" + Regex.Escape(Path.GetFileName(path)) + "(\\.[0-9a-f]{32}|\\.sending)?\\z");
                string[] files = Directory.GetFiles(Path.GetDirectoryName(path));
                return files.Where(file => own.IsMatch(Path.GetFileName(file)))
                    .OrderBy(file => file, StringComparer.Ordinal).ToArray();
            }
            catch (Exception)
            {
                return new string[0];
            }
        }

        /// <summary>Sends what was used. Each use has an id, so that what was sent and not answered can be sent again.</summary>
        private async Task<Sent> SendUses(string key, long now)
        {
            Sent sent = key == "" ? new Sent() : TakeUses();
            long ahead = now - options.Clock();
            var unsent = new Dictionary<string, Used>();
            foreach (Used use in sent.Files.Values.SelectMany(uses => uses)) unsent[use.Id] = use;
            foreach (Used use in unsent.Values.Where(use => use.IsCounted).ToList()) sent.Answered.Add(use.Id);
            List<Used> all = unsent.Values.Where(use => !sent.Answered.Contains(use.Id)).ToList();
            sent.IsMore = all.Count > MostSendings * MostRecords;
            for (int from = 0; from < Math.Min(all.Count, MostSendings * MostRecords); from += MostRecords)
            {
                List<Used> part = all.Skip(from).Take(MostRecords).ToList();
                if (!await SendPart(part, key, now, ahead).ConfigureAwait(false)) break;
                sent.Answered.UnionWith(part.Select(use => use.Id));
            }
            return sent;
        }

        /// <summary>All uses that wait. The newest get a file of their own first: no process writes over another one's.</summary>
        private Sent TakeUses()
        {
            var sent = new Sent();
            string queue = options.Store + ".usage";
            lock (UseFiles)
            {
                try
                {
                    if (File.Exists(queue)) File.Move(queue, queue + "." + ToHex(RandomBytes(16)));
                }
                catch (Exception)
                {
                    // Another process took it, or it cannot be moved now: the next check tries again.
                }
                foreach (string path in UseFilesNow().Where(path => !path.EndsWith(".usage", StringComparison.Ordinal)))
                {
                    try
                    {
                        string[] lines = Files.ReadOrThrow(path, int.MaxValue).Split('\n');
                        sent.Files[path] = lines.Select(Used.In).Where(use => use != null).ToList();
                    }
                    catch (Exception)
                    {
                        // It stays for the next check.
                    }
                }
            }
            return sent;
        }

        /// <summary>Whether the server answered. Moments are said by its clock: that of the computer may be wrong.</summary>
        private async Task<bool> SendPart(List<Used> uses, string key, long now, long ahead)
        {
            var records = uses.Select(use => (object)new Dictionary<string, object>
            {
                { "code", use.Code }, { "amount", use.Amount }, { "request_id", use.Id },
                { "at", InIso(Math.Max(0, Math.Min(now, use.Clock + ahead))) },
            }).ToList();
            var question = new Dictionary<string, object>
            {
                { "license_key", key }, { "machine_id", machineId }, { "software", options.Software }, { "records", records },
            };
            Answer answer = await Post("usage", Json.Write(question)).ConfigureAwait(false);
            if (answer.Status == 400)
            {
                // What the server takes for no record it would take for none tomorrow.
                uses.ForEach(use => Refuse(use, null));
                return true;
            }
            var results = answer.Body.Get("results") as List<object>;
            if (answer.Status != 200 || results == null)
            {
                if (answer.Status != 0) Log(answer.Kind(null), "usage: status " + answer.Status);
                return false;
            }
            foreach (Dictionary<string, object> one in results.OfType<Dictionary<string, object>>())
            {
                Used use = uses.Find(sent => sent.Id.Equals(one.Get("request_id")));
                if (use != null && false.Equals(one.Get("accepted"))) Refuse(use, one.Get("reason") as string);
            }
            return true;
        }

        /// <summary>Deletes what a kept verdict knows of. What is kept twice is sent twice, and counts once.</summary>
        private void ForgetSent(Sent sent)
        {
            foreach (KeyValuePair<string, List<Used>> file in sent.Files)
            {
                List<Used> rest = file.Value.Where(use => !sent.Answered.Contains(use.Id)).ToList();
                if (rest.Count > 0 && rest.Count == file.Value.Count) continue;
                try
                {
                    string lines = string.Concat(rest.Select(use => use.Line() + "\n"));
                    lock (UseFiles)
                    {
                        if (rest.Count > 0) Files.Replace(options.Store + ".usage." + ToHex(RandomBytes(16)), lines);
                        File.Delete(file.Key);
                    }
                }
                catch (Exception)
                {
                    // It is sent again.
                }
            }
        }

        private static string InIso(long seconds) => DateTimeOffset.FromUnixTimeSeconds(seconds).UtcDateTime
            .ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", CultureInfo.InvariantCulture);

        // ------------------------------------------------------------ Trials

        /// <summary>
        /// Starts the trial of this computer, or finds the one that it has: the key, for Check. Null where there is none;
        /// TrialReason then says why, and of a trial that may not be used why not. Never throws.
        /// </summary>
        [return: MaybeNull]
        public string StartTrial([AllowNull] string email = null, [AllowNull] string name = null) =>
            StartTrialAsync(email, name).GetAwaiter().GetResult();

        /// <summary>The same without waiting.</summary>
        public Task<string> StartTrialAsync([AllowNull] string email = null, [AllowNull] string name = null) =>
            Task.Run(() => AskTrial(email, name));

        /// <summary>Why the last StartTrial gave no key, or why its trial may not be used; null where it may.</summary>
        [MaybeNull] public string TrialReason { get; private set; }

        /// <summary>What became of the call where the server did not say why; else null.</summary>
        [MaybeNull] public string TrialDetail { get; private set; }

        private async Task<string> AskTrial(string email, string name)
        {
            TrialReason = "no_connection";
            TrialDetail = null;
            try
            {
                string nonce = Convert.ToBase64String(RandomBytes(16)).TrimEnd('=').Replace('+', '-').Replace('/', '_');
                Dictionary<string, object> question = AboutMachine();
                question["software"] = options.Software;
                question["machine_id"] = machineId;
                question["nonce"] = nonce;
                if (email != null) question["email"] = email;
                if (name != null) question["name"] = name;
                Answer answer = await Post("trial", Json.Write(question)).ConfigureAwait(false);
                return TrialIn(answer, nonce);
            }
            catch (Exception)
            {
                return null;
            }
        }

        /// <summary>The key of an answer. Only a signed one counts: anybody could name a key.</summary>
        private string TrialIn(Answer answer, string nonce)
        {
            string key = Trim(answer.Body.Get("license_key") as string);
            Verdict verdict = Verdict.Failed("no token");
            if (answer.Token != null) verdict = CheckFresh(answer.Token, "activate", nonce, ProgramOf(key));
            if (key != "" && verdict.Accepted)
            {
                TrialReason = verdict.Valid ? null : verdict.Reason == "expired" ? "trial_ended" : verdict.Reason;
                return key;
            }
            bool isLimit = answer.Status == 429 && "trial_limit".Equals(answer.Body.Get("code"));
            if (answer.Status != 0) answer.Detail = answer.Kind(verdict.Error);
            if (answer.Status != 0) Log(answer.Detail, "trial: status " + answer.Status);
            bool isWord = isLimit || (answer.Token == null && answer.Code != null);
            TrialReason = isLimit ? "trial_limit" : isWord ? answer.Code : answer.IsNone ? "no_connection" : "unverified";
            TrialDetail = isWord ? null : answer.Detail;
            return null;
        }

        /// <summary>Forgets the token, and keeps what is known of the time.</summary>
        private void Forget(string key)
        {
            lock (files)
            {
                Kept old = store.Read();
                store.Write(new Kept("", "", "", MarkOf(ProgramOf(key), old), old.Back, old.Leap, old.Issued, old.Times));
            }
            latest = new Latest("", Refused("not_activated", false));
            features = latest.Result.Features;
        }

        private async Task<Result> Judge(string key)
        {
            if (key == "") return ByFile();
            Dictionary<string, object> question = AboutProgram();
            question["require_seat"] = true;
            Answer answer = await Ask("validate", key, question).ConfigureAwait(false);
            Sent sent = null;
            if (answer.Says("not_activated"))
            {
                answer = await Ask("activate", key, AboutMachine()).ConfigureAwait(false);
                if (answer.IsValid)
                {
                    Sent some = await SendUses(key, answer.Verdict.Mark).ConfigureAwait(false);
                    // The verdict that is kept knows of what was sent.
                    Answer beat = some.Files.Count > 0 ? await Ask("heartbeat", key, AboutMachine()).ConfigureAwait(false) : null;
                    if (beat?.Verdict != null)
                    {
                        answer = beat;
                        sent = some;
                    }
                }
            }
            else if (answer.IsValid)
            {
                sent = await SendUses(key, answer.Verdict.Mark).ConfigureAwait(false);
                answer = await Ask("heartbeat", key, AboutMachine()).ConfigureAwait(false);
            }
            Verdict verdict = answer.Verdict;
            if (verdict == null) return WithAnswer(WithoutConnection(ProgramOf(key), answer), answer, HashOfKey(key));
            lock (files)
            {
                string before = Verdict.RefusesBuild(ClaimsIn(answer.Token)) ? GoodBefore(key) : "";
                store.Write(new Kept(HashOfKey(key), answer.Token, before, verdict.Mark, 0, 0, verdict.Mark, TimesNow()));
            }
            Result result = WaitingForSeat(ResultOf(verdict, false), answer);
            if (answer.Says("not_found") && WrongSigns.IsMatch(CountedOf(key))) result.Detail = "key_signs";
            if (sent != null) ForgetSent(sent);
            // What is left to be sent does not wait for an hour.
            TimeSpan minute = TimeSpan.FromMinutes(1);
            if (sent != null && sent.IsMore && result.NextCheck > minute) result.NextCheck = minute;
            return result;
        }

        /// <summary>A key as long as those made by the server, with a sign that they never have.</summary>
        private static readonly Regex WrongSigns = new Regex("^(?=.*[0O1I])[A-Z0-9]{25}\\z");

        /// <summary>The good verdict that stays beside the refusal of this build: an older build may go on with it.</summary>
        private string GoodBefore(string key)
        {
            Kept old = store.Read();
            if (old.License != HashOfKey(key)) return "";
            Verdict last = ReadSigned(old.Token, Stored, new Program(keys, options.Software, machineId, old.License, ""));
            if (last.Accepted && last.Valid) return old.Token;
            return Verdict.RefusesBuild(last.Claims) ? old.Before : "";
        }

        /// <summary>Of a floating licence without a free seat: when one is free, and to ask again then, at least each minute.</summary>
        private static Result WaitingForSeat(Result result, Answer answer)
        {
            DateTimeOffset? free = InstantOf(answer.Body.Get("seat_free_at"));
            if (free == null || result.Reason != "installation_limit") return result;
            result.SeatFreeAt = free;
            // By the server's clock: that of the computer may be wrong.
            long seconds = free.Value.ToUnixTimeSeconds() - answer.Verdict.Mark;
            result.NextCheck = TimeSpan.FromSeconds(Math.Min(60, Math.Max(1, seconds)));
            return result;
        }

        /// <summary>
        /// What the server said instead of a verdict. 'Too many questions' turns nobody offline: what was kept decides
        /// with the rules of the clock, but the connection is there.
        /// </summary>
        private Result WithAnswer(Result result, Answer answer, string keyHash)
        {
            result.Detail = answer.Detail;
            Result before = latest.Result;
            bool isSame = latest.KeyHash == keyHash && before.Ok == result.Ok && before.Reason == result.Reason;
            if (answer.Detail != "rate_limited" || !isSame) return result;
            result.Offline = before.Offline;
            double seconds = Math.Min(3600, Math.Max(result.NextCheck.TotalSeconds, answer.RetryAfter));
            result.NextCheck = TimeSpan.FromSeconds(seconds);
            return result;
        }

        /// <summary>Takes the key's hash from the file. The server cannot be asked without the key.</summary>
        private Result ByFile()
        {
            LicenseFile file = LicenseFile.Read(options.File);
            Program program = ProgramIn(FileToken(file.Text));
            string problem = file.Problem(ReadFileToken(file.Text, program));
            if (file.IsWanted && problem == null) return WithoutConnection(program, new Answer());
            if (problem != null) Log(problem, options.File + ": the licence file does not count");
            Result result = Refused("not_found", false);
            result.Detail = problem;
            return result;
        }

        /// <summary>Judges what was kept and the file; the later of those that pass decides, so an old file undoes no refusal.</summary>
        private Result WithoutConnection(Program program, Answer answer)
        {
            lock (files) return ByStore(program, answer);
        }

        private Result ByStore(Program program, Answer answer)
        {
            Kept kept = store.Read();
            Times times = TimesNow(); // after the store: what another process writes cannot make this clock look set back
            LicenseFile file = LicenseFile.Read(options.File);
            Verdict own = Verdict.Failed("malformed"), inFile = ReadFileToken(file.Text, program);
            string problem = file.Problem(inFile);
            if (problem != null) Log(problem, options.File + ": the licence file does not count");
            // The refusal of a newer build does not bind this one: what was good before stands in its place.
            bool isForNewer = ReadSigned(kept.Token, Stored, program).IsForNewer(program.ReleasedOn);
            string token = isForNewer ? kept.Before : kept.Token;
            long? mark = MarkOf(program, kept);
            Time seen = Time.Of(kept, mark, times), time = seen.ByFile(inFile, kept.Issued);
            LogTime(kept, mark, seen, time);
            if (kept.License == program.KeyHash) own = CheckStored(token, program, time).ButRefusalsLast();
            Verdict filed = CheckTime(inFile, time);
            Verdict later = filed.Accepted && (!own.Accepted || filed.Iat > own.Iat) ? filed : own;
            if (own.IsTimely || filed.IsTimely) store.Write(time.After(kept, times, later, own.IsTimely ? own : filed));
            if (later.Accepted) return ResultOf(later, true);
            foreach (Verdict verdict in new[] { own, filed })
            {
                if (verdict.Error == "expired") return Ended(verdict);
                if (verdict.Error == "clock_back" || verdict.Error == "future") return Refused(verdict.Error, true);
            }
            return Refused(answer.IsNone ? "no_connection" : "unverified", false);
        }

        /// <summary>What is said of a token that has ended: where the licence itself has ended too, that.</summary>
        private static Result Ended(Verdict verdict)
        {
            Dictionary<string, object> claims = verdict.Claims;
            DateTimeOffset? end = InstantOf(claims.Get("usable_until")) ?? InstantOf(claims.Get("license_expires"));
            if (end == null || end.Value.ToUnixTimeMilliseconds() > verdict.Mark * 1000) return Refused("offline_expired", true);
            return ResultOf(new Verdict(null, Refusing(claims, "expired"), verdict.Mark), true);
        }

        private void LogTime(Kept kept, long? mark, Time seen, Time time)
        {
            long back = seen.Back - kept.Back;
            if (back > 0) Log("clock_back", "the clock is " + back + " s earlier than at the last check");
            else if (mark != null && seen.Missed > 60) Log("clock_still", seen.Missed + " s more passed than the clock says");
            if (time != seen) Log("clock_file", "a newer licence file set the time anew");
        }

        /// <summary>Tells the program's log in one line. What the log throws changes nothing.</summary>
        private void Log(string code, string message)
        {
            try
            {
                string line = Regex.Replace(message, "[^ -~]", "?");
                options.Log?.Invoke(code, line.Length > 300 ? line.Substring(0, 300) : line);
            }
            catch (Exception)
            {
                // The program's own problem.
            }
        }

        private static Result ResultOf(Verdict verdict, bool offline)
        {
            Dictionary<string, object> claims = verdict.Claims;
            DateTimeOffset? end = InstantOf(claims.Get("license_expires"));
            Result result = Refused(verdict.Reason ?? "unverified", offline);
            if (verdict.Valid)
            {
                long? days = DaysUntil(end, verdict.Mark, claims.Get("utc_offset") as long?);
                result = new Result(true, null, offline, days, claims.Get("features") as Dictionary<string, object>);
                bool isOver = true.Equals(claims.Get("in_grace")) || verdict.Mark * 1000 > end?.ToUnixTimeMilliseconds();
                long exp = SecondsOf(claims.Get("exp")).Value, half = (exp - verdict.Iat) / 2;
                result.InGrace = end != null && isOver;
                if (result.InGrace) result.GraceUntil = InstantOf(claims.Get("usable_until"));
                result.OfflineUntil = DateTimeOffset.FromUnixTimeSeconds(exp);
                result.Holds = exp - verdict.Mark;
                if (half > 0 && half < 3600) result.NextCheck = TimeSpan.FromSeconds(half);
            }
            result.ExpiresAt = end;
            result.Type = claims.Get("license_type") as string;
            result.Status = claims.Get("status") as string;
            result.UpdatesUntil = claims.Get("updates_until") as string;
            return result;
        }

        /// <summary>Whole days of the vendor's calendar, as the console counts them.</summary>
        private static long? DaysUntil(DateTimeOffset? end, long now, long? offset)
        {
            if (end == null) return null;
            long last = end.Value.ToUnixTimeSeconds();
            double days = Math.Floor((last - now) / 86400.0);
            if (offset != null) days = Math.Floor((last + offset.Value) / 86400.0) - Math.Floor((now + offset.Value) / 86400.0);
            return (long)Math.Max(0, days);
        }

        private static Result Refused(string reason, bool offline)
        {
            return new Result(false, reason, offline, 0, null);
        }

        private Dictionary<string, object> AboutProgram()
        {
            var about = new Dictionary<string, object> { { "os", Machine.System() } };
            if (!string.IsNullOrEmpty(options.AppVersion)) about["app_version"] = options.AppVersion;
            if (ReleasedOn != "") about["released_on"] = ReleasedOn;
            return about;
        }

        /// <summary>The same with the computer's name: one that was renamed shows its new name.</summary>
        private Dictionary<string, object> AboutMachine()
        {
            Dictionary<string, object> about = AboutProgram();
            if (machineName != "") about["machine_name"] = machineName;
            return about;
        }

        private string ReleasedOn => Trim(options.ReleasedOn);

        private Program ProgramOf(string key) =>
            new Program(keys, options.Software, machineId, HashOfKey(key), ReleasedOn);

        /// <summary>The same for the key whose hash a token names, before anything of it is checked.</summary>
        private Program ProgramIn(string token)
        {
            string named = ClaimsIn(token).Get("key_hash") as string ?? "";
            return new Program(keys, options.Software, machineId, named, ReleasedOn);
        }

        /// <summary>What a token says, before anything of it is checked; null where it is none.</summary>
        private static Dictionary<string, object> ClaimsIn(string token)
        {
            string[] parts = token.Split('.');
            return parts.Length == 3 ? Json.ReadObject(Utf8(FromBase64Url(parts[1]))) : null;
        }

        /// <summary>The highest time that the program knows, in seconds; null before the first answer.</summary>
        private static long? MarkOf(Program program, Kept kept)
        {
            long? mark = kept.Mark;
            foreach (string token in new[] { kept.Token, kept.Before })
            {
                Verdict signed = ReadSigned(token, Stored, program);
                if (signed.Accepted) mark = Math.Max(signed.Iat, mark ?? 0);
            }
            return mark;
        }

        // ------------------------------------------------------------ Checks in the background, and cached ones

        /// <summary>The last result, of which key, and when: a counter that nobody sets.</summary>
        private sealed class Latest
        {
            public readonly string KeyHash;
            public readonly Result Result;
            private readonly long at = Stopwatch.GetTimestamp();

            public Latest(string keyHash, Result result) { KeyHash = keyHash; Result = result; }

            /// <summary>Whether it answers for a key within this time: a refusal for a minute at most, nothing beyond its end.</summary>
            public bool IsFresh(string hash, double seconds)
            {
                double age = (Stopwatch.GetTimestamp() - at) / (double)Stopwatch.Frequency;
                return KeyHash == hash && age < Math.Min(seconds, Result.Ok ? Result.Holds : 60);
            }
        }

        private readonly Dictionary<string, Task<Result>> underway = new Dictionary<string, Task<Result>>();
        private CancellationTokenSource background = new CancellationTokenSource();

        /// <summary>
        /// The last result of this key where it is younger than these seconds, else that of a check, which callers who
        /// come meanwhile share. Those who have an older result that still holds get that at once. Never throws.
        /// </summary>
        public Result CheckCached([AllowNull] string key, double seconds) =>
            CheckCachedAsync(key, seconds).GetAwaiter().GetResult();

        /// <summary>The same without waiting.</summary>
        public Task<Result> CheckCachedAsync([AllowNull] string key, double seconds)
        {
            string hash = HashOfKey(lastKey = Trim(key));
            lock (underway)
            {
                Latest known = latest;
                if (known.IsFresh(hash, seconds)) return Task.FromResult(known.Result);
                if (underway.TryGetValue(hash, out Task<Result> call))
                    return known.Result.Ok && known.IsFresh(hash, double.MaxValue) ? Task.FromResult(known.Result) : call;
                call = CheckAsync(key);
                underway[hash] = call;
                call.ContinueWith(ended => { lock (underway) underway.Remove(hash); }, TaskScheduler.Default);
                return call;
            }
        }

        /// <summary>
        /// Gives onChange what is kept, where that is good (Pending), then checks, and again after every NextCheck, in
        /// threads of the pool. Gives it the result of the first check in any case, and each that differs in Ok, Reason,
        /// Features, InGrace or Offline, or whose text begins or ends. Another Start replaces this one.
        /// </summary>
        public void Start([AllowNull] string key, Action<Result> onChange)
        {
            var next = new CancellationTokenSource();
            Interlocked.Exchange(ref background, next).Cancel();
            Task.Run(() => Repeat(key, onChange, next.Token));
        }

        /// <summary>Ends what Start began; a check that is under way tells nobody. The seat stays: Release gives it back.</summary>
        public void Stop() => Interlocked.Exchange(ref background, new CancellationTokenSource()).Cancel();

        /// <summary>Stops, and closes the connections once no call is under way. The seat stays.</summary>
        public void Dispose()
        {
            Stop();
            if (Interlocked.Exchange(ref isDisposed, 1) == 0) CloseUse();
        }

        private int isDisposed;
        /// <summary>The calls that use the client, and one until Dispose.</summary>
        private int uses = 1;

        /// <summary>The last one disposes of the client: mono never ends where it is disposed of under a call.</summary>
        private void CloseUse()
        {
            if (Interlocked.Decrement(ref uses) == 0) own?.Dispose();
        }

        /// <summary>The result of what is kept, where that is good. It waits for no check: a server may hang, or a firewall answer nothing.</summary>
        private Result Look(string key)
        {
            try
            {
                lastKey = key;
                Result result = key == "" ? ByFile() : WithoutConnection(ProgramOf(key), new Answer());
                if (!result.Ok) return null;
                result.Pending = true;
                result.StoreError = store.Error;
                features = result.Features;
                return result;
            }
            catch (Exception)
            {
                return null; // the check says so
            }
        }

        private void Tell(Result result, Action<Result> onChange)
        {
            try
            {
                onChange(result);
            }
            catch (Exception e)
            {
                Log("callback", "onChange threw " + e.GetType() + ": " + e.Message);
            }
        }

        private async Task Repeat(string key, Action<Result> onChange, CancellationToken stop)
        {
            if (stop.IsCancellationRequested) return;
            Result told = null, kept = Look(Trim(key));
            if (kept != null && !stop.IsCancellationRequested) Tell(kept, onChange);
            bool warned = false;
            while (!stop.IsCancellationRequested)
            {
                Result result = await CheckAsync(key).ConfigureAwait(false);
                bool warns = result.Message("es") != ""; // a text that begins may be the warning before the end
                bool isNew = !IsSame(told, result) || warns != warned || result.RefusedUses.Count > 0;
                if (isNew && !stop.IsCancellationRequested)
                {
                    told = result;
                    warned = warns;
                    Tell(result, onChange);
                }
                await Task.WhenAny(Task.Delay(result.NextCheck, stop)).ConfigureAwait(false); // so that a stop throws nothing
            }
        }

        private static bool IsSame(Result one, Result other) =>
            one != null && one.Ok == other.Ok && one.Reason == other.Reason && one.InGrace == other.InGrace
            && one.Offline == other.Offline && one.Features.Count == other.Features.Count
            && one.Features.All(code => other.Features.TryGetValue(code.Key, out object value) && Equals(code.Value, value));

        // ------------------------------------------------------------ Asking the server

        /// <summary>How much of an answer or a licence file is read, and of the store.</summary>
        private const int MostBytes = 64 * 1024, MostStore = 1024 * 1024;
        private const string UserAgent = "license-manager-csharp/" + Version;

        /// <summary>An answer: its status (0: none came), its token, the verdict if the token passes, else why there is none.</summary>
        private sealed class Answer
        {
            public int Status;
            public string Token, Code, Detail, Url;
            public Dictionary<string, object> Body;
            public double RetryAfter;
            public Verdict Verdict;

            public bool IsNone => Status == 0 || Status == 407 || Status == 429 || Status >= 500;

            public bool IsValid => Verdict != null && Verdict.Valid;

            public bool Says(string reason) => Verdict != null && !Verdict.Valid && Verdict.Reason == reason;

            /// <summary>Whether the server says itself why a release did not succeed. A code is not signed: it only explains.</summary>
            public bool IsWord => Verdict != null || (Token == null && Code != null);

            public string Why => Verdict?.Reason ?? (Token == null && Code != null ? Code
                : IsNone && Token == null ? "no_connection" : "unverified");

            /// <summary>What this answer is, where its token fails with this error, or is not there.</summary>
            public string Kind(string error)
            {
                if (Status == 429) return "rate_limited";
                if (Status >= 500) return "server_error";
                if (Status == 407) return "proxy";
                return error == "unknown_key" || error == "signature" ? "wrong_key" : "not_the_server";
            }
        }

        /// <summary>Makes a call with a separate nonce and judges the answer as a fresh one.</summary>
        private async Task<Answer> Ask(string call, string key, Dictionary<string, object> question)
        {
            string nonce = Convert.ToBase64String(RandomBytes(16)).TrimEnd('=').Replace('+', '-').Replace('/', '_');
            question["license_key"] = key;
            question["machine_id"] = machineId;
            question["software"] = options.Software;
            question["nonce"] = nonce;
            Answer answer = await Post(call, Json.Write(question)).ConfigureAwait(false);
            if (answer.Status == 0) return answer;
            Verdict verdict = Verdict.Failed("no token");
            if (answer.Token != null) verdict = CheckFresh(answer.Token, call, nonce, ProgramOf(key));
            if (verdict.Accepted)
            {
                answer.Verdict = verdict;
                return answer;
            }
            answer.Detail = answer.Kind(verdict.Error);
            Log(answer.Detail, call + ": status " + answer.Status + ", " + verdict.Error);
            return answer;
        }

        /// <summary>One call, which ends after the timeout however slowly the server sends.</summary>
        private async Task<Answer> Post(string call, string question)
        {
            using (var cancel = new CancellationTokenSource())
            using (var ended = new CancellationTokenSource())
            {
                Task<Answer> answer = Task.Run(() => PostAsync(Paths[call], question, cancel.Token));
                Exception problem = new TimeoutException("no whole answer in time");
                try
                {
                    Task first = await Task.WhenAny(answer, Task.Delay(timeout, ended.Token)).ConfigureAwait(false);
                    ended.Cancel();
                    if (first == answer) return await answer.ConfigureAwait(false);
                }
                catch (Exception e)
                {
                    problem = e;
                }
                cancel.Cancel();
                var none = new Answer { Detail = DetailOf(problem) };
                string inner = problem.GetBaseException() == problem ? "" : " " + problem.GetBaseException().Message;
                Log(none.Detail, call + ": " + problem.GetType().Name + ": " + problem.Message + inner);
                _ = answer.ContinueWith(late => late.Exception, TaskContinuationOptions.OnlyOnFaulted);
                return none;
            }
        }

        private async Task<Answer> PostAsync(string path, string question, CancellationToken cancel)
        {
            Interlocked.Increment(ref uses);
            try
            {
                return await Send(path, question, cancel).ConfigureAwait(false);
            }
            finally
            {
                CloseUse();
            }
        }

        private async Task<Answer> Send(string path, string question, CancellationToken cancel)
        {
            var asked = new Uri(server + path);
            using (var request = new HttpRequestMessage(HttpMethod.Post, asked))
            {
                request.Content = new StringContent(question, Encoding.UTF8, "application/json");
                request.Headers.ExpectContinue = false;
                request.Headers.TryAddWithoutValidation("User-Agent", UserAgent);
                request.Headers.Accept.Add(new MediaTypeWithQualityHeaderValue("application/json"));
                HttpCompletionOption head = HttpCompletionOption.ResponseHeadersRead;
                using (var response = await http.SendAsync(request, head, cancel).ConfigureAwait(false))
                using (Stream body = await response.Content.ReadAsStreamAsync().ConfigureAwait(false))
                using (cancel.Register(response.Dispose))
                {
                    Uri answering = response.RequestMessage?.RequestUri;
                    if (answering != null && answering != asked) return new Answer { Status = (int)HttpStatusCode.Redirect };
                    string text = await Files.ReadTextAsync(body, MostBytes, false, cancel).ConfigureAwait(false);
                    Dictionary<string, object> json = Json.ReadObject(text);
                    var answer = new Answer { Status = (int)response.StatusCode, Token = json.Get("token") as string };
                    answer.Url = json.Get("url") as string;
                    answer.Body = json;
                    answer.RetryAfter = response.Headers.RetryAfter?.Delta?.TotalSeconds ?? 0;
                    var code = json.Get("code") as string;
                    if (code != null && Regex.IsMatch(code, "^[a-z_]{1,50}\\z") && !answer.IsNone) answer.Code = code;
                    return answer;
                }
            }
        }

        /// <summary>Which of the codes of sdk/README.md a failure of the network is, in the words of .NET or of mono.</summary>
        private string DetailOf(Exception problem)
        {
            if (problem is TimeoutException || problem is OperationCanceledException) return "timeout";
            for (Exception e = problem; e != null; e = e.InnerException)
            {
                if (e is AuthenticationException || e.GetType().Name.Contains("Tls")) return "tls";
                WebExceptionStatus status = e is WebException web ? web.Status : WebExceptionStatus.Success;
                if (status == WebExceptionStatus.TrustFailure || status == WebExceptionStatus.SecureChannelFailure) return "tls";
                if (status == WebExceptionStatus.Timeout) return "timeout";
                bool isRefused = status == WebExceptionStatus.ProxyNameResolutionFailure || e.Message.Contains("proxy tunnel");
                SocketError socket = e is SocketException code ? code.SocketErrorCode : SocketError.Success;
                bool isUnknown = status == WebExceptionStatus.NameResolutionFailure || socket == SocketError.HostNotFound
                    || socket == SocketError.TryAgain || socket == SocketError.NoData || socket == SocketError.NoRecovery;
                bool isFar = status == WebExceptionStatus.ConnectFailure || socket == SocketError.ConnectionRefused
                    || socket == SocketError.HostUnreachable || socket == SocketError.NetworkUnreachable;
                if (isRefused || ((isUnknown || isFar) && IsProxied())) return "proxy";
                if (isUnknown) return "dns";
            }
            return "unreachable";
        }

        private bool IsProxied()
        {
            var address = new Uri(server);
            IWebProxy proxy = WebRequest.DefaultWebProxy;
            return proxy != null && !proxy.IsBypassed(address) && proxy.GetProxy(address) != address;
        }

        // ------------------------------------------------------------ Judging a token (docs/offline.md)

        private const long AheadSeconds = 5 * 60;
        private const long BackSeconds = 24 * 60 * 60;

        /// <summary>What the program knows when it judges a token.</summary>
        internal sealed class Program
        {
            public readonly Dictionary<string, Es256> Keys;
            public readonly string Software, MachineId, KeyHash;
            /// <summary>The day on which this build came out; empty: nothing is asked of updates.</summary>
            public readonly string ReleasedOn;

            public Program(Dictionary<string, Es256> keys, string software, string machineId, string keyHash,
                string releasedOn)
            {
                ReleasedOn = releasedOn;
                Keys = keys;
                Software = software;
                MachineId = machineId;
                KeyHash = keyHash;
            }
        }

        /// <summary>What a token is worth: Error is null if it was accepted; Claims are there once its signature verifies.</summary>
        internal sealed class Verdict
        {
            public readonly string Error;
            public readonly Dictionary<string, object> Claims;
            public readonly long Mark;

            public Verdict(string error, Dictionary<string, object> claims, long mark)
            {
                Error = error;
                Claims = claims;
                Mark = mark;
            }

            public static Verdict Failed(string error) => new Verdict(error, null, 0);

            public bool Accepted => Error == null;

            public bool IsTimely => Accepted || Error == "expired";

            public bool Valid => true.Equals(Claims.Get("valid"));

            public string Reason => Claims.Get("reason") as string;

            public long Iat => SecondsOf(Claims.Get("iat")) ?? 0;

            /// <summary>Whether the server itself refused a build; a claim that ForBuild changed is valid for an older one.</summary>
            public static bool RefusesBuild(Dictionary<string, object> claims) =>
                !true.Equals(claims.Get("valid")) && "updates_ended".Equals(claims.Get("reason"));

            /// <summary>Whether this is such a refusal, of a newer build than that of this day.</summary>
            public bool IsForNewer(string releasedOn)
            {
                string until = Claims.Get("updates_until") as string ?? "";
                return Accepted && RefusesBuild(Claims) && Day.IsMatch(until) && string.CompareOrdinal(releasedOn, until) <= 0;
            }

            /// <summary>A refusal that was kept decides even after its end.</summary>
            public Verdict ButRefusalsLast()
            {
                return Error == "expired" && !Valid ? new Verdict(null, Claims, Mark) : this;
            }
        }

        /// <summary>The answer to a call that was just made with this nonce: validate, activate, heartbeat or release.</summary>
        internal static Verdict CheckFresh(string token, string call, string nonce, Program program)
        {
            Verdict signed = ReadSigned(token, call, program);
            if (!signed.Accepted) return signed;
            if (!nonce.Equals(signed.Claims.Get("nonce"))) return Verdict.Failed("nonce");
            return new Verdict(null, signed.Claims, signed.Iat);
        }

        /// <summary>A token that the program kept.</summary>
        internal static Verdict CheckStored(string token, Program program, Time time)
        {
            return CheckTime(ReadSigned(token, Stored, program), time);
        }

        /// <summary>Steps 12 to 14, for a token that was kept or stands in a file.</summary>
        private static Verdict CheckTime(Verdict signed, Time time)
        {
            if (!signed.Accepted) return signed;
            long now = time.Now;
            if (time.Back > BackSeconds || time.Clock < now - BackSeconds)
                return new Verdict("clock_back", signed.Claims, now);
            if (signed.Iat > now + AheadSeconds) return new Verdict("future", signed.Claims, now);
            string error = now < SecondsOf(signed.Claims.Get("exp")) ? null : "expired";
            return new Verdict(error, signed.Claims, now);
        }

        /// <summary>A licence file: a token between two lines, broken into lines.</summary>
        internal static Verdict CheckFile(string text, Program program, Time time)
        {
            return CheckTime(ReadFileToken(text, program), time);
        }

        private static Verdict ReadFileToken(string text, Program program)
        {
            return ReadSigned(FileToken(text), InFile, program);
        }

        /// <summary>The token in the text of a licence file, whatever stands around it; an empty text where there is none.</summary>
        private static string FileToken(string text)
        {
            const string begin = "-----BEGIN LICENSE FILE-----", end = "-----END LICENSE FILE-----";
            int from = text.IndexOf(begin, StringComparison.Ordinal);
            int to = from < 0 ? -1 : text.IndexOf(end, from, StringComparison.Ordinal);
            if (to < 0) return "";
            string lines = text.Substring(from + begin.Length, to - from - begin.Length);
            return new string(lines.Where(c => !IsBlank(c)).ToArray());
        }

        // A token stands as the answer to a call, or as one of these.
        private const string Stored = "stored";
        private const string InFile = "file";

        /// <summary>
        /// Whether a token may stand where it does. What is kept is the last word of a check, which a validation has
        /// only where it refuses.
        /// </summary>
        private static bool IsAnswerTo(string role, Dictionary<string, object> claims)
        {
            var call = claims.Get("call") as string;
            if (role != Stored) return call == role;
            return call == "activate" || call == "heartbeat" || (call == "validate" && !true.Equals(claims.Get("valid")));
        }

        /// <summary>Steps 1 to 11: what every token must pass.</summary>
        private static Verdict ReadSigned(string token, string role, Program program)
        {
            string[] parts = token.Split('.');
            Dictionary<string, object> header = parts.Length == 3 ? Json.ReadObject(Utf8(FromBase64Url(parts[0]))) : null;
            if (header == null) return Verdict.Failed("malformed");
            if (!"ES256".Equals(header.Get("alg"))) return Verdict.Failed("algorithm");
            string typ = role == InFile ? "license-file+jwt" : "license+jwt";
            if (!typ.Equals(header.Get("typ"))) return Verdict.Failed("type");
            var kid = header.Get("kid") as string;
            if (kid == null || !program.Keys.TryGetValue(kid, out Es256 key)) return Verdict.Failed("unknown_key");
            byte[] signed = Encoding.UTF8.GetBytes(parts[0] + "." + parts[1]);
            if (!key.Verifies(signed, FromBase64Url(parts[2]))) return Verdict.Failed("signature");
            Dictionary<string, object> claims = Json.ReadObject(Utf8(FromBase64Url(parts[1])));
            if (SecondsOf(claims.Get("iat")) == null || SecondsOf(claims.Get("exp")) == null) return Verdict.Failed("malformed");
            if (!program.Software.Equals(claims.Get("aud"))) return Verdict.Failed("audience");
            if (!Sha256(Trim(program.MachineId)).Equals(claims.Get("mid"))) return Verdict.Failed("machine");
            // Without these a relay answers with the server's own words about another key, or about another call.
            if (!program.KeyHash.Equals(claims.Get("key_hash"))) return Verdict.Failed("key_hash");
            if (!IsAnswerTo(role, claims)) return Verdict.Failed("call");
            if (true.Equals(claims.Get("valid")) && !true.Equals(claims.Get("seat"))) return Verdict.Failed("seat");
            return new Verdict(null, ForBuild(claims, program.ReleasedOn), 0);
        }

        /// <summary>A valid token refuses a build that came out after the last day of updates; older ones it lets run.</summary>
        private static Dictionary<string, object> ForBuild(Dictionary<string, object> claims, string releasedOn)
        {
            var until = claims.Get("updates_until") as string;
            bool isLater = !string.IsNullOrEmpty(until) && string.CompareOrdinal(releasedOn, until) > 0;
            if (!isLater || !true.Equals(claims.Get("valid"))) return claims;
            return Refusing(claims, "updates_ended");
        }

        private static Dictionary<string, object> Refusing(Dictionary<string, object> claims, string reason) =>
            new Dictionary<string, object>(claims) { ["valid"] = false, ["reason"] = reason };

        /// <summary>
        /// ECDSA on P-256 with SHA-256: the platform's, and where there is none, as in mono, the same in BigInteger.
        /// All numbers are public, so it need not take the same time for each.
        /// </summary>
        internal sealed class Es256
        {
            private static readonly BigInteger P = Hex("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff");
            private static readonly BigInteger B = Hex("5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b");
            private static readonly BigInteger N = Hex("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551");
            private static readonly Point G = new Point(
                Hex("6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"),
                Hex("4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"), 1);

            private readonly Point key;
            private readonly ECDsa platform; // null where there is none

            private Es256(Key given)
            {
                byte[] x = FromBase64Url(given.X), y = FromBase64Url(given.Y);
                key = new Point(Number(x), Number(y), 1);
                BigInteger right = key.X * key.X * key.X - 3 * key.X + B;
                if (x.Length != 32 || y.Length != 32 || key.X >= P || key.Y >= P || Mod(key.Y * key.Y - right, P) != 0)
                    throw new ArgumentException("Keys: " + given.Kid + " is no key of P-256");
                try
                {
                    platform = ECDsa.Create(new ECParameters
                    {
                        Curve = ECCurve.NamedCurves.nistP256,
                        Q = new ECPoint { X = x, Y = y },
                    });
                }
                catch (Exception)
                {
                    platform = null;
                }
            }

            public static Dictionary<string, Es256> All(IEnumerable<Key> keys)
            {
                return keys.ToDictionary(key => key.Kid, key => new Es256(key));
            }

            /// <summary>The signature is r and s, 32 bytes each, from 1 to n - 1.</summary>
            public bool Verifies(byte[] signed, byte[] signature)
            {
                if (signature.Length != 64) return false;
                BigInteger r = Number(signature.Take(32)), s = Number(signature.Skip(32));
                if (r < 1 || r >= N || s < 1 || s >= N) return false;
                byte[] hash;
                using (SHA256 sha = SHA256.Create()) hash = sha.ComputeHash(signed);
                try
                {
                    if (platform != null) lock (platform) return platform.VerifyHash(hash, signature);
                }
                catch (CryptographicException)
                {
                    // The platform did not judge; the numbers do.
                }
                return VerifiesByNumbers(hash, r, s);
            }

            private bool VerifiesByNumbers(byte[] hash, BigInteger r, BigInteger s)
            {
                BigInteger inverse = BigInteger.ModPow(s, N - 2, N);
                Point sum = Sum(Mod(Number(hash) * inverse, N), Mod(r * inverse, N));
                if (sum.IsInfinite) return false;
                BigInteger z = BigInteger.ModPow(sum.Z, P - 2, P);
                return Mod(Mod(sum.X * z * z, P), N) == r;
            }

            /// <summary>u·G + v·key, both bit by bit at once.</summary>
            private Point Sum(BigInteger u, BigInteger v)
            {
                Point both = Add(G, key), sum = new Point(1, 1, 0);
                for (int bit = 255; bit >= 0; bit--)
                {
                    sum = Double(sum);
                    bool isInU = !(u >> bit).IsEven, isInV = !(v >> bit).IsEven;
                    if (isInU || isInV) sum = Add(sum, isInU && isInV ? both : isInU ? G : key);
                }
                return sum;
            }

            /// <summary>A point in Jacobian coordinates: x = X/Z², y = Y/Z³; infinite where Z is 0.</summary>
            private struct Point
            {
                public readonly BigInteger X, Y, Z;

                public Point(BigInteger x, BigInteger y, BigInteger z) { X = x; Y = y; Z = z; }

                public bool IsInfinite => Z.IsZero;
            }

            private static Point Double(Point a)
            {
                BigInteger yy = Mod(a.Y * a.Y, P), zz = Mod(a.Z * a.Z, P), s = Mod(4 * a.X * yy, P);
                BigInteger m = Mod(3 * (a.X - zz) * (a.X + zz), P), x = Mod(m * m - 2 * s, P);
                return new Point(x, Mod(m * (s - x) - 8 * yy * yy, P), Mod(2 * a.Y * a.Z, P));
            }

            private static Point Add(Point a, Point b)
            {
                if (a.IsInfinite) return b;
                if (b.IsInfinite) return a;
                BigInteger za = Mod(a.Z * a.Z, P), zb = Mod(b.Z * b.Z, P);
                BigInteger ua = Mod(a.X * zb, P), sa = Mod(a.Y * zb * b.Z, P);
                BigInteger h = Mod(b.X * za - ua, P), r = Mod(b.Y * za * a.Z - sa, P);
                if (h.IsZero) return r.IsZero ? Double(a) : new Point(1, 1, 0);
                BigInteger hh = Mod(h * h, P), hhh = Mod(h * hh, P), v = Mod(ua * hh, P);
                BigInteger x = Mod(r * r - hhh - 2 * v, P);
                return new Point(x, Mod(r * (v - x) - sa * hhh, P), Mod(a.Z * b.Z * h, P));
            }

            private static BigInteger Mod(BigInteger a, BigInteger m)
            {
                BigInteger rest = BigInteger.Remainder(a, m);
                return rest.Sign < 0 ? rest + m : rest;
            }

            private static BigInteger Number(IEnumerable<byte> bigEndian)
            {
                return new BigInteger(bigEndian.Reverse().Concat(new byte[] { 0 }).ToArray());
            }

            private static BigInteger Hex(string digits) => BigInteger.Parse("0" + digits, NumberStyles.HexNumber);
        }

        // ------------------------------------------------------------ The store

        /// <summary>
        /// What the store holds: whose token it is (SHA-256 of the key), the token, beside the refusal of a newer build what
        /// was good before, and what is known of the time.
        /// </summary>
        internal sealed class Kept
        {
            public readonly string License, Token, Before;
            public readonly long? Mark, Issued;
            public readonly long Back, Leap;
            public readonly Times Times;

            public Kept(string license, string token, string before, long? mark, long back, long leap, long? issued,
                Times times)
            {
                License = license;
                Token = token;
                Before = before;
                Mark = mark;
                Back = back;
                Leap = leap;
                Issued = issued;
                Times = times;
            }

            internal sealed class Store
            {
                private readonly string path;
                private readonly Action<string, string> log;
                private volatile Kept unwritten; // used instead of the file until a write succeeds

                public Store(string given, Action<string, string> toLog) { path = given; log = toLog; }

                /// <summary>Why the last writing failed, or the reading of a file that exists.</summary>
                public string Error { get; private set; }

                /// <summary>A file that cannot be read counts as empty.</summary>
                public Kept Read()
                {
                    if (unwritten != null) return unwritten;
                    string text = "";
                    try
                    {
                        text = Files.ReadOrThrow(path, MostStore);
                    }
                    catch (Exception e)
                    {
                        if (!Files.IsMissing(e)) Failed(e);
                    }
                    return In(text);
                }

                /// <summary>The same for those who only look: a failure is not told.</summary>
                public Kept Peek() => unwritten ?? In(Files.Read(path, MostStore));

                private static Kept In(string text)
                {
                    Dictionary<string, object> json = Json.ReadObject(text);
                    var times = new Times(SecondsOf(json.Get("clock")), json.Get("run") as string, SecondsOf(json.Get("ticks")));
                    return new Kept(json.Get("license") as string ?? "", json.Get("token") as string ?? "",
                        json.Get("before") as string ?? "", SecondsOf(json.Get("mark")), SecondsOf(json.Get("back")) ?? 0,
                        SecondsOf(json.Get("leap")) ?? 0, SecondsOf(json.Get("issued")), times);
                }

                public void Write(Kept kept)
                {
                    var json = new Dictionary<string, object>
                    {
                        { "license", kept.License }, { "token", kept.Token }, { "mark", kept.Mark },
                        { "back", kept.Back }, { "leap", kept.Leap }, { "issued", kept.Issued },
                        { "clock", kept.Times.Clock }, { "run", kept.Times.Run ?? "" }, { "ticks", kept.Times.Ticks },
                    };
                    if (kept.Before != "") json["before"] = kept.Before;
                    unwritten = kept;
                    try
                    {
                        Files.Replace(path, Json.Write(json));
                        unwritten = null;
                        Error = null;
                    }
                    catch (Exception e)
                    {
                        Failed(e);
                    }
                }

                private void Failed(Exception e)
                {
                    Error = Directory.Exists(path) ? "failed" : Files.ProblemOf(e);
                    log("store_" + Error, path + ": " + e.GetType().Name + ": " + e.Message);
                }
            }
        }

        /// <summary>The licence file: its text, and why it has none.</summary>
        private sealed class LicenseFile
        {
            public string Text = "";
            public bool IsWanted;
            private string missing;

            public static LicenseFile Read(string path)
            {
                var file = new LicenseFile { IsWanted = !string.IsNullOrEmpty(path) };
                if (!file.IsWanted) return file;
                try
                {
                    file.Text = Files.ReadOrThrow(path, MostBytes, true);
                }
                catch (Exception e)
                {
                    file.missing = Files.IsMissing(e) ? "file_missing" : "file_unreadable";
                }
                return file;
            }

            /// <summary>Why the file does not count whose token was judged like this; null where it does, or none is wanted.</summary>
            public string Problem(Verdict signed)
            {
                if (!IsWanted || signed.Accepted || missing != null) return missing;
                switch (signed.Error)
                {
                    case "unknown_key": return "wrong_key";
                    case "audience": return "file_other_software";
                    case "machine": return "file_other_machine";
                    case "key_hash": return "file_other_key";
                    default: return "file_damaged";
                }
            }
        }

        private static class Files
        {
            /// <summary>Others may read, write and rename what is open here.</summary>
            private const FileShare Shared = FileShare.ReadWrite | FileShare.Delete;

            /// <summary>A file; empty where it cannot be read, or is longer than this.</summary>
            public static string Read(string path, int most = MostBytes)
            {
                try
                {
                    return ReadOrThrow(path, most);
                }
                catch (Exception)
                {
                    return "";
                }
            }

            /// <summary>At most so many bytes of a file; of a longer one those, or nothing.</summary>
            public static string ReadOrThrow(string path, int most = MostBytes, bool isCut = false)
            {
                using (var file = new FileStream(path, FileMode.Open, FileAccess.Read, Shared))
                    return ReadTextAsync(file, most, isCut, CancellationToken.None).GetAwaiter().GetResult();
            }

            /// <summary>
            /// Adds a line to a file which other processes add to and rename, in a folder that is made. False where it is
            /// longer than this.
            /// </summary>
            public static bool Append(string path, string line, long most)
            {
                // A line of its own even where the one before was torn.
                byte[] bytes = Encoding.UTF8.GetBytes("\n" + line + "\n");
                Directory.CreateDirectory(Path.GetDirectoryName(Path.GetFullPath(path)));
                for (int tries = 0; tries < 100; tries++)
                {
                    long from;
                    using (FileStream file = OpenAlone(path))
                    {
                        from = file.Seek(0, SeekOrigin.End);
                        if (from > most) return false;
                        file.Write(bytes, 0, bytes.Length);
                        file.Flush();
                    }
                    // Who sends the file gave it another name meanwhile, and may have read it before: once more, with the
                    // same id. Windows has no inodes, so the file of this name is asked for the line.
                    if (Holds(path, from, bytes)) return true;
                }
                throw new IOException("The file is renamed again and again.");
            }

            private static bool Holds(string path, long from, byte[] bytes)
            {
                try
                {
                    using (var file = new FileStream(path, FileMode.Open, FileAccess.Read, Shared))
                    {
                        file.Seek(from, SeekOrigin.Begin);
                        return bytes.All(one => file.ReadByte() == one);
                    }
                }
                catch (Exception e) when (IsMissing(e))
                {
                    return false;
                }
            }

            /// <summary>
            /// Opens a file that nobody else adds to before it is closed: .NET has no appending that is one step. The lock
            /// lies far behind the end, since on Windows nobody can read what is locked; macOS has none in .NET.
            /// </summary>
            private static FileStream OpenAlone(string path)
            {
                bool isMac = RuntimeInformation.IsOSPlatform(OSPlatform.OSX);
                for (int tries = 0; ; tries++)
                {
                    FileStream file = null;
                    try
                    {
                        file = new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, isMac ? FileShare.None : Shared);
                        if (!RuntimeInformation.IsOSPlatform(OSPlatform.OSX)) file.Lock(int.MaxValue, 1);
                        return file;
                    }
                    catch (IOException e)
                    {
                        // 32 and 33: in use, on Windows; 35 on macOS.
                        int number = e.HResult & 0xffff;
                        bool isBusy = file != null || number == 32 || number == 33 || (isMac && number == 35);
                        file?.Dispose();
                        if (!isBusy || tries == 1000) throw;
                        Thread.Sleep(2);
                    }
                }
            }

            public static bool IsMissing(Exception e) => e is FileNotFoundException || e is DirectoryNotFoundException;

            /// <summary>What hindered the writing, by the numbers of Windows, which mono has too, or of Linux and macOS.</summary>
            public static string ProblemOf(Exception e)
            {
                int number = e is IOException ? e.HResult & 0xffff : 0;
                bool isUnix = Path.DirectorySeparatorChar == '/';
                if (number == 0x70 || number == 0x27 || (isUnix && (number == 28 || number == 69 || number == 122))) return "full";
                return e is UnauthorizedAccessException || number == 19 || (isUnix && number == 30) ? "denied" : "failed";
            }

            /// <summary>At most so many bytes of a stream; of a longer one those, or nothing.</summary>
            public static async Task<string> ReadTextAsync(Stream stream, int most, bool isCut, CancellationToken cancel)
            {
                var buffer = new byte[16 * 1024];
                using (var all = new MemoryStream())
                {
                    int read;
                    do
                    {
                        read = await stream.ReadAsync(buffer, 0, buffer.Length, cancel).ConfigureAwait(false);
                        all.Write(buffer, 0, read);
                    } while (read > 0 && all.Length <= most);
                    return all.Length > most && !isCut ? "" : TextIn(all.GetBuffer(), (int)Math.Min(most, all.Length));
                }
            }

            /// <summary>UTF-8, or UTF-16 with a byte order mark (what Notepad calls Unicode); the mark is left out.</summary>
            private static string TextIn(byte[] bytes, int count)
            {
                bool isPair = count >= 2, isBig = isPair && bytes[0] == 0xfe && bytes[1] == 0xff;
                bool isLittle = isPair && bytes[0] == 0xff && bytes[1] == 0xfe;
                Encoding coding = isBig ? Encoding.BigEndianUnicode : isLittle ? Encoding.Unicode : Encoding.UTF8;
                string text = coding.GetString(bytes, 0, count);
                return text.StartsWith("\uFEFF", StringComparison.Ordinal) ? text.Substring(1) : text;
            }

            /// <summary>Writes a second file and renames it, so that a reader sees the old one or the new one. Makes the folder.</summary>
            public static void Replace(string path, string text)
            {
                string second = path + "." + ToHex(RandomBytes(8)) + ".tmp";
                Directory.CreateDirectory(Path.GetDirectoryName(Path.GetFullPath(path)));
                try
                {
                    byte[] bytes = Encoding.UTF8.GetBytes(text);
                    using (var file = new FileStream(second, FileMode.CreateNew, FileAccess.Write))
                    {
                        file.Write(bytes, 0, bytes.Length);
                        file.Flush(true);
                    }
                    if (File.Exists(path)) File.Replace(second, path, null);
                    else File.Move(second, path);
                }
                catch (Exception)
                {
                    try { File.Delete(second); } catch (Exception) { /* nothing more can be done */ }
                    throw;
                }
            }
        }

        // ------------------------------------------------------------ The time (docs/offline.md, The clock)

        /// <summary>What a start counts whose clock is not later than at the last check.</summary>
        private const long StartSeconds = 10 * 60;

        /// <summary>The clock of the computer, and a counter of seconds that nobody sets. Numbers of one run can be compared.</summary>
        internal sealed class Times
        {
            public readonly long? Clock, Ticks;
            public readonly string Run;

            public Times(long? clock, string run, long? ticks) { Clock = clock; Run = run; Ticks = ticks; }
        }

        /// <summary>
        /// The counter is that of the system since it was started. Linux has it in a file, which a faked clock of the
        /// process does not reach.
        /// </summary>
        private Times TimesNow()
        {
            long clock = options.Clock();
            if (options.Uptime != null) return new Times(clock, "given", options.Uptime());
            string boot = Trim(Files.Read("/proc/sys/kernel/random/boot_id"));
            Match uptime = Regex.Match(Files.Read("/proc/uptime"), "^[0-9]{1,15}");
            if (boot != "" && uptime.Success) return new Times(clock, boot, long.Parse(uptime.Value));
            return new Times(clock, "system", Stopwatch.GetTimestamp() / Stopwatch.Frequency);
        }

        /// <summary>
        /// What the program knows of the time. Least is the mark with the time that was measured since, null where there
        /// is no mark; Back and leap are the seconds of the clock's steps back and ahead.
        /// </summary>
        internal sealed class Time
        {
            public readonly long Clock, Back;
            public readonly long? Least;
            public readonly long Missed; // seconds that passed and the clock does not say
            private readonly long leap;

            public Time(long clock, long? least, long back = 0, long ahead = 0, long missed = 0)
            {
                Clock = clock;
                Least = least;
                Back = back;
                leap = ahead;
                Missed = missed;
            }

            public static Time Of(Kept kept, long? mark, Times now)
            {
                Times then = kept.Times;
                long clock = now.Clock.Value;
                bool isMeasured = then.Run == now.Run && now.Ticks >= then.Ticks;
                bool standsStill = !isMeasured && clock <= then.Clock;
                long passed = isMeasured ? now.Ticks.Value - then.Ticks.Value : standsStill ? StartSeconds : 0;
                long back = Math.Max(0, (then.Clock ?? clock) - clock);
                long missed = then.Clock == null ? 0 : passed - (clock - then.Clock.Value);
                return new Time(clock, mark + passed, kept.Back + back, kept.Leap, missed);
            }

            public long Now => Math.Max(Clock, Least ?? Clock);

            /// <summary>
            /// The same without the leaps of the clock, where a file needs that and was issued after every token that
            /// decided before. No time comes back that was lived through: the mark without its leaps stays.
            /// </summary>
            public Time ByFile(Verdict inFile, long? issued)
            {
                bool isNewer = inFile.Accepted && inFile.Iat > (issued ?? -1);
                if (!isNewer || CheckTime(inFile, this).Accepted) return this;
                var anew = new Time(Clock, Math.Max(inFile.Iat, (Least ?? inFile.Iat) - leap));
                return CheckTime(inFile, anew).Accepted ? anew : this;
            }

            /// <summary>What is kept after a check. The best one decided, if it was accepted.</summary>
            public Kept After(Kept kept, Times times, Verdict best, Verdict first)
            {
                long ahead = Now - (Least ?? first.Iat);
                bool isNewer = best.Accepted && best.Iat > (kept.Issued ?? -1);
                return new Kept(kept.License, kept.Token, kept.Before, Now, isNewer ? 0 : Back,
                    leap + (ahead > BackSeconds ? ahead : 0), isNewer ? best.Iat : kept.Issued, times);
            }
        }

        // ------------------------------------------------------------ The machine

        /// <summary>What identifies this computer. Never a network address.</summary>
        internal static class Machine
        {
            /// <summary>SHA-256 of the system's own id, the software and the instance; where there is none, digits beside the store.</summary>
            public static string Id(string software, string instance, string store)
            {
                string system = SystemId(), more = instance == "" ? "" : "\n" + instance;
                if (system != "") return Sha256(system + "\n" + software + more);
                string path = store + ".machine", digits = Trim(Files.Read(path));
                if (!Regex.IsMatch(digits, "^[0-9a-f]{32}\\z"))
                {
                    digits = ToHex(RandomBytes(16));
                    try { Files.Replace(path, digits); } catch (Exception) { /* the check says so of the store */ }
                }
                return more == "" ? digits : Sha256(digits + "\n" + software + more);
            }

            private static string SystemId()
            {
                if (RuntimeInformation.IsOSPlatform(OSPlatform.Windows))
                {
                    try
                    {
                        using (var all = RegistryKey.OpenBaseKey(RegistryHive.LocalMachine, RegistryView.Registry64))
                        using (var key = all.OpenSubKey("SOFTWARE\\Microsoft\\Cryptography"))
                            return Trim(key?.GetValue("MachineGuid") as string);
                    }
                    catch (Exception)
                    {
                        return "";
                    }
                }
                if (RuntimeInformation.IsOSPlatform(OSPlatform.OSX))
                {
                    string all = Run("/usr/sbin/ioreg", "-rd1 -c IOPlatformExpertDevice");
                    return Regex.Match(all, "\"IOPlatformUUID\" = \"([^\"]+)\"").Groups[1].Value;
                }
                foreach (string path in new[] { "/etc/machine-id", "/var/lib/dbus/machine-id" })
                {
                    string id = Trim(Files.Read(path));
                    if (id != "" && id != "uninitialized") return id;
                }
                return "";
            }

            /// <summary>The system's name and version, at most 100 characters.</summary>
            public static string System() => Line(RuntimeInformation.OSDescription, 100);

            public static string Name()
            {
                try
                {
                    return Line(Environment.MachineName, 200);
                }
                catch (InvalidOperationException)
                {
                    return "";
                }
            }

            private static string Line(string text, int most)
            {
                return Cut(Trim(new string(text.Select(c => char.IsControl(c) ? ' ' : c).ToArray())), most);
            }

            /// <summary>At most so many characters; half of a pair, which is one, never remains.</summary>
            public static string Cut(string text, int most)
            {
                int end = 0;
                for (; end < text.Length && most > 0; most--) end += char.IsSurrogatePair(text, end) ? 2 : 1;
                return text.Substring(0, end);
            }

            private static string Run(string command, string arguments)
            {
                try
                {
                    var start = new ProcessStartInfo(command, arguments) { RedirectStandardOutput = true, UseShellExecute = false };
                    using (Process process = Process.Start(start)) return process.StandardOutput.ReadToEnd();
                }
                catch (Exception)
                {
                    return "";
                }
            }
        }

        // ------------------------------------------------------------ Texts

        /// <summary>The texts for the program's user (sdk/messages.json).</summary>
        private static class Texts
        {
            public static readonly Dictionary<string, string> Es = new Dictionary<string, string>
            {
                { "not_found", "La licencia no existe. Hay que revisar la clave, o pedirla de nuevo al proveedor." },
                { "wrong_software", "La clave es de otro programa. Hay que escribir la clave de este, o pedirla " +
                    "al proveedor." },
                { "inactive", "La licencia no está activa. Para activarla hay que comunicarse con el proveedor." },
                { "suspended", "La licencia está suspendida. Para usarla de nuevo hay que comunicarse con el " +
                    "proveedor." },
                { "cancelled", "La licencia está cancelada. Para seguir con el programa hay que comunicarse con " +
                    "el proveedor." },
                { "expired", "La licencia venció. Para seguir con el programa hay que renovarla con el proveedor." },
                { "expired_offline", "La licencia venció. Hay que renovarla con el proveedor; si ya se " +
                    "renovó, basta conectar el equipo a internet una vez." },
                { "updates_ended", "La licencia no incluye esta versión del programa. Hay que instalar una versión " +
                    "anterior, o renovar las actualizaciones con el proveedor." },
                { "installation_limit", "La licencia ya se usa en todos los equipos que permite. Hay que liberar " +
                    "un lugar en otro equipo, o pedir más lugares al proveedor." },
                { "not_activated", "Este equipo no tiene lugar en la licencia. Hay que abrir el programa con " +
                    "conexión a internet, o comunicarse con el proveedor." },
                { "no_connection", "No hay conexión con el servidor de licencias. Hay que conectar el equipo a " +
                    "internet e intentar de nuevo." },
                { "unverified", "La respuesta no viene del servidor de licencias. Hay que revisar la red de este " +
                    "equipo, o comunicarse con el proveedor." },
                { "offline_expired", "Terminó el tiempo para trabajar sin conexión. Hay que conectar el equipo a " +
                    "internet una vez, o pedir al proveedor un archivo de licencia nuevo." },
                { "offline_expired_because", "Terminó el tiempo para trabajar sin conexión." },
                { "clock_back", "El reloj de este equipo no es correcto. Hay que corregir la fecha y la hora, " +
                    "conectar el equipo a internet una vez, o pedir al proveedor un archivo de licencia nuevo." },
                { "future", "La fecha de este equipo es anterior a la de la licencia. Hay que corregir la fecha " +
                    "y la hora del equipo." },
                { "unknown", "La licencia no permite usar el programa ({reason}). Hay que comunicarse con el " +
                    "proveedor." },
                { "detail_dns", "No se encuentra la dirección del servidor de licencias. Hay que revisar la " +
                    "conexión a internet de este equipo y su servidor DNS." },
                { "detail_tls", "No se pudo abrir una conexión segura con el servidor de licencias. Hay que " +
                    "revisar la fecha y la hora de este equipo, y si un antivirus o un proxy vigila la conexión; " +
                    "si todo está bien, avisar al proveedor." },
                { "detail_proxy", "El proxy de la red no deja llegar al servidor de licencias. Hay que revisar " +
                    "la configuración del proxy, o pedir ayuda a quien administra la red." },
                { "detail_timeout", "El servidor de licencias no respondió a tiempo. Hay que intentar de nuevo " +
                    "en unos minutos, y revisar la conexión a internet si se repite." },
                { "detail_unreachable", "No hay conexión con el servidor de licencias. Hay que revisar la " +
                    "conexión a internet y el cortafuegos de este equipo." },
                { "detail_rate_limited", "El servidor de licencias recibió demasiadas preguntas. Hay que esperar " +
                    "un minuto e intentar de nuevo." },
                { "detail_server_error", "El servidor de licencias tiene una falla o está en mantenimiento. Hay " +
                    "que intentar de nuevo en unos minutos, y avisar al proveedor si se repite." },
                { "detail_not_the_server", "La respuesta no viene del servidor de licencias. Hay que iniciar " +
                    "sesión en la red si lo pide, y revisar el proxy o el antivirus de este equipo." },
                { "detail_wrong_key", "El programa no reconoce la firma del servidor de licencias. Hay que " +
                    "instalar la última versión del programa, o avisar al proveedor." },
                { "detail_key_signs", "La clave no existe. Las claves no llevan los signos 0, O, 1 ni I: hay " +
                    "que compararla letra por letra con la del correo." },
                { "detail_file_missing", "No se encuentra el archivo de licencia. Hay que copiarlo a su lugar, o " +
                    "pedirlo al proveedor." },
                { "detail_file_unreadable", "El archivo de licencia no se puede leer. Hay que revisar los " +
                    "permisos del archivo y de su carpeta." },
                { "detail_file_damaged", "El archivo de licencia está dañado o incompleto. Hay que copiarlo otra " +
                    "vez, o pedirlo de nuevo al proveedor." },
                { "detail_file_other_machine", "El archivo de licencia es de otro equipo. Hay que pedir al " +
                    "proveedor uno para este equipo." },
                { "detail_file_other_software", "El archivo de licencia es de otro programa. Hay que pedir al " +
                    "proveedor el de este programa." },
                { "detail_file_other_key", "El archivo de licencia es de otra clave. Hay que escribir la clave " +
                    "del archivo, o pedir al proveedor uno para esta clave." },
                { "store_denied", "El programa no tiene permiso para guardar la licencia en este equipo, y sin " +
                    "eso no funciona sin conexión. Hay que revisar los permisos de su carpeta de datos." },
                { "store_full", "El disco está lleno: el programa no puede guardar la licencia, y sin eso no " +
                    "funciona sin conexión. Hay que liberar espacio." },
                { "store_failed", "El programa no puede guardar la licencia en este equipo, y sin eso no " +
                    "funciona sin conexión. Hay que revisar su carpeta de datos." },
                { "offline_ends", "El programa trabaja sin conexión y dejará de funcionar en {hours} h. Antes " +
                    "hay que conectar el equipo a internet, o pedir al proveedor un archivo de licencia nuevo." },
                { "offline_ends_because", "El programa trabaja sin conexión y dejará de funcionar en {hours} h." },
                { "grace", "La licencia venció y el programa dejará de funcionar pronto. Hay que renovarla con " +
                    "el proveedor." },
                { "grace_days", "La licencia venció y el programa dejará de funcionar en {days} días. Hay que " +
                    "renovarla con el proveedor." },
            };

            public static readonly Dictionary<string, string> En = new Dictionary<string, string>
            {
                { "not_found", "The licence does not exist. Check the key, or ask the vendor for it again." },
                { "wrong_software", "The key is for another program. Enter the key of this one, or ask the " +
                    "vendor for it." },
                { "inactive", "The licence is not active. Contact the vendor to have it activated." },
                { "suspended", "The licence is suspended. Contact the vendor to use it again." },
                { "cancelled", "The licence is cancelled. Contact the vendor to go on with the program." },
                { "expired", "The licence has expired. Renew it with the vendor to go on with the program." },
                { "expired_offline", "The licence has expired. Renew it with the vendor; if it was renewed, " +
                    "connect the computer to the internet once." },
                { "updates_ended", "The licence does not include this version of the program. Install an earlier " +
                    "version, or renew the updates with the vendor." },
                { "installation_limit", "The licence is in use on all the computers that it allows. Free a seat " +
                    "on another computer, or ask the vendor for more." },
                { "not_activated", "This computer has no seat in the licence. Open the program with an internet " +
                    "connection, or contact the vendor." },
                { "no_connection", "There is no connection to the licence server. Connect the computer to the " +
                    "internet and try again." },
                { "unverified", "The answer does not come from the licence server. Check the network of this " +
                    "computer, or contact the vendor." },
                { "offline_expired", "The time for working without a connection is over. Connect the computer to " +
                    "the internet once, or ask the vendor for a new licence file." },
                { "offline_expired_because", "The time for working without a connection is over." },
                { "clock_back", "The clock of this computer is not right. Set the date and the time, connect the " +
                    "computer to the internet once, or ask the vendor for a new licence file." },
                { "future", "The date of this computer is earlier than that of the licence. Set the date and the " +
                    "time of the computer." },
                { "unknown", "The licence does not allow the use of the program ({reason}). Contact the vendor." },
                { "detail_dns", "The address of the licence server cannot be found. Check the internet " +
                    "connection of this computer and its DNS server." },
                { "detail_tls", "No secure connection to the licence server could be opened. Check the date and " +
                    "the time of this computer, and whether an antivirus or a proxy watches the connection; if " +
                    "all is well, tell the vendor." },
                { "detail_proxy", "The proxy of the network does not let the program reach the licence server. " +
                    "Check the settings of the proxy, or ask whoever runs the network." },
                { "detail_timeout", "The licence server did not answer in time. Try again in a few minutes, and " +
                    "check the internet connection if it happens again." },
                { "detail_unreachable", "There is no connection to the licence server. Check the internet " +
                    "connection and the firewall of this computer." },
                { "detail_rate_limited", "The licence server was asked too often. Wait a minute and try again." },
                { "detail_server_error", "The licence server has a fault or is under maintenance. Try again in a " +
                    "few minutes, and tell the vendor if it happens again." },
                { "detail_not_the_server", "The answer does not come from the licence server. Sign in to the " +
                    "network if it asks for that, and check the proxy or the antivirus of this computer." },
                { "detail_wrong_key", "The program does not know the signature of the licence server. Install " +
                    "the latest version of the program, or tell the vendor." },
                { "detail_key_signs", "The key does not exist. Keys have no 0, O, 1 or I: compare it letter " +
                    "by letter with the one in the mail." },
                { "detail_file_missing", "The licence file cannot be found. Copy it to its place, or ask the " +
                    "vendor for it." },
                { "detail_file_unreadable", "The licence file cannot be read. Check the permissions of the file " +
                    "and of its folder." },
                { "detail_file_damaged", "The licence file is damaged or not complete. Copy it once more, or ask " +
                    "the vendor for it again." },
                { "detail_file_other_machine", "The licence file is for another computer. Ask the vendor for one " +
                    "for this computer." },
                { "detail_file_other_software", "The licence file is for another program. Ask the vendor for the " +
                    "one of this program." },
                { "detail_file_other_key", "The licence file is for another key. Enter the key of the file, or " +
                    "ask the vendor for one for this key." },
                { "store_denied", "The program may not save the licence on this computer, and without that it " +
                    "does not work without a connection. Check the permissions of its data folder." },
                { "store_full", "The disk is full: the program cannot save the licence, and without that it does " +
                    "not work without a connection. Free some space." },
                { "store_failed", "The program cannot save the licence on this computer, and without that it " +
                    "does not work without a connection. Check its data folder." },
                { "offline_ends", "The program works without a connection and will stop in {hours} h. Before " +
                    "that connect the computer to the internet, or ask the vendor for a new licence file." },
                { "offline_ends_because", "The program works without a connection and will stop in {hours} h." },
                { "grace", "The licence has expired and the program will stop soon. Renew it with the vendor." },
                { "grace_days", "The licence has expired and the program will stop in {days} days. Renew it with " +
                    "the vendor." },
            };
        }

        // ------------------------------------------------------------ Small tools

        /// <summary>A blank as the server sees it.</summary>
        private static bool IsBlank(char c) => (c >= '\t' && c <= '\r') || c == '\uFEFF' || char.IsSeparator(c);

        internal static string Trim(string text)
        {
            int from = 0, to = text == null ? 0 : text.Length;
            while (from < to && IsBlank(text[from])) from++;
            while (from < to && IsBlank(text[to - 1])) to--;
            return from < to ? text.Substring(from, to - from) : "";
        }

        private static string Sha256(string text)
        {
            using (SHA256 sha = SHA256.Create()) return ToHex(sha.ComputeHash(Encoding.UTF8.GetBytes(text)));
        }

        /// <summary>Of the printable ASCII of a key but its hyphens, in capitals: the same however the key is typed.</summary>
        internal static string HashOfKey(string key) => Sha256(CountedOf(key));

        private static string CountedOf(string key) =>
            string.Concat(key.Where(c => c >= '!' && c <= '~' && c != '-')).ToUpperInvariant();

        private static string ToHex(byte[] bytes) => string.Concat(bytes.Select(b => b.ToString("x2")));

        private static byte[] RandomBytes(int count)
        {
            var bytes = new byte[count];
            using (RandomNumberGenerator source = RandomNumberGenerator.Create()) source.GetBytes(bytes);
            return bytes;
        }

        private static string Utf8(byte[] bytes) => Encoding.UTF8.GetString(bytes);

        /// <summary>The bytes; none where the text has padding or a letter outside the alphabet.</summary>
        private static byte[] FromBase64Url(string text)
        {
            bool isClean = text != null && Regex.IsMatch(text, "^[A-Za-z0-9_-]*\\z") && text.Length % 4 != 1;
            if (!isClean) return new byte[0];
            string padding = new string('=', (4 - text.Length % 4) % 4);
            return Convert.FromBase64String(text.Replace('-', '+').Replace('_', '/') + padding);
        }

        /// <summary>A whole number from 0 to 2^53 - 1, else null.</summary>
        private static long? SecondsOf(object value)
        {
            double seconds = value is long whole ? whole : value is double number ? number : -1;
            return seconds >= 0 && seconds < 1L << 53 && seconds == Math.Floor(seconds) ? (long?)seconds : null;
        }

        private static readonly Regex InstantForm = new Regex(
            "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})\\z");

        /// <summary>An instant as it stands in a token; null for anything else.</summary>
        internal static DateTimeOffset? InstantOf(object value)
        {
            const DateTimeStyles utc = DateTimeStyles.AssumeUniversal;
            bool isOne = value is string text && InstantForm.IsMatch(text);
            bool isRead = DateTimeOffset.TryParse(isOne ? (string)value : "", CultureInfo.InvariantCulture, utc, out DateTimeOffset instant);
            return isRead ? (DateTimeOffset?)instant : null;
        }
    }

    internal static class Members
    {
        /// <summary>The member of this name; null where there is none, and where there is no object.</summary>
        public static object Get(this Dictionary<string, object> json, string name)
        {
            return json != null && json.TryGetValue(name, out object value) ? value : null;
        }
    }

    /// <summary>JSON: objects are Dictionary, arrays List, numbers long or double. System.Text.Json is missing in mono.</summary>
    internal sealed class Json
    {
        private const int Deepest = 64;
        private static readonly Regex NumberForm = new Regex("\\G-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

        private readonly string text;
        private int at;

        private Json(string given) { text = given; }

        /// <summary>The object that this text holds, or null.</summary>
        public static Dictionary<string, object> ReadObject(string text)
        {
            try
            {
                return Read(text) as Dictionary<string, object>;
            }
            catch (FormatException)
            {
                return null;
            }
        }

        /// <exception cref="FormatException">For a text that is no JSON, or is nested too deeply.</exception>
        public static object Read(string text)
        {
            var json = new Json(text);
            object value = json.Value(0);
            if (json.Next() != '\0' || json.at < text.Length) throw json.Wrong();
            return value;
        }

        private FormatException Wrong() => new FormatException("no JSON at " + at);

        /// <summary>The next character that is no blank, without taking it; '\0' at the end.</summary>
        private char Next()
        {
            while (at < text.Length && " \t\r\n".IndexOf(text[at]) >= 0) at++;
            return at < text.Length ? text[at] : '\0';
        }

        private bool Takes(string expected)
        {
            Next();
            bool isThere = string.CompareOrdinal(text, at, expected, 0, expected.Length) == 0;
            if (isThere) at += expected.Length;
            return isThere;
        }

        private object Value(int depth)
        {
            if (depth > Deepest) throw Wrong();
            if (Takes("{")) return ReadMembers(depth + 1);
            if (Takes("[")) return ReadElements(depth + 1);
            if (Next() == '"') return ReadText();
            if (Takes("true")) return true;
            if (Takes("false")) return false;
            if (Takes("null")) return null;
            return ReadNumber();
        }

        private Dictionary<string, object> ReadMembers(int depth)
        {
            var all = new Dictionary<string, object>();
            if (Takes("}")) return all;
            do
            {
                string name = ReadText();
                if (!Takes(":")) throw Wrong();
                all[name] = Value(depth);
            } while (Takes(","));
            if (!Takes("}")) throw Wrong();
            return all;
        }

        private List<object> ReadElements(int depth)
        {
            var all = new List<object>();
            if (Takes("]")) return all;
            do all.Add(Value(depth)); while (Takes(","));
            if (!Takes("]")) throw Wrong();
            return all;
        }

        private string ReadText()
        {
            var result = new StringBuilder();
            if (!Takes("\"")) throw Wrong();
            while (at < text.Length)
            {
                char c = text[at++];
                if (c == '"') return result.ToString();
                if (c < ' ') break;
                result.Append(c == '\\' ? ReadEscaped() : c);
            }
            throw Wrong();
        }

        private char ReadEscaped()
        {
            char c = at < text.Length ? text[at++] : '\0';
            int simple = "\"\\/bfnrt".IndexOf(c);
            if (simple >= 0) return "\"\\/\b\f\n\r\t"[simple];
            if (c != 'u' || at + 4 > text.Length) throw Wrong();
            string digits = text.Substring(at, 4);
            if (!Regex.IsMatch(digits, "^[0-9a-fA-F]{4}\\z")) throw Wrong();
            at += 4;
            return (char)int.Parse(digits, NumberStyles.HexNumber, CultureInfo.InvariantCulture);
        }

        private object ReadNumber()
        {
            Match match = NumberForm.Match(text, at);
            if (!match.Success) throw Wrong();
            at += match.Length;
            bool isWhole = !match.Groups[2].Success && !match.Groups[3].Success && match.Length <= 18;
            if (isWhole) return long.Parse(match.Value, CultureInfo.InvariantCulture);
            bool fits = double.TryParse(match.Value, NumberStyles.Float, CultureInfo.InvariantCulture, out double number);
            return fits ? number : double.PositiveInfinity;
        }

        public static string Write(object value)
        {
            if (value == null) return "null";
            if (value is bool) return (bool)value ? "true" : "false";
            if (value is string) return WriteText((string)value);
            if (value is IEnumerable<KeyValuePair<string, object>> members)
                return "{" + string.Join(",", members.Select(m => WriteText(m.Key) + ":" + Write(m.Value))) + "}";
            if (value is IEnumerable<object> elements) return "[" + string.Join(",", elements.Select(Write)) + "]";
            return Convert.ToString(value, CultureInfo.InvariantCulture);
        }

        private static string WriteText(string line)
        {
            var result = new StringBuilder("\"");
            foreach (char c in line)
            {
                bool isPlain = c >= ' ' && c < 127 && c != '"' && c != '\\';
                result.Append(isPlain ? c.ToString() : "\\u" + ((int)c).ToString("x4"));
            }
            return result.Append('"').ToString();
        }
    }
}

#if !NETCOREAPP3_0_OR_GREATER && !NETSTANDARD2_1_OR_GREATER
namespace System.Diagnostics.CodeAnalysis
{
    /// <summary>The compiler knows it by its name; older platforms have none.</summary>
    [AttributeUsage(AttributeTargets.Property | AttributeTargets.Parameter)]
    internal sealed class AllowNullAttribute : Attribute { }

    /// <summary>The same.</summary>
    [AttributeUsage(AttributeTargets.Property | AttributeTargets.ReturnValue)]
    internal sealed class MaybeNullAttribute : Attribute { }
}
#endif
