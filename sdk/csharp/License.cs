using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Numerics;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Win32;

namespace LicenseManager
{
    /// <summary>
    /// Asks the server whether a licence holds on this computer, and answers without connection from what it kept.
    /// <code>
    /// var license = new License(new License.Options { Server = …, Software = …, Keys = …, Store = … });
    /// var result = license.Check(key);
    /// if (!result.Ok) ExplainAndStop(result.Reason);
    /// if (license.Has("modulo_nomina")) OpenPayroll();
    /// </code>
    /// The SDKs of all languages do the same in the same order: sdk/README.md describes it, docs/offline.md the token.
    /// One License may be used by several threads; their calls of Check and Release wait for one another.
    /// </summary>
    public sealed class License
    {
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
            /// <summary>A file that the program may write; the SDK keeps the last answer in it.</summary>
            public string Store { get; set; }
            /// <summary>The path of a licence file (.lic), which need not exist.</summary>
            public string File { get; set; }
            /// <summary>An id of this computer other than that of its system.</summary>
            public string MachineId { get; set; }
            /// <summary>A name of this computer other than its own.</summary>
            public string MachineName { get; set; }
            /// <summary>The version of the program, which the server counts.</summary>
            public string AppVersion { get; set; }
            /// <summary>Seconds for each call to the server.</summary>
            public double Timeout { get; set; } = 5;
            /// <summary>For tests: gives the seconds since 1970.</summary>
            public Func<long> Clock { get; set; } = () => DateTimeOffset.UtcNow.ToUnixTimeSeconds();
            /// <summary>For tests: gives the seconds of a counter that nobody sets.</summary>
            public Func<long> Uptime { get; set; }
        }

        /// <summary>Whether the program may run.</summary>
        public sealed class Result
        {
            /// <summary>Whether it may.</summary>
            public bool Ok { get; }
            /// <summary>Null when Ok, else a reason of the server or of the SDK (sdk/README.md lists them).</summary>
            public string Reason { get; }
            /// <summary>Whether this comes from what was kept, or from a file.</summary>
            public bool Offline { get; }
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
            public string Type { get; internal set; }
            /// <summary>The licence's status, such as active; null where nobody said it.</summary>
            public string Status { get; internal set; }
            /// <summary>When to check again.</summary>
            public TimeSpan NextCheck { get; internal set; } = TimeSpan.FromHours(1);
            /// <summary>The last day of updates, such as 2027-01-31; null where the server says none.</summary>
            public string UpdatesUntil { get; internal set; }

            internal Result(bool ok, string reason, bool offline, long? daysLeft, Dictionary<string, object> features)
            {
                Ok = ok;
                Reason = reason;
                Offline = offline;
                DaysLeft = daysLeft;
                Features = features ?? new Dictionary<string, object>();
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
        };

        private readonly Options options;
        private readonly string server, machineId, machineName;
        private readonly Dictionary<string, Es256> keys;
        private readonly Kept.Store store;
        private readonly TimeSpan timeout;
        private readonly HttpClient http;
        private readonly object calls = new object();
        private volatile Result last = Refused("no_connection", false);

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
            keys = Es256.All(given.Keys);
            server = given.Server.TrimEnd('/');
            store = new Kept.Store(given.Store);
            machineId = Trim(given.MachineId);
            if (machineId == "") machineId = Machine.Id(given.Software, given.Store);
            machineName = string.IsNullOrEmpty(given.MachineName) ? Machine.Name() : given.MachineName;
            timeout = TimeSpan.FromSeconds(given.Timeout);
            http = new HttpClient(new HttpClientHandler { AllowAutoRedirect = false, UseCookies = false })
            {
                Timeout = timeout,
            };
        }

        /// <summary>The id of this computer for this software, which a licence file is issued for.</summary>
        public string MachineId() => machineId;

        /// <summary>
        /// Whether the licence of this key holds on this computer. Never throws; asks the server twice at most. Without
        /// a key the licence file decides, and the server is not asked.
        /// It waits for the answers, so a program with windows calls it outside of their thread.
        /// </summary>
        public Result Check(string key)
        {
            lock (calls)
            {
                try
                {
                    last = Judge(Trim(key));
                }
                catch (Exception)
                {
                    last = Refused("no_connection", true); // such as a clock of the program that throws
                }
                return last;
            }
        }

        /// <summary>Whether the last check was ok and the licence has this code with a value other than false.</summary>
        public bool Has(string code)
        {
            Result result = last;
            object value = null;
            bool isThere = result.Ok && code != null && result.Features.TryGetValue(code, out value);
            return isThere && value != null && !false.Equals(value);
        }

