<?php
// Asks a License Manager server whether a licence holds on this computer, and answers without connection from what it
// kept. ../README.md describes it, ../../docs/offline.md the token. One file: copy it. PHP 8.1 with openssl.

declare(strict_types=1);

namespace LicenseManager;

/** What a check returns. `daysLeft` is null for a licence without an end; `nextCheck` are seconds. */
final class Result
{
    /** @param array<string, bool|int|string> $features */
    public function __construct(
        public readonly bool $ok,
        public readonly ?string $reason,
        public readonly bool $offline,
        public readonly ?int $daysLeft = 0,
        public readonly array $features = [],
        public readonly ?\DateTimeImmutable $expiresAt = null,
        public readonly bool $inGrace = false,
        public readonly ?\DateTimeImmutable $graceUntil = null,
        public readonly ?\DateTimeImmutable $offlineUntil = null,
        public readonly ?string $type = null,
        public readonly ?string $status = null,
        public readonly int $nextCheck = 3600,
        public readonly ?string $updatesUntil = null,
    ) {
    }
}

/** The licence of this program on this computer. */
final class License
{
    private const USER_AGENT = 'license-manager-php/0.2.0';
    private const HOUR = 60 * 60;
    private const DAY = 24 * self::HOUR;
    private const AHEAD_SECONDS = 5 * 60;
    /** What a start counts whose clock is not later than at the last check. */
    private const START_SECONDS = 10 * 60;
    private const ANSWER_BYTES = 64 * 1024;
    private const BEGIN = '-----BEGIN LICENSE FILE-----';
    private const END = '-----END LICENSE FILE-----';
    private const PATHS = [
        'validate' => '/licenses/api/license/validate/',
        'activate' => '/licenses/api/installations/',
        'heartbeat' => '/licenses/api/installation/heartbeat/',
        'release' => '/licenses/api/installations/release/',
    ];
    private const REASONS_OFFLINE = ['expired' => 'offline_expired', 'clock_back' => 'clock_back', 'future' => 'future'];
    /** What stands before the 64 bytes of a point in the DER of a public key on P-256. */
    private const KEY_PREFIX = '3059301306072a8648ce3d020106082a8648ce3d03010703420004';

    /** What could not be written to the store. */
    private ?array $unwritten = null;
    private array $features = [];
    /** The hash of the key of a file that decides without a key. */
    private ?string $keyHashOfFile = null;

    /**
     * @param list<array{kid: string, x: string, y: string}> $keys the current public key and the next one
     * @param ?callable $clock seconds since 1970, for tests
     * @param ?callable $uptime seconds that a counter which nobody sets has counted, for tests
     * @throws \InvalidArgumentException for a wrong option
     */
    public function __construct(
        private string $server,
        private string $software,
        private array $keys,
        private string $store,
        private ?string $file = null,
        private ?string $machineId = null,
        private ?string $machineName = null,
        private ?string $appVersion = null,
        private float $timeout = 5,
        private $clock = null,
        private $uptime = null,
    ) {
        if (!preg_match('~^https?://[^/]~', $server)) {
            throw new \InvalidArgumentException('server: an address with https:// is needed');
        }
        if (trim($software) === '') {
            throw new \InvalidArgumentException('software: the code of the software is needed');
        }
        if ($store === '') {
            throw new \InvalidArgumentException('store: the path of a file is needed');
        }
        foreach ($keys ?: [[]] as $key) {
            // Another one would refuse every answer later.
            if (empty($key['kid']) || !self::quietly(fn () => openssl_pkey_get_public(self::pemOf($key)))) {
                throw new \InvalidArgumentException('keys: public keys of P-256 with kid, x and y are needed');
            }
        }
        if (!($timeout > 0)) {
            throw new \InvalidArgumentException('timeout: seconds, more than 0');
        }
        $this->server = rtrim($server, '/');
        $this->clock ??= time(...);
        $this->machineId = trim($machineId ?? '');
    }

    /** Whether the program may run with this key; without one, by the licence file alone. Throws nothing. */
    public function check(string $key): Result
    {
        $result = $this->decide(trim($key));
        $this->features = $result->features;
        return $result;
    }

    /** Whether the last check was ok and the licence has this feature. */
    public function has(string $code): bool
    {
        return ($this->features[$code] ?? false) !== false;
    }

    /** Gives the seat of this computer back. True when the server said so. Throws nothing. */
    public function release(string $key): bool
    {
        [, $claims] = $this->ask('release', trim($key), []);
        if ($claims?->reason !== 'not_activated') {
            return false;
        }
        $this->features = [];
        $this->write(['license' => '', 'token' => ''] + $this->read());
        return true;
    }

    /** The id of this computer for this software, which a licence file is issued for. Throws nothing. */
    public function machineId(): string
    {
        return $this->machineId = $this->machineId ?: $this->findMachineId();
    }

    /**
     * Judges one token as docs/offline.md says. The tests use it; a program uses check().
     * @param array{key: string, call: ?string, nonce: ?string} $asked
     * @return array the verdict, as in vectors.json
     */
    public function judge(string $kind, string $input, array $asked, int $clock, ?int $mark): array
    {
        ['key' => $key, 'call' => $call, 'nonce' => $nonce] = $asked;
        $token = $kind === 'file' ? self::tokenOfFile($input) : $input;
        [$claims, $error] = $this->readToken($token, $kind === 'fresh' ? $call : $kind, $key);
        if ($error === null && $kind === 'fresh') {
            $mark = $claims->iat;
            $error = ($claims->nonce ?? null) === $nonce ? null : 'nonce';
        } elseif ($error === null) {
            [$mark, $error] = self::judgeTime($claims, ['clock' => $clock, 'least' => $mark, 'back' => 0]);
        }
        if ($error !== null) {
            return ['accepted' => false, 'error' => $error];
        }
        return ['accepted' => true, 'valid' => $claims->valid === true, 'reason' => $claims->reason, 'mark' => $mark];
    }

    private function decide(string $key): Result
    {
        if ($key === '') {
            return $this->decideByFile();
        }
        [$token, $claims, $problem] = $this->askServer($key);
        if ($claims === null) {
            return $this->decideOffline($key, $problem);
        }
        $known = ['mark' => $claims->iat, 'back' => 0, 'leap' => 0, 'issued' => $claims->iat];
        $this->write(['license' => $this->keyHash($key), 'token' => $token] + $known + $this->timesNow());
        return self::resultOf($claims, $claims->iat, false);
    }

    /** Without a key: that of the file. The server cannot be asked. */
    private function decideByFile(): Result
    {
        $token = $this->tokenInFile();
        try {
            $named = self::partOf(explode('.', $token)[1] ?? '')?->key_hash ?? null;
            $this->keyHashOfFile = is_string($named) ? $named : '';
            [$claims] = $this->readToken($token, 'file', '');
            return $claims === null ? new Result(false, 'not_found', false) : $this->decideOffline('', 'not_found');
        } finally {
            $this->keyHashOfFile = null;
        }
    }

    private function tokenInFile(): string
    {
        return self::tokenOfFile(self::fileText($this->file));
    }

    /** The hash of what counts of a key, however it is typed. */
    private function keyHash(string $key): string
    {
        return $this->keyHashOfFile ?? hash('sha256', strtoupper(preg_replace('/[^!-~]|-/', '', $key)));
    }

    /** Steps 2 to 5 of ../README.md: token and claims of the verdict, or a problem. */
    private function askServer(string $key): array
    {
        $about = ['os' => substr(php_uname('s') . ' ' . php_uname('r'), 0, 100)];
        if ($this->appVersion !== null) {
            $about['app_version'] = $this->appVersion;
        }
        $first = $this->ask('validate', $key, ['require_seat' => true]);
        $claims = $first[1];
        if ($claims?->reason === 'not_activated') {
            $name = substr($this->machineName ?? php_uname('n'), 0, 200);
            return $this->ask('activate', $key, $about + ['machine_name' => $name]);
        }
        if ($claims?->valid === true) {
            return $this->ask('heartbeat', $key, $about);
        }
        return $first;
    }

    private function ask(string $call, string $key, array $fields): array
    {
        $fields += ['license_key' => $key, 'machine_id' => $this->machineId(), 'software' => $this->software];
        $nonce = rtrim(strtr(base64_encode(random_bytes(16)), '+/', '-_'), '=');
        [$status, $body] = self::quietly(fn () => $this->post(self::PATHS[$call], $fields + ['nonce' => $nonce]))
            ?? [null, ''];
        $token = self::objectOf($body)?->token ?? null;
        if (is_string($token)) {
            [$claims] = $this->readToken($token, $call, $key);
            if ($claims !== null && ($claims->nonce ?? null) === $nonce) {
                return [$token, $claims, null];
            }
        }
        $isAway = $status === null || $status === 429 || $status >= 500;
        return [null, null, $isAway ? 'no_connection' : 'unverified'];
    }