        /// <summary>Gives the seat back. True when the server signed that this computer has none now; never throws.</summary>
        public bool Release(string key)
        {
            lock (calls)
            {
                try
                {
                    var question = new Dictionary<string, object>();
                    if (!Ask("release", Trim(key), question).Says("not_activated")) return false;
                    Kept old = store.Read();
                    store.Write(new Kept("", "", MarkOf(ProgramOf(Trim(key)), old), old.Back, old.Leap, old.Issued, old.Times));
                    last = Refused("not_activated", false);
                    return true;
                }
                catch (Exception)
                {
                    return false;
                }
            }
        }

        private Result Judge(string key)
        {
            if (key == "") return ByFile();
            Answer answer = Ask("validate", key, new Dictionary<string, object> { { "require_seat", true } });
            if (answer.Says("not_activated"))
            {
                Dictionary<string, object> more = AboutProgram();
                if (machineName != "") more["machine_name"] = machineName;
                answer = Ask("activate", key, more);
            }
            else if (answer.Verdict != null && answer.Verdict.Valid)
            {
                answer = Ask("heartbeat", key, AboutProgram());
            }
            Verdict verdict = answer.Verdict;
            if (verdict == null) return WithoutConnection(ProgramOf(key), answer);
            store.Write(new Kept(HashOfKey(key), answer.Token, verdict.Mark, 0, 0, verdict.Mark, TimesNow()));
            return ResultOf(verdict, false);
        }

        /// <summary>Takes the key's hash from the file. The server cannot be asked without the key.</summary>
        private Result ByFile()
        {
            string[] parts = FileToken(FileText()).Split('.');
            var named = parts.Length == 3 ? Json.ReadObject(Utf8(FromBase64Url(parts[1]))).Get("key_hash") as string : null;
            var program = new Program(keys, options.Software, machineId, named ?? "");
            if (!ReadFileToken(FileText(), program).Accepted) return Refused("not_found", false);
            return WithoutConnection(program, new Answer());
        }

        private string FileText() => string.IsNullOrEmpty(options.File) ? "" : Files.Read(options.File);

        /// <summary>Judges what was kept and the file; the later of those that pass decides, so an old file undoes no refusal.</summary>
        private Result WithoutConnection(Program program, Answer answer)
        {
            Kept kept = store.Read();
            Times times = TimesNow(); // after the store: what another process writes cannot make this clock look set back
            Verdict own = Verdict.Failed("malformed"), inFile = ReadFileToken(FileText(), program);
            Time time = Time.Of(kept, MarkOf(program, kept), times).ByFile(inFile, kept.Issued);
            if (kept.License == program.KeyHash) own = CheckStored(kept.Token, program, time).ButRefusalsLast();
            Verdict filed = CheckTime(inFile, time);
            Verdict later = filed.Accepted && (!own.Accepted || filed.Iat > own.Iat) ? filed : own;
            if (own.IsTimely || filed.IsTimely) store.Write(time.After(kept, times, later, own.IsTimely ? own : filed));
            if (later.Accepted) return ResultOf(later, true);
            foreach (Verdict verdict in new[] { own, filed })
            {
                if (verdict.Error == "expired") return Refused("offline_expired", true);
                if (verdict.Error == "clock_back" || verdict.Error == "future") return Refused(verdict.Error, true);
            }
            return Refused(answer.IsNone ? "no_connection" : "unverified", false);
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
            return about;
        }

        private Program ProgramOf(string key) =>
            new Program(keys, options.Software, machineId, HashOfKey(key));

        /// <summary>The highest time that the program knows, in seconds; null before the first answer.</summary>
        private static long? MarkOf(Program program, Kept kept)
        {
            Verdict signed = ReadSigned(kept.Token, Stored, program);
            return signed.Accepted ? Math.Max(signed.Iat, kept.Mark ?? 0) : kept.Mark;
        }

        // ------------------------------------------------------------ Asking the server

        private const int MostBytes = 64 * 1024;
        private const string UserAgent = "license-manager-csharp/0.2.0";

        /// <summary>An answer: its status (0: none came), its token, and the verdict if the token passes.</summary>
        private sealed class Answer
        {
            public int Status;
            public string Token = "";
            public Verdict Verdict;

            public bool IsNone => Status == 0 || Status == 429 || Status >= 500;

            public bool Says(string reason) => Verdict != null && !Verdict.Valid && Verdict.Reason == reason;
        }

        /// <summary>Makes a call with a separate nonce and judges the answer as a fresh one.</summary>
        private Answer Ask(string call, string key, Dictionary<string, object> question)
        {
            string nonce = Convert.ToBase64String(RandomBytes(16)).TrimEnd('=').Replace('+', '-').Replace('/', '_');
            question["license_key"] = key;
            question["machine_id"] = machineId;
            question["software"] = options.Software;
            question["nonce"] = nonce;
            Answer answer = Post(Paths[call], Json.Write(question));
            Verdict verdict = CheckFresh(answer.Token, call, nonce, ProgramOf(key));
            if (verdict.Accepted) answer.Verdict = verdict;
            return answer;
        }