    /** The status and the body of an answer; null without an answer. */
    private function post(string $path, array $fields): ?array
    {
        $deadline = hrtime(true) + (int) ($this->timeout * 1e9);
        $content = json_encode($fields, JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE);
        $http = ['method' => 'POST', 'header' => 'content-type: application/json', 'content' => $content];
        $http += ['user_agent' => self::USER_AGENT];
        $http += ['timeout' => $this->timeout, 'follow_location' => 0, 'ignore_errors' => true];
        $stream = fopen($this->server . $path, 'r', false, stream_context_create(['http' => $http]));
        if (!$stream) {
            return null;
        }
        $headers = stream_get_meta_data($stream)['wrapper_data'];
        $status = preg_match('~^HTTP/\S+ (\d{3})~', $headers[0] ?? '', $found) ? (int) $found[1] : null;
        $body = '';
        while (strlen($body) <= self::ANSWER_BYTES && !feof($stream)) {
            $left = intdiv($deadline - hrtime(true), 1000);
            if ($left <= 0) {
                return null;
            }
            stream_set_timeout($stream, intdiv($left, 1_000_000), $left % 1_000_000);
            // One byte at a time from what has come: fread waits for more than one where an answer comes in chunks.
            $body .= fread($stream, 1);
            if (stream_get_meta_data($stream)['timed_out']) {
                return null;
            }
        }
        fclose($stream);
        return [$status, strlen($body) <= self::ANSWER_BYTES ? $body : ''];
    }

    /** The clock of the computer, and the counter that nobody sets. */
    private function timesNow(): array
    {
        $counter = $this->uptime ? ['run' => 'given', 'ticks' => (int) ($this->uptime)()] : self::systemTicks();
        return ['clock' => (int) ($this->clock)()] + $counter;
    }

    /**
     * A counter of seconds that nobody sets: that of the system since it was started. `run` names it: numbers of one run
     * can be compared. Linux has it in a file, which a faked clock of the process does not reach.
     */
    private static function systemTicks(): array
    {
        $boot = trim(self::fileText('/proc/sys/kernel/random/boot_id'));
        if ($boot !== '' && preg_match('/^\d+/', self::fileText('/proc/uptime'), $found)) {
            return ['run' => $boot, 'ticks' => (int) $found[0]];
        }
        return ['run' => 'system', 'ticks' => hrtime()[0]];
    }

    /** Steps 7 and 8: the kept verdict and the file, judged by the later of clock and mark. */
    private function decideOffline(string $key, string $problem): Result
    {
        $store = $this->read();
        // After the store, so that another process that writes it cannot make this clock look set back.
        $times = $this->timesNow();
        [$kept] = $this->readToken($store['token'], 'stored', $key);
        $verdicts = $kept !== null && $store['license'] === $this->keyHash($key) ? [[$kept, true]] : [];
        [$inFile] = $this->readToken($this->tokenInFile(), 'file', $key);
        if ($inFile !== null) {
            $verdicts[] = [$inFile, false];
        }

        $marks = array_filter([$store['mark'], $kept?->iat], is_int(...));
        $byClock = self::timeOf($store, $marks ? max($marks) : null, $times);
        $time = self::timeByFile($inFile, $store['issued'], $byClock);
        [$errors, $best, $latest] = [[], null, null];
        foreach ($verdicts as [$claims, $isKept]) {
            [$now, $error] = self::judgeTime($claims, $time);
            $latest ??= $now;
            $isLastingRefusal = $isKept && $claims->valid !== true && $error === 'expired';
            if ($error !== null && !$isLastingRefusal) {
                $errors[] = $error;
            } elseif ($best === null || $claims->iat > $best->iat) {
                $best = $claims;
            }
        }
        if ($latest !== null) {
            $this->write(self::timeAfter($store['issued'], $time, $latest, $best, $verdicts[0][0]) + $times + $store);
        }
        if ($best !== null) {
            return self::resultOf($best, $latest, true);
        }
        return $errors ? new Result(false, self::REASONS_OFFLINE[$errors[0]], true) : new Result(false, $problem, false);
    }

    /**
     * What the program knows of the time (docs/offline.md, The clock). `least` is the mark with the time that was
     * measured since, null where there is no mark; `back` and `leap` are the seconds of the clock's steps back and ahead.
     */
    private static function timeOf(array $store, ?int $mark, array $times): array
    {
        $clock = $times['clock'];
        $isMeasured = $store['run'] === $times['run'] && $times['ticks'] >= ($store['ticks'] ?? PHP_INT_MAX);
        $standsStill = !$isMeasured && $store['clock'] !== null && $clock <= $store['clock'];
        $passed = $isMeasured ? $times['ticks'] - $store['ticks'] : ($standsStill ? self::START_SECONDS : 0);
        $back = $store['back'] + max(0, ($store['clock'] ?? $clock) - $clock);
        $least = $mark === null ? null : $mark + $passed;
        return ['clock' => $clock, 'least' => $least, 'back' => $back, 'leap' => $store['leap']];
    }

    /**
     * The same without the leaps of the clock, where a file needs that and was issued after every token that decided
     * before. No time comes back that was lived through: the mark without its leaps stays.
     */
    private static function timeByFile(?object $file, ?int $issued, array $time): array
    {
        if ($file === null || $file->iat <= ($issued ?? -1) || self::judgeTime($file, $time)[1] === null) {
            return $time;
        }
        $least = max($file->iat, ($time['least'] ?? $file->iat) - $time['leap']);
        $anew = ['least' => $least, 'back' => 0, 'leap' => 0] + $time;
        return self::judgeTime($file, $anew)[1] === null ? $anew : $time;
    }

    /** What is kept of the time after a check. `best` is what decided, null where nothing passed. */
    private static function timeAfter(?int $issued, array $time, int $now, ?object $best, object $first): array
    {
        $ahead = $now - ($time['least'] ?? $first->iat);
        $isNewer = $best !== null && $best->iat > ($issued ?? -1);
        return [
            'mark' => $now,
            'back' => $isNewer ? 0 : $time['back'],
            'leap' => $time['leap'] + ($ahead > self::DAY ? $ahead : 0),
            'issued' => $isNewer ? $best->iat : $issued,
        ];
    }

    /** What the program is told of a verdict. `now` is the mark after the check. */
    private static function resultOf(object $claims, int $now, bool $offline): Result
    {
        $terms = self::termsOf($claims, $now);
        if ($claims->valid !== true) {
            return new Result(false, $claims->reason, $offline, ...$terms);
        }
        $daysLeft = self::daysUntil($terms['expiresAt'], $now, $claims->utc_offset ?? null);
        return new Result(true, null, $offline, $daysLeft, (array) $claims->features, ...$terms);
    }

    /** What a verdict says of the licence. */
    private static function termsOf(object $claims, int $now): array
    {
        $isValid = $claims->valid === true;
        $end = self::instantOf($claims->license_expires ?? null);
        $isOver = ($claims->in_grace ?? null) === true || ($end !== null && $now > (float) $end->format('U.u'));
        $inGrace = $isValid && $end !== null && $isOver;
        $half = $isValid ? intdiv($claims->exp - $claims->iat, 2) : 0;
        return [
            'expiresAt' => $end,
            'inGrace' => $inGrace,
            'graceUntil' => $inGrace ? self::instantOf($claims->usable_until ?? null) : null,
            'offlineUntil' => $isValid ? new \DateTimeImmutable("@$claims->exp") : null,
            'type' => $claims->license_type ?? null,
            'status' => $claims->status ?? null,
            'nextCheck' => $half > 0 ? min(self::HOUR, $half) : self::HOUR,
            'updatesUntil' => $claims->updates_until ?? null,
        ];
    }

    /** Whole days of the vendor's calendar until the licence ends, as the console counts them. */
    private static function daysUntil(?\DateTimeImmutable $end, int $now, mixed $offset): ?int
    {
        if ($end === null) {
            return null;
        }
        $day = fn (int $seconds) => (int) floor($seconds / self::DAY);
        $seconds = $end->getTimestamp();
        $days = is_int($offset) ? $day($seconds + $offset) - $day($now + $offset) : $day($seconds - $now);
        return max(0, $days);
    }