        /// <summary>One call, which ends after the timeout however slowly the server sends.</summary>
        private Answer Post(string path, string question)
        {
            using (var cancel = new CancellationTokenSource())
            {
                // In a separate task, so that it never waits for a thread of windows that waits for it.
                Task<Answer> call = Task.Run(() => PostAsync(path, question, cancel.Token));
                try
                {
                    if (call.Wait(timeout)) return call.Result;
                }
                catch (Exception)
                {
                    // No answer: the caller goes on with what was kept.
                }
                cancel.Cancel();
                call.ContinueWith(ended => ended.Exception, TaskContinuationOptions.OnlyOnFaulted);
                return new Answer();
            }
        }

        private async Task<Answer> PostAsync(string path, string question, CancellationToken cancel)
        {
            using (var request = new HttpRequestMessage(HttpMethod.Post, server + path))
            {
                request.Content = new StringContent(question, Encoding.UTF8, "application/json");
                request.Headers.ExpectContinue = false;
                request.Headers.TryAddWithoutValidation("User-Agent", UserAgent);
                request.Headers.Accept.Add(new MediaTypeWithQualityHeaderValue("application/json"));
                using (var response = await http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, cancel))
                using (Stream body = await response.Content.ReadAsStreamAsync())
                using (cancel.Register(response.Dispose))
                {
                    string text = await Files.ReadTextAsync(body, cancel);
                    string token = Json.ReadObject(text).Get("token") as string;
                    return new Answer { Status = (int)response.StatusCode, Token = token ?? "" };
                }
            }
        }

        // ------------------------------------------------------------ Judging a token (docs/offline.md)

        private const long AheadSeconds = 5 * 60;
        private const long BackSeconds = 24 * 60 * 60;

        /// <summary>What the program knows when it judges a token.</summary>
        internal sealed class Program
        {
            public readonly Dictionary<string, Es256> Keys;
            public readonly string Software, MachineId, KeyHash;

            public Program(Dictionary<string, Es256> keys, string software, string machineId, string keyHash)
            {
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

        /// <summary>The token in the text of a licence file; an empty text where there is none.</summary>
        private static string FileToken(string text)
        {
            const string begin = "-----BEGIN LICENSE FILE-----", end = "-----END LICENSE FILE-----";
            string file = Trim(text);
            bool isFramed = file.StartsWith(begin, StringComparison.Ordinal) && file.EndsWith(end, StringComparison.Ordinal);
            if (!isFramed || file.Length < begin.Length + end.Length) return "";
            string lines = file.Substring(begin.Length, file.Length - begin.Length - end.Length);
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
            return new Verdict(null, claims, 0);
        }

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
        /// What the store holds: whose token it is (SHA-256 of the key), the token, and what is known of the time.
        /// </summary>
        internal sealed class Kept
        {
            public readonly string License, Token;
            public readonly long? Mark, Issued;
            public readonly long Back, Leap;
            public readonly Times Times;

            public Kept(string license, string token, long? mark, long back, long leap, long? issued, Times times)
            {
                License = license;
                Token = token;
                Mark = mark;
                Back = back;
                Leap = leap;
                Issued = issued;
                Times = times;
            }

            internal sealed class Store
            {
                private readonly string path;
                private Kept unwritten; // used instead of the file until a write succeeds

                public Store(string given) { path = given; }

                /// <summary>A file that cannot be read counts as empty.</summary>
                public Kept Read()
                {
                    if (unwritten != null) return unwritten;
                    Dictionary<string, object> json = Json.ReadObject(Files.Read(path));
                    var times = new Times(SecondsOf(json.Get("clock")), json.Get("run") as string, SecondsOf(json.Get("ticks")));
                    return new Kept(json.Get("license") as string ?? "", json.Get("token") as string ?? "",
                        SecondsOf(json.Get("mark")), SecondsOf(json.Get("back")) ?? 0, SecondsOf(json.Get("leap")) ?? 0,
                        SecondsOf(json.Get("issued")), times);
                }

                public void Write(Kept kept)
                {
                    string text = Json.Write(new Dictionary<string, object>
                    {
                        { "license", kept.License }, { "token", kept.Token }, { "mark", kept.Mark },
                        { "back", kept.Back }, { "leap", kept.Leap }, { "issued", kept.Issued },
                        { "clock", kept.Times.Clock }, { "run", kept.Times.Run ?? "" }, { "ticks", kept.Times.Ticks },
                    });
                    unwritten = Files.Replace(path, text) ? null : kept;
                }
            }
        }

        private static class Files
        {
            /// <summary>At most 64 KiB of a file; empty where it cannot be read or is longer.</summary>
            public static string Read(string path)
            {
                try
                {
                    using (var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete))
                        return ReadTextAsync(file, CancellationToken.None).GetAwaiter().GetResult();
                }
                catch (Exception)
                {
                    return "";
                }
            }

            /// <summary>At most 64 KiB of a stream; a longer one counts as empty.</summary>
            public static async Task<string> ReadTextAsync(Stream stream, CancellationToken cancel)
            {
                var buffer = new byte[MostBytes + 1];
                int size = 0, read;
                do
                {
                    read = await stream.ReadAsync(buffer, size, buffer.Length - size, cancel).ConfigureAwait(false);
                    size += read;
                } while (read > 0 && size <= MostBytes);
                return size > MostBytes ? "" : Encoding.UTF8.GetString(buffer, 0, size);
            }

            /// <summary>Writes a second file and renames it, so that a reader sees the old one or the new one.</summary>
            public static bool Replace(string path, string text)
            {
                string second = path + "." + ToHex(RandomBytes(8)) + ".tmp";
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
                    return true;
                }
                catch (Exception)
                {
                    try { File.Delete(second); } catch (Exception) { /* nothing more can be done */ }
                    return false;
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
            private readonly long? least;
            private readonly long leap;

            public Time(long clock, long? given, long back = 0, long ahead = 0)
            {
                Clock = clock;
                least = given;
                Back = back;
                leap = ahead;
            }

            public static Time Of(Kept kept, long? mark, Times now)
            {
                Times then = kept.Times;
                long clock = now.Clock.Value;
                bool isMeasured = then.Run == now.Run && now.Ticks >= then.Ticks;
                bool standsStill = !isMeasured && clock <= then.Clock;
                long passed = isMeasured ? now.Ticks.Value - then.Ticks.Value : standsStill ? StartSeconds : 0;
                long back = Math.Max(0, (then.Clock ?? clock) - clock);
                return new Time(clock, mark + passed, kept.Back + back, kept.Leap);
            }

            public long Now => Math.Max(Clock, least ?? Clock);

            /// <summary>
            /// The same without the leaps of the clock, where a file needs that and was issued after every token that
            /// decided before. No time comes back that was lived through: the mark without its leaps stays.
            /// </summary>
            public Time ByFile(Verdict inFile, long? issued)
            {
                bool isNewer = inFile.Accepted && inFile.Iat > (issued ?? -1);
                if (!isNewer || CheckTime(inFile, this).Accepted) return this;
                var anew = new Time(Clock, Math.Max(inFile.Iat, (least ?? inFile.Iat) - leap));
                return CheckTime(inFile, anew).Accepted ? anew : this;
            }

            /// <summary>What is kept after a check. The best one decided, if it was accepted.</summary>
            public Kept After(Kept kept, Times times, Verdict best, Verdict first)
            {
                long ahead = Now - (least ?? first.Iat);
                bool isNewer = best.Accepted && best.Iat > (kept.Issued ?? -1);
                return new Kept(kept.License, kept.Token, Now, isNewer ? 0 : Back,
                    leap + (ahead > BackSeconds ? ahead : 0), isNewer ? best.Iat : kept.Issued, times);
            }
        }

        // ------------------------------------------------------------ The machine

        /// <summary>What identifies this computer. Never a network address.</summary>
        internal static class Machine
        {
            /// <summary>SHA-256 of the system's own id and the software; where there is none, digits kept beside the store.</summary>
            public static string Id(string software, string store)
            {
                string system = SystemId();
                if (system != "") return Sha256(system + "\n" + software);
                string path = store + ".machine", kept = Trim(Files.Read(path));
                if (Regex.IsMatch(kept, "^[0-9a-f]{32}\\z")) return kept;
                string made = ToHex(RandomBytes(16));
                Files.Replace(path, made);
                return made;
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
                string clean = Trim(new string(text.Select(c => char.IsControl(c) ? ' ' : c).ToArray()));
                return clean.Length > most ? clean.Substring(0, most) : clean;
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

        // ------------------------------------------------------------ Small tools

        /// <summary>A blank as the server sees it.</summary>
        private static bool IsBlank(char c) => (c >= '\t' && c <= '\r') || c == '\uFEFF' || char.IsSeparator(c);

        private static string Trim(string text)
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
        internal static string HashOfKey(string key) =>
            Sha256(string.Concat(key.Where(c => c >= '!' && c <= '~' && c != '-')).ToUpperInvariant());

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

        /// <summary>An instant as it stands in a token; null for anything else.</summary>
        private static DateTimeOffset? InstantOf(object value)
        {
            const DateTimeStyles utc = DateTimeStyles.AssumeUniversal;
            bool isRead = DateTimeOffset.TryParse(value as string, CultureInfo.InvariantCulture, utc, out DateTimeOffset instant);
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