    private static function instantOf(mixed $text): ?\DateTimeImmutable
    {
        return is_string($text) ? self::quietly(fn () => new \DateTimeImmutable($text)) : null;
    }

    /** Whether a token may stand where it does: as the answer to a call, in a file, or as the last word that was kept. */
    private static function isAnswerTo(string $role, object $claims): bool
    {
        $call = $claims->call ?? null;
        if ($role !== 'stored') {
            return $call === $role;
        }
        $isRefusal = ($claims->valid ?? null) !== true;
        return $call === 'activate' || $call === 'heartbeat' || ($call === 'validate' && $isRefusal);
    }

    /**
     * Steps 1 to 11 of docs/offline.md, for every token: the claims and null, or null and the error.
     * @param string $role the call that was made, 'stored' or 'file'
     */
    private function readToken(string $token, string $role, string $key): array
    {
        $parts = explode('.', $token);
        $header = self::partOf($parts[0]);
        if (count($parts) !== 3 || $header === null) {
            return [null, 'malformed'];
        }
        // The program decides the algorithm. A header that may choose it allows none, and HS256 with the public key.
        if (($header->alg ?? null) !== 'ES256') {
            return [null, 'algorithm'];
        }
        if (($header->typ ?? null) !== ($role === 'file' ? 'license-file+jwt' : 'license+jwt')) {
            return [null, 'type'];
        }
        $known = array_filter($this->keys, fn (array $own) => $own['kid'] === ($header->kid ?? null));
        if (!$known) {
            return [null, 'unknown_key'];
        }
        $signature = self::bytesOf($parts[2]);
        if (!self::isSigned("$parts[0].$parts[1]", $signature ?? '', reset($known))) {
            return [null, 'signature'];
        }
        $claims = self::partOf($parts[1]);
        if ($claims === null) {
            return [null, 'malformed'];
        }
        if (($claims->aud ?? null) !== $this->software) {
            return [null, 'audience'];
        }
        if (($claims->mid ?? null) !== hash('sha256', $this->machineId())) {
            return [null, 'machine'];
        }
        // Without these a relay answers with the server's own words about another key, or about another call.
        if (($claims->key_hash ?? null) !== $this->keyHash($key)) {
            return [null, 'key_hash'];
        }
        if (!self::isAnswerTo($role, $claims)) {
            return [null, 'call'];
        }
        $hasNoSeat = ($claims->valid ?? null) === true && ($claims->seat ?? null) !== true;
        return $hasNoSeat ? [null, 'seat'] : [$claims, null];
    }

    /** Steps 12 to 14, for a token that was kept or stands in a file: now and the error, each perhaps null. */
    private static function judgeTime(object $claims, array $time): array
    {
        $clock = $time['clock'];
        $mark = $time['least'] ?? $clock;
        if ($time['back'] > self::DAY || $clock < $mark - self::DAY) {
            return [null, 'clock_back'];
        }
        $now = max($clock, $mark);
        if ($claims->iat > $now + self::AHEAD_SECONDS) {
            return [null, 'future'];
        }
        return [$now, $now >= $claims->exp ? 'expired' : null];
    }

    /** A public key as PEM; an empty text for what cannot be one. */
    private static function pemOf(array $key): string
    {
        $point = self::bytesOf($key['x']) . self::bytesOf($key['y']);
        $der = base64_encode(hex2bin(self::KEY_PREFIX) . $point);
        $pem = "-----BEGIN PUBLIC KEY-----\n" . chunk_split($der, 64, "\n") . "-----END PUBLIC KEY-----\n";
        return strlen($point) === 64 ? $pem : '';
    }

    private static function isSigned(string $content, string $signature, array $key): bool
    {
        $pem = self::pemOf($key);
        if (strlen($signature) !== 64 || $pem === '') {
            return false;
        }
        [$r, $s] = array_map(self::integer(...), str_split($signature, 32));
        $signature = "\x30" . chr(strlen($r . $s)) . $r . $s;
        return self::quietly(fn () => openssl_verify($content, $signature, $pem, OPENSSL_ALGO_SHA256)) === 1;
    }

    /** A number of 32 bytes as DER: without zeros before it, and with one where its first bit is a one. */
    private static function integer(string $bytes): string
    {
        $short = ltrim($bytes, "\0");
        $value = $short === '' || ord($short[0]) > 127 ? "\0$short" : $short;
        return "\x02" . chr(strlen($value)) . $value;
    }

    /** The bytes of a base64url text; null for another text. */
    private static function bytesOf(string $text): ?string
    {
        if (!preg_match('/^[A-Za-z0-9_-]+$/D', $text) || strlen($text) % 4 === 1) {
            return null;
        }
        return base64_decode(strtr($text, '-_', '+/'));
    }

    /** The JSON object in a text; null for anything else. */
    private static function objectOf(string $text): ?object
    {
        $value = json_decode($text);
        return is_object($value) ? $value : null;
    }

    private static function partOf(string $part): ?object
    {
        return self::objectOf(self::bytesOf($part) ?? '');
    }

    /** The token in the text of a licence file; an empty text where there is none. */
    private static function tokenOfFile(string $text): string
    {
        $content = trim($text);
        if (!str_starts_with($content, self::BEGIN) || !str_ends_with($content, self::END)) {
            return '';
        }
        return preg_replace('/\s/', '', substr($content, strlen(self::BEGIN), -strlen(self::END)));
    }

    private function findMachineId(): string
    {
        $own = self::systemId();
        if ($own !== '') {
            return hash('sha256', "$own\n$this->software");
        }
        $kept = trim(self::fileText("$this->store.machine"));
        if (preg_match('/^[0-9a-f]{32}$/D', $kept)) {
            return $kept;
        }
        $made = bin2hex(random_bytes(16));
        self::writeFile("$this->store.machine", $made);
        return $made;
    }

    /** The system's own id of this computer, never a network address; empty where none can be read. */
    private static function systemId(): string
    {
        $output = fn (string $command) => function_exists('shell_exec') ? (string) shell_exec($command) : '';
        if (PHP_OS_FAMILY === 'Windows') {
            $text = $output('reg query HKLM\SOFTWARE\Microsoft\Cryptography /v MachineGuid /reg:64');
            return preg_match('/MachineGuid\s+REG_SZ\s+(\S+)/', $text, $found) ? $found[1] : '';
        }
        if (PHP_OS_FAMILY === 'Darwin') {
            $text = $output('ioreg -rd1 -c IOPlatformExpertDevice');
            return preg_match('/"IOPlatformUUID" = "([^"]+)"/', $text, $found) ? $found[1] : '';
        }
        foreach (['/etc/machine-id', '/var/lib/dbus/machine-id'] as $path) {
            $id = trim(self::fileText($path));
            if ($id !== '' && $id !== 'uninitialized') {
                return $id;
            }
        }
        return '';
    }

    private function read(): array
    {
        $content = $this->unwritten ?? (array) self::objectOf(self::fileText($this->store));
        $text = fn (string $name) => is_string($content[$name] ?? null) ? $content[$name] : '';
        $time = function (string $name, ?int $absent = null) use ($content): ?int {
            $value = $content[$name] ?? null;
            return is_int($value) && $value >= 0 && $value < 2 ** 53 ? $value : $absent;
        };
        return [
            ...['license' => $text('license'), 'token' => $text('token'), 'mark' => $time('mark')],
            ...['clock' => $time('clock'), 'back' => $time('back', 0), 'leap' => $time('leap', 0)],
            ...['issued' => $time('issued'), 'run' => $text('run'), 'ticks' => $time('ticks')],
        ];
    }

    private function write(array $content): void
    {
        $this->unwritten = self::writeFile($this->store, json_encode($content)) ? null : $content;
    }

    private static function fileText(?string $path): string
    {
        return $path === null ? '' : (string) self::quietly(fn () => file_get_contents($path));
    }

    /** Writes a text beside the file and renames it. Returns whether that worked. */
    private static function writeFile(string $path, string $text): bool
    {
        $draft = "$path." . bin2hex(random_bytes(16));
        $isWritten = self::quietly(fn () => file_put_contents($draft, $text) !== false && rename($draft, $path));
        if (!$isWritten) {
            self::quietly(fn () => unlink($draft));
        }
        return $isWritten === true;
    }

    /** What the work returns; null when it fails. Warnings go nowhere, whatever the program does with its own. */
    private static function quietly(callable $work): mixed
    {
        set_error_handler(fn () => true);
        try {
            return $work();
        } catch (\Throwable) {
            return null;
        } finally {
            restore_error_handler();
        }
    }
}
