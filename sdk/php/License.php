<?php
// SPDX-License-Identifier: MIT
// Asks a License Manager server whether a licence holds on this computer, and answers without connection from what it
// kept. ../README.md describes it, ../../docs/offline.md the token. Copy it together with Result.php. PHP 8.1 with openssl.

declare(strict_types=1);

namespace LicenseManager;

// Beside a copied file; with composer the class may be loaded already.
require_once __DIR__ . '/Result.php';

/** The licence of this program on this computer. */
final class License
{
    public const VERSION = '0.4.0';
    private const USER_AGENT = 'license-manager-php/' . self::VERSION;
    private const MINUTE = 60;
    private const HOUR = 60 * 60;
    private const DAY = 24 * self::HOUR;
    private const AHEAD_SECONDS = 5 * 60;
    /** What a start counts whose clock is not later than at the last check. */
    private const START_SECONDS = 10 * 60;
    private const ANSWER_BYTES = 64 * 1024;
    private const FILE_BYTES = 64 * 1024;
    private const STORE_BYTES = 1024 * 1024;
    /** The records of one call, the calls that one check makes for them, and the size above which none is added. */
    private const RECORDS_MAX = 100;
    private const SENDINGS_MAX = 20;
    private const QUEUE_BYTES = 4 * 1024 * 1024;
    private const AMOUNT_MAX = 1_000_000_000;
    private const INSTANT = '/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/D';
    private const BEGIN = '-----BEGIN LICENSE FILE-----';
    private const END = '-----END LICENSE FILE-----';
    private const PATHS = [
        'validate' => '/licenses/api/license/validate/',
        'activate' => '/licenses/api/installations/',
        'heartbeat' => '/licenses/api/installation/heartbeat/',
        'release' => '/licenses/api/installations/release/',
        'portal' => '/licenses/api/portal/ticket/',
        'usage' => '/licenses/api/usage/',
        'trial' => '/licenses/api/trial/',
    ];
    /** An address that a program may open: it ends in a browser, perhaps through a shell. */
    private const PORTAL_ADDRESS
        = '~^(https?)://([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?/[A-Za-z0-9/._\~?#=-]{1,500}$~D';
    /** What a file's failed step is called; every other is damage. */
    private const FILE_PROBLEMS = [
        'unknown_key' => 'wrong_key',
        'audience' => 'file_other_software',
        'machine' => 'file_other_machine',
        'key_hash' => 'file_other_key',
    ];
    /** The errors of curl by what they mean; all others are 'unreachable'. */
    private const CURL_ERRORS = [
        'dns' => [6],
        'proxy' => [5, 97],
        'timeout' => [28],
        'tls' => [35, 51, 53, 54, 58, 59, 60, 66, 77, 80, 82, 83, 90, 91, 98],
    ];
    private const REASONS_OFFLINE = ['expired' => 'offline_expired', 'clock_back' => 'clock_back', 'future' => 'future'];
    /** What stands before the 64 bytes of a point in the DER of a public key on P-256. */
    private const KEY_PREFIX = '3059301306072a8648ce3d020106082a8648ce3d03010703420004';

    /** What could not be written to the store. */
    private ?array $unwritten = null;
    private ?string $storeError = null;
    private array $features = [];
    /** The last result with its key, when it came by the counter, and for how many seconds it may be used. */
    private ?array $last = null;
    private ?string $releaseReason = null;
    private ?string $releaseDetail = null;
    private ?string $portalReason = null;
    private ?string $portalDetail = null;
    private ?string $trialReason = null;
    private ?string $trialDetail = null;
    /** Uses that the server refused, for the next result. */
    private array $refused = [];
    /** Consumptions that were not answered: asked again with their id, they count once. */
    private array $unanswered = [];
    /** What this check sent; null where no verdict knows of it. */
    private ?array $sent = null;
    /** The key that was checked last. */
    private string $key = '';
    /** What was kept, as texts, and its claims that say what is left. */
    private array $kept = ['texts' => [], 'claims' => null, 'isFile' => false];
    /** The hash of the key that tokens must be of, where it is not that of a key which is known. */
    private ?string $keyHashNamed = null;

    /**
     * @param list<array{kid: string, x: string, y: string}> $keys the current public key and the next one
     * @param ?callable $clock seconds since 1970, for tests
     * @param ?callable $uptime seconds that a counter which nobody sets has counted, for tests
     * @param ?string $instance tells copies of the program on one computer apart
     * @param ?callable $log is called with a code and an English line for what went wrong
     * @param ?string $releasedOn the day on which this build came out, such as 2026-11-21
     * @param ?callable(string, string, array<string, string>, float): array{int, array<string, string>, string} $transport
     *   posts the body to the address with these headers, in at most these seconds, in place of curl: status, headers, body
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
        private ?string $instance = null,
        private $log = null,
        private ?string $releasedOn = null,
        private $transport = null,
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
        $this->instance = trim($instance ?? '');
        if ($this->instance !== '' && ($machineId ?? '') !== '') {
            throw new \InvalidArgumentException('instance: not together with machineId');
        }
        if ($log !== null && !is_callable($log)) {
            throw new \InvalidArgumentException('log: a function is needed');
        }
        if ($transport !== null && !is_callable($transport)) {
            throw new \InvalidArgumentException('transport: a function is needed');
        }
        if (($releasedOn ?? '') !== '' && !preg_match('/^\d{4}-\d{2}-\d{2}$/D', $releasedOn)) {
            throw new \InvalidArgumentException('releasedOn: a day as 2026-11-21');
        }
        $this->server = rtrim($server, '/');
        $this->clock ??= time(...);
        $this->machineId = trim($machineId ?? '');
    }

    /** Whether the program may run with this key; without one, by the licence file alone. Throws nothing. */
    public function check(string $key): Result
    {
        $asked = $this->key = self::trimmed($key);
        $result = $this->decide($asked);
        $this->features = $result->features;
        $this->keepLast($asked, $result);
        return $this->withRefused($result);
    }

    /**
     * The last result of this key where it is younger than these seconds, also that of another process with the same store;
     * else a check, which processes that come meanwhile share. Those that have a result that holds get it at once. Throws
     * nothing.
     */
    public function checkCached(string $key, float $seconds): Result
    {
        $asked = $this->key = self::trimmed($key);
        $came = self::counter();
        [$result, $at] = $this->lastResult($asked);
        if ($result !== null && $came - $at < $seconds) {
            return $this->remembered($result);
        }
        self::quietly(fn () => self::makeFolder($this->store));
        $lock = self::quietly(fn () => fopen("$this->store.lock", 'c'));
        if (!$lock) {
            return $this->check($asked);
        }
        try {
            if (!flock($lock, LOCK_EX | LOCK_NB)) {
                if ($result?->ok) {
                    return $this->remembered($result);
                }
                flock($lock, LOCK_EX);
                [$shared, $at] = $this->lastResult($asked);
                if ($shared !== null && $at >= $came) {
                    return $this->remembered($shared);
                }
            }
            return $this->check($asked);
        } finally {
            fclose($lock);
        }
    }

    /** Whether the last check was ok and the licence has this feature. */
    public function has(string $code): bool
    {
        return ($this->features[$code] ?? false) !== false;
    }

    /** Gives the seat of this computer back. True when the server said so, else releaseReason() says why. Throws nothing. */
    public function release(string $key): bool
    {
        $asked = self::trimmed($key);
        $sent = $this->sendUses($asked, (int) ($this->clock)());
        $answer = $this->ask('release', $asked, []);
        $claims = $answer['claims'] ?? null;
        $reason = $claims ? ($claims->reason ?? 'unverified') : ($answer['code'] ?? $answer['problem']);
        $isFree = $reason === 'not_activated' && $claims !== null;
        $this->releaseReason = $isFree ? null : $reason;
        $this->releaseDetail = $claims || isset($answer['code']) ? null : $answer['detail'];
        if (!$isFree) {
            return false;
        }
        $this->features = [];
        $this->last = null;
        self::quietly(fn () => is_file("$this->store.last") && unlink("$this->store.last"));
        $this->write(['license' => '', 'token' => '', 'before' => ''] + $this->read());
        $this->forgetSent($sent);
        return true;
    }

    /** Why the last release was not true; null where it was, and before. */
    public function releaseReason(): ?string
    {
        return $this->releaseReason;
    }

    /** Why there was no verdict on it, as `detail` of a result. */
    public function releaseDetail(): ?string
    {
        return $this->releaseDetail;
    }

    /**
     * An address of the portal for this computer's seat, for the browser: it works once, within five minutes. Null where
     * there is none; portalReason() then says why. Throws nothing.
     */
    public function portalUrl(string $key): ?string
    {
        $asked = ['license_key' => self::trimmed($key), 'machine_id' => $this->machineId(), 'software' => $this->software];
        $answer = $this->post(self::PATHS['portal'], $asked);
        $content = self::objectOf($answer['body'] ?? '');
        $url = $content?->url ?? null;
        if (($answer['status'] ?? 0) === 200 && is_string($url) && $this->isOfPortal($url)) {
            $this->portalReason = $this->portalDetail = null;
            return $url;
        }
        $failure = $answer['failure'] ?? null;
        [$problem, $detail] = $failure ? ['no_connection', $failure] : self::problemOf($answer['status'], null);
        $code = $problem === 'unverified' ? self::codeIn($content) : null;
        $this->portalReason = $code ?? $problem;
        $this->portalDetail = $code === null ? $detail : null;
        $this->note($detail, 'portal: ' . ($failure ? 'no answer of the server' : 'no address' . ($code ? " ($code)" : '')));
        return null;
    }

    /** Whether a program may open this address: by http only on this computer, or at the host that it asked by http itself. */
    private function isOfPortal(string $url): bool
    {
        if (!preg_match(self::PORTAL_ADDRESS, $url, $address)) {
            return false;
        }
        if ($address[1] === 'https' || in_array($address[2], ['localhost', '127.0.0.1', '[::1]'], true)) {
            return true;
        }
        preg_match(self::PORTAL_ADDRESS, $this->server . self::PATHS['portal'], $server);
        return ($server[1] ?? '') === 'http' && strcasecmp($server[2], $address[2]) === 0;
    }

    /** Why the last portalUrl gave none; null where it gave one, and before. */
    public function portalReason(): ?string
    {
        return $this->portalReason;
    }

    /** What became of the call where the server did not say why, as `detail` of a result. */
    public function portalDetail(): ?string
    {
        return $this->portalDetail;
    }

    /**
     * Notes that something was used, beside the store; checks send it, and it counts once. True where it is kept; false too
     * where less is left, of a meter that refuses what is beyond. Throws nothing.
     */
    public function use(string $code, int $amount = 1): bool
    {
        if (!self::isUse($code, $amount)) {
            return false;
        }
        $isKept = self::quietly(fn () => $this->takeUse($code, $amount), $warnings);
        if ($isKept === null) {
            $this->note('store_' . self::storeErrorIn($warnings, $this->store), 'A use cannot be kept.');
        }
        return $isKept === true;
    }

    /**
     * Asks the server to count this now, with the key that was checked last: true only where it signed that it did. A call
     * without such an answer, said again, counts once. Throws nothing.
     */
    public function consume(string $code, int $amount = 1): bool
    {
        if (!self::isUse($code, $amount) || $this->key === '') {
            return false;
        }
        $name = "$code $amount";
        $use = ['code' => $code, 'amount' => $amount, 'id' => $this->unanswered[$name] ?? self::randomDigits()];
        unset($this->unanswered[$name]);
        $record = ['code' => $code, 'amount' => $amount, 'request_id' => $use['id']];
        $answer = $this->ask('usage', $this->key, ['records' => [$record]]);
        $claims = $answer['claims'] ?? null;
        if ($claims === null) {
            // Nobody signed whether it counted: the same id asks again.
            if ($answer['status'] !== 400) {
                $this->unanswered[$name] = $use['id'];
            }
            return false;
        }
        $uses = is_array($claims->uses ?? null) ? $claims->uses : [];
        $said = current(array_filter($uses, fn (mixed $one) => ($one->request_id ?? null) === $use['id'])) ?: null;
        $isAccepted = $said?->accepted ?? null;
        // A relay may have changed the record, sent another one first under this id, or named another day.
        $isThis = ($said?->code ?? null) === $code && ($said->amount ?? null) === $amount && ($said->past ?? null) !== true;
        if ($isAccepted === true && $isThis) {
            // What was kept does not know of it yet.
            $this->keepUse($use + ['counted' => true]);
            return true;
        }
        if ($isAccepted === false) {
            $this->refuse($use, $said->reason ?? null);
        } else {
            $this->note('use_refused', "$code: $amount (" . ($claims->reason ?? 'not this use') . ')');
        }
        return false;
    }

    /**
     * What is left of a meter: what the last verdict said, without what waits to be sent. From the first line on, without
     * connection too. Null without a limit, and where nothing was kept. Throws nothing.
     */
    public function remaining(string $code): ?int
    {
        return (self::quietly(fn () => $this->leftOf($code)) ?? [null])[0];
    }

    private static function isUse(string $code, int $amount): bool
    {
        return $amount >= 1 && $amount <= self::AMOUNT_MAX && preg_match('/^[a-z0-9_]{1,50}$/D', $code) === 1;
    }

    private static function randomDigits(): string
    {
        return bin2hex(random_bytes(16));
    }

    private function takeUse(string $code, int $amount): bool
    {
        self::makeFolder($this->store);
        // One process at a time decides whether enough is left. Where the disk has no locks all do.
        $lock = self::quietly(fn () => fopen("$this->store.use.lock", 'c'));
        $lock && flock($lock, LOCK_EX);
        [$left, $refuses] = $this->leftOf($code);
        if ($refuses && $left !== null && $left < $amount) {
            $this->note('use_refused', "$code: $amount of $left (limit_reached)");
            return false;
        }
        return $this->keepUse(['code' => $code, 'amount' => $amount, 'id' => self::randomDigits()]);
    }

    /** Adds a line to the uses that wait. */
    private function keepUse(array $use): bool
    {
        $path = "$this->store.usage";
        // A line of its own even where the one before was torn.
        $line = "\n" . json_encode($use + ['clock' => (int) ($this->clock)()]) . "\n";
        $isFull = false;
        $add = function () use ($path, $line, &$isFull): bool {
            self::makeFolder($path);
            do {
                $file = fopen($path, 'a');
                $isFull = $file && fstat($file)['size'] > self::QUEUE_BYTES;
                if (!$file || $isFull || fwrite($file, $line) !== strlen($line)) {
                    return false;
                }
                // Who sends the file gave it another name meanwhile, and may have read it before: once more, with the same id.
            } while (!self::isStill($file, $path));
            return true;
        };
        $isKept = self::quietly($add, $warnings) === true;
        if (!$isKept) {
            $this->note('store_' . ($isFull ? 'full' : self::storeErrorIn($warnings, $path)), 'A use cannot be kept.');
        }
        return $isKept;
    }

    /** Whether an open file is the one of this name. */
    private static function isStill($file, string $path): bool
    {
        clearstatcache();
        $named = self::quietly(fn () => stat($path));
        $open = fstat($file);
        return $named && [$named['dev'], $named['ino']] === [$open['dev'], $open['ino']];
    }

    private function refuse(array $use, mixed $reason): void
    {
        $said = is_string($reason) ? $reason : 'invalid';
        $this->refused[] = ['code' => $use['code'], 'amount' => $use['amount'], 'reason' => $said];
        $this->note('use_refused', "$use[code]: $use[amount] ($said)");
    }

    /** The result with the uses that the server refused since the last one. */
    private function withRefused(Result $result): Result
    {
        [$refused, $this->refused] = [$this->refused, []];
        return $refused ? new Result(...[...get_object_vars($result), 'refusedUses' => $refused]) : $result;
    }

    /** The files with uses: `<store>.usage`, and those that got a name of their own to be sent. */
    private function usageFiles(): array
    {
        $own = '/^' . preg_quote(basename("$this->store.usage"), '/') . '(\.[0-9a-f]{32}|\.sending)?$/D';
        $folder = dirname($this->store);
        $names = preg_grep($own, self::quietly(fn () => scandir($folder)) ?: []);
        return array_values(array_map(fn (string $name) => "$folder/$name", $names));
    }

    /**
     * What was used, by its lines. A line that was torn is none, nor is one that no use can be: the server would
     * refuse the others with it.
     */
    private static function usesIn(string $text): array
    {
        $isUse = fn (?object $use) => is_string($use?->code ?? null) && is_int($use->amount ?? null)
            && self::isUse($use->code, $use->amount) && is_string($use->id ?? null)
            && preg_match('/^[0-9a-f]{32}$/D', $use->id) === 1
            && is_int($use->clock ?? null) && $use->clock >= 0 && $use->clock < 2 ** 53;
        $lines = array_map(self::objectOf(...), explode("\n", $text));
        return array_map(fn (object $use) => (array) $use, array_values(array_filter($lines, $isUse)));
    }

    /** What is left of a meter, null where nothing limits it, and whether what is beyond is refused. */
    private function leftOf(string $code): array
    {
        ['claims' => $claims, 'isFile' => $isFile] = $this->openKept();
        $meters = is_array($claims?->meters ?? null) ? $claims->meters : [];
        $meter = current(array_filter($meters, fn (mixed $one) => is_object($one) && ($one->code ?? null) === $code));
        if (!$meter || !is_int($meter->limit ?? null) || !is_int($meter->remaining ?? null)) {
            return [null, false];
        }
        [$reset, $end] = [self::instantOf($meter->resets_at ?? null), self::instantOf($claims->license_expires ?? null)];
        // After its reset all of it is left, but the last period of a licence begins anew only with a renewal. Of a file what
        // was used before it counts only where the meter never begins anew.
        $isReset = $reset !== null && (int) ($this->clock)() >= $reset->getTimestamp() && ($end === null || $reset < $end);
        $since = $isReset ? $reset->getTimestamp() : ($isFile && $reset !== null ? $claims->iat : 0);
        $waiting = [];
        foreach ($this->usageFiles() as $file) {
            foreach (self::usesIn(self::fileText($file)) as $use) {
                if ($use['code'] === $code && $use['clock'] >= $since) {
                    $waiting[$use['id']] = $use['amount'];
                }
            }
        }
        $left = ($isReset ? $meter->limit : $meter->remaining) - array_sum($waiting);
        return [max(0, $left), ($meter->overage ?? null) === 'refuse'];
    }

    /** The claims of the kept verdict or of the file of its key, whichever is newer; and whether it is the file. */
    private function openKept(): array
    {
        $store = $this->unwritten ?? self::storeIn(self::fileText($this->store));
        $text = fn (string $name) => is_string($store[$name] ?? null) ? $store[$name] : '';
        $texts = [$text('license'), $text('token'), self::tokenOfFile(self::textOfFile($this->file))];
        if ($this->kept['texts'] === $texts) {
            return $this->kept;
        }
        $claimsIn = function (string $token, string $role): ?object {
            try {
                $this->keyHashNamed = self::keyHashIn($token);
                return $token === '' ? null : $this->readToken($token, $role, '')[0];
            } finally {
                $this->keyHashNamed = null;
            }
        };
        [$kept, $inFile] = [$claimsIn($texts[1], 'stored'), $claimsIn($texts[2], 'file')];
        if ($kept?->key_hash !== $texts[0]) {
            $kept = null;
        }
        $isOwn = $kept === null || $inFile?->key_hash === $kept->key_hash;
        $isFile = $inFile !== null && $isOwn && ($kept === null || $inFile->iat > $kept->iat);
        return $this->kept = ['texts' => $texts, 'claims' => $isFile ? $inFile : $kept, 'isFile' => $isFile];
    }

    /** Reports some records. The results are null where the answer is none; `detail` then says why. */
    private function report(string $key, array $records): array
    {
        $about = ['license_key' => $key, 'machine_id' => $this->machineId(), 'software' => $this->software];
        $answer = $this->post(self::PATHS['usage'], $about + ['records' => $records]);
        $status = $answer['status'] ?? 0;
        $results = self::objectOf($answer['body'] ?? '')?->results ?? null;
        $isAnswer = $status === 200 && is_array($results);
        return [
            'status' => $status,
            'detail' => $answer['failure'] ?? self::problemOf($status, null)[1],
            'results' => $isAnswer ? array_values(array_filter($results, is_object(...))) : null,
        ];
    }

    /**
     * Sends what was used. Each use has an id, so that what was sent and not answered can be sent again. Returns the files
     * with their uses, the ids that were answered, and whether there is more.
     */
    private function sendUses(string $key, int $now): array
    {
        // A name of its own, so that no process writes over what another one sends.
        self::quietly(fn () => rename("$this->store.usage", "$this->store.usage." . self::randomDigits()));
        [$files, $waiting, $answered] = [[], [], []];
        foreach ($this->usageFiles() as $file) {
            if (str_ends_with($file, '.usage')) {
                continue;
            }
            // What cannot be read now stays for a later check.
            $text = is_file($file) ? self::quietly(fn () => file_get_contents($file)) : null;
            if (!is_string($text)) {
                continue;
            }
            $files[$file] = self::usesIn($text);
            foreach ($files[$file] as $use) {
                $waiting[$use['id']] = $use;
                if (($use['counted'] ?? null) === true) {
                    $answered[$use['id']] = true;
                }
            }
        }
        $ahead = $now - (int) ($this->clock)();
        $parts = array_chunk(array_values(array_diff_key($waiting, $answered)), self::RECORDS_MAX);
        foreach (array_slice($parts, 0, self::SENDINGS_MAX) as $part) {
            if (!$this->sendPart($part, $key, $now, $ahead)) {
                break;
            }
            $answered += array_fill_keys(array_column($part, 'id'), true);
        }
        return ['files' => $files, 'answered' => $answered, 'isMore' => count($parts) > self::SENDINGS_MAX];
    }

    /** Whether the server answered. Moments are said by its clock: that of the computer may be wrong. */
    private function sendPart(array $uses, string $key, int $now, int $ahead): bool
    {
        $recordOf = fn (array $use) => [
            'code' => $use['code'],
            'amount' => $use['amount'],
            'request_id' => $use['id'],
            'at' => gmdate('Y-m-d\TH:i:s\Z', max(0, min($now, $use['clock'] + $ahead))),
        ];
        $answer = $this->report($key, array_map($recordOf, $uses));
        // What the server takes for no record it would take for none tomorrow.
        if ($answer['status'] === 400) {
            array_walk($uses, fn (array $use) => $this->refuse($use, null));
            return true;
        }
        if ($answer['results'] === null) {
            $this->note($answer['detail'], "usage: status $answer[status]");
            return false;
        }
        $byId = array_column($uses, null, 'id');
        foreach ($answer['results'] as $result) {
            $id = $result->request_id ?? null;
            if (is_string($id) && isset($byId[$id]) && ($result->accepted ?? null) === false) {
                $this->refuse($byId[$id], $result->reason ?? null);
            }
        }
        return true;
    }

    /** Deletes what a kept verdict knows of. What is kept twice is sent twice, and counts once. */
    private function forgetSent(array $sent): void
    {
        foreach ($sent['files'] as $file => $uses) {
            $rest = array_filter($uses, fn (array $use) => !isset($sent['answered'][$use['id']]));
            if ($rest && count($rest) === count($uses)) {
                continue;
            }
            $lines = implode(array_map(fn (array $use) => json_encode($use) . "\n", $rest));
            if ($rest && self::writeFile("$this->store.usage." . self::randomDigits(), $lines) !== null) {
                continue;
            }
            self::quietly(fn () => unlink($file));
        }
    }

    /**
     * Starts the trial of this computer, or finds the one that it has: the key, for check(). Null where there is none;
     * trialReason() then says why, and of a trial that may not be used why not. Throws nothing.
     */
    public function startTrial(?string $email = null, ?string $name = null): ?string
    {
        $nonce = rtrim(strtr(base64_encode(random_bytes(16)), '+/', '-_'), '=');
        $said = ['email' => $email, 'name' => $name, 'app_version' => $this->appVersion];
        $answer = $this->post(self::PATHS['trial'], [
            'software' => $this->software,
            'machine_id' => $this->machineId(),
            'machine_name' => $this->nameOfMachine(),
            'os' => self::nameOfSystem(),
            'nonce' => $nonce,
        ] + array_filter($said, fn (?string $text) => $text !== null));
        [$key, $this->trialReason, $this->trialDetail] = $this->trialIn($answer, $nonce);
        if ($this->trialDetail !== null) {
            $this->note($this->trialDetail, 'trial: status ' . ($answer['status'] ?? 0));
        }
        return $key;
    }

    /** The key of an answer, why it may not be used, and the detail. Only a signed one counts: anybody could name a key. */
    private function trialIn(array $answer, string $nonce): array
    {
        if (isset($answer['failure'])) {
            return [null, 'no_connection', $answer['failure']];
        }
        $content = self::objectOf($answer['body']);
        [$key, $token] = [$content?->license_key ?? null, $content?->token ?? null];
        $isWhole = is_string($key) && is_string($token);
        [$claims, $error] = $isWhole ? $this->readToken($token, 'activate', trim($key)) : [null, null];
        if ($claims !== null && ($claims->nonce ?? null) === $nonce) {
            $why = $claims->reason === 'expired' ? 'trial_ended' : $claims->reason;
            return [trim($key), $claims->valid === true ? null : $why, null];
        }
        [$problem, $detail] = self::problemOf($answer['status'], $error);
        $code = is_string($token) ? null : self::codeIn($content);
        $isSaid = $problem === 'unverified' || ($answer['status'] === 429 && $code === 'trial_limit');
        return $code !== null && $isSaid ? [null, $code, null] : [null, $problem, $detail];
    }

    /** Why the last startTrial gave no key, or why its trial may not be used; null where it may, and before. */
    public function trialReason(): ?string
    {
        return $this->trialReason;
    }

    /** What became of the call where the server did not say why, as `detail` of a result. */
    public function trialDetail(): ?string
    {
        return $this->trialDetail;
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
        $answer = $this->askServer($key);
        if (isset($answer['claims'])) {
            ['token' => $token, 'claims' => $claims] = $answer;
            $known = ['license' => $this->keyHash($key), 'token' => $token, 'before' => $this->goodBefore($token, $key)];
            $known += ['mark' => $claims->iat, 'back' => 0, 'leap' => 0, 'issued' => $claims->iat];
            $this->write($known + $this->timesNow());
            $result = self::resultOf($claims, $claims->iat, false);
            $isMistyped = $result->reason === 'not_found' && self::hasWrongSigns($key);
            $changes = ['detail' => $isMistyped ? 'key_signs' : null] + self::waitForSeat($result, $answer);
            if ($this->sent !== null) {
                $this->forgetSent($this->sent);
                // What is left to be sent does not wait for an hour.
                $changes += $this->sent['isMore'] ? ['nextCheck' => self::MINUTE] : [];
            }
            return $this->told($result, $changes);
        }
        $previous = $this->keptLast($key);
        $result = $this->decideOffline($key, $answer['problem']);
        $changes = ['detail' => $answer['detail']];
        if ($answer['detail'] === 'rate_limited') {
            // Too many questions make no program offline; they only let it ask later.
            $changes['nextCheck'] = min(self::HOUR, max($result->nextCheck, $answer['retryAfter']));
            if ($previous && $previous['ok'] === $result->ok && $previous['reason'] === $result->reason) {
                $changes['offline'] = $previous['offline'];
            }
        }
        return $this->told($result, $changes);
    }

    /** The good verdict that stays beside a refusal of this build: an older build may go on with it. Else empty. */
    private function goodBefore(string $token, string $key): string
    {
        if (!self::refusesBuild(self::partOf(explode('.', $token)[1]))) {
            return '';
        }
        $store = $this->read();
        $kept = $store['license'] === $this->keyHash($key) ? $this->readToken($store['token'], 'stored', $key)[0] : null;
        // As the server said it: a verdict that refuses only this build is good for others.
        $said = $kept ? self::partOf(explode('.', $store['token'])[1]) : null;
        return match (true) {
            ($said?->valid ?? null) === true => $store['token'],
            self::refusesBuild($said) => $store['before'],
            default => '',
        };
    }

    /** Whether these are the server's own refusal of a build. */
    private static function refusesBuild(?object $claims): bool
    {
        return $claims !== null && ($claims->valid ?? null) !== true && ($claims->reason ?? null) === 'updates_ended';
    }

    /** The claims of the kept verdict; of the one before where the last is a refusal of a newer build than this one. */
    private function keptClaims(array $store, string $key): array
    {
        [$last] = $this->readToken($store['token'], 'stored', $key);
        $until = $last?->updates_until ?? null;
        $isForNewer = self::refusesBuild($last) && is_string($until) && strcmp($this->releasedOn ?? '', $until) <= 0;
        return [$isForNewer ? $this->readToken($store['before'], 'stored', $key)[0] : $last, $last];
    }

    /** Whether a key has the length of those that servers make, and a sign that they never have. */
    private static function hasWrongSigns(string $key): bool
    {
        return preg_match('/^(?=.*[0O1I])[A-Z0-9]{25}$/D', self::countedOf($key)) === 1;
    }

    /** For a floating licence without a free seat: when one is free, and to ask again then, at least each minute. */
    private static function waitForSeat(Result $result, array $answer): array
    {
        if ($result->reason !== 'installation_limit' || $answer['seatFreeAt'] === null) {
            return [];
        }
        // By the server's clock: that of the computer may be wrong.
        $seconds = $answer['seatFreeAt']->getTimestamp() - $answer['claims']->iat;
        return ['seatFreeAt' => $answer['seatFreeAt'], 'nextCheck' => min(self::MINUTE, max(1, $seconds))];
    }

    /** The result with what is known besides the verdict. */
    private function told(Result $result, array $changes): Result
    {
        return new Result(...[...get_object_vars($result), ...$changes, 'storeError' => $this->storeError]);
    }

    /** Without a key: that of the file. The server cannot be asked. */
    private function decideByFile(): Result
    {
        try {
            $this->keyHashNamed = self::keyHashIn(self::tokenOfFile(self::textOfFile($this->file)));
            [$claims, $problem] = $this->readLicenseFile('');
            $result = $claims === null ? new Result(false, 'not_found', false) : $this->decideOffline('', 'not_found');
            return $this->told($result, ['detail' => $problem]);
        } finally {
            $this->keyHashNamed = null;
        }
    }

    /** The claims of the licence file, or null and why there are none. */
    private function readLicenseFile(string $key): array
    {
        if ($this->file === null || $this->file === '') {
            return [null, null];
        }
        $text = self::textOfFile($this->file);
        if ($text === null) {
            $problem = file_exists($this->file) ? 'file_unreadable' : 'file_missing';
            $this->note($problem, 'The licence file does not count: it cannot be read.');
            return [null, $problem];
        }
        [$claims, $error] = $this->readToken(self::tokenOfFile($text), 'file', $key);
        if ($error === null) {
            return [$claims, null];
        }
        $problem = self::FILE_PROBLEMS[$error] ?? 'file_damaged';
        $this->note($problem, "The licence file does not count ($error).");
        return [null, $problem];
    }

    /** Calls the program's log, which can change nothing. */
    private function note(string $code, string $message): void
    {
        if ($this->log) {
            self::quietly(fn () => ($this->log)($code, $message));
        }
    }

    /** Remembers what became of the store, and logs a problem. */
    private function noteStore(?string $storeError): void
    {
        $this->storeError = $storeError;
        if ($storeError !== null) {
            $this->note("store_$storeError", "The store cannot be used ($storeError): no work without connection.");
        }
    }

    private function remembered(Result $result): Result
    {
        $this->features = $result->features;
        return $this->withRefused($result);
    }

    /** Seconds of a counter that nobody sets, and that all processes since the start of the system have in common. */
    private static function counter(): float
    {
        return hrtime(true) / 1e9;
    }

    /** Keeps the last result, in memory and for other processes; these have the verdict itself from the store. */
    private function keepLast(string $key, Result $result): void
    {
        $at = self::counter();
        $this->last = ['key' => $key, 'result' => $result, 'at' => $at];
        if ($key === '') {
            return;
        }
        $told = ['ok' => $result->ok, 'reason' => $result->reason, 'detail' => $result->detail];
        $told += ['offline' => $result->offline, 'nextCheck' => $result->nextCheck];
        $told += ['seatFreeAt' => $result->seatFreeAt?->format('Y-m-d\TH:i:s\Z'), 'build' => $this->releasedOn ?? ''];
        $kept = ['license' => $this->keyHash($key), 'run' => self::systemTicks()['run'], 'at' => $at] + $told;
        self::writeFile("$this->store.last", json_encode($kept));
    }

    /** What any process with this store was last told for this key. Nobody signed it. */
    private function keptLast(string $key): ?array
    {
        $last = (array) self::objectOf(self::fileText("$this->store.last"));
        $types = ['at' => 'is_float', 'ok' => 'is_bool', 'offline' => 'is_bool', 'nextCheck' => 'is_int'];
        foreach ($types as $name => $isType) {
            if (!$isType($last[$name] ?? null)) {
                return null;
            }
        }
        $isText = fn (string $name) => is_string($last[$name] ?? null) || ($last[$name] ?? null) === null;
        $isOurs = ($last['license'] ?? null) === $this->keyHash($key) && $isText('reason') && $isText('detail');
        // What was said to another build does not bind this one.
        return $isOurs && ($last['build'] ?? '') === ($this->releasedOn ?? '') ? $last + ['reason' => null, 'detail' => null] : null;
    }

    /** The last result of this key, of any process with this store, where it may still be used; and when it came. */
    private function lastResult(string $key): array
    {
        $now = self::counter();
        $last = $key === '' ? null : $this->keptLast($key);
        if ($last !== null && $last['at'] <= $now && ($last['run'] ?? '') === self::systemTicks()['run']) {
            $told = ['detail' => $last['detail'], 'offline' => $last['offline'], 'nextCheck' => $last['nextCheck']];
            $told['seatFreeAt'] = self::instantOf($last['seatFreeAt'] ?? null);
            $kept = $this->keptResult($key);
            // A refusal without a verdict, such as no_connection, is kept nowhere else.
            $result = $last['ok'] || $kept?->reason === $last['reason'] ? $kept : new Result(false, $last['reason'], false);
            return $result?->ok === $last['ok'] && $this->isUsable($result, $now - $last['at'])
                ? [$this->told($result, $told), $last['at']]
                : [null, 0];
        }
        ['key' => $own, 'result' => $result, 'at' => $at] = $this->last ?? ['key' => null, 'result' => null, 'at' => 0];
        // Where the store cannot be written.
        return $own === $key && $this->isUsable($result, $now - $at) ? [$result, $at] : [null, 0];
    }

    /** Whether a result of this age in seconds may be used again. */
    private function isUsable(Result $result, float $age): bool
    {
        return $result->ok ? $result->offlineUntil->getTimestamp() > ($this->clock)() : $age < self::MINUTE;
    }

    /** What the kept verdict says now. Nothing is written: the next check counts the time. */
    private function keptResult(string $key): ?Result
    {
        $store = $this->read();
        [$kept] = $this->keptClaims($store, $key);
        if ($kept === null || $store['license'] !== $this->keyHash($key)) {
            return null;
        }
        if ($kept->valid !== true) {
            return self::resultOf($kept, 0, true);
        }
        $time = self::timeOf($store, max($store['mark'] ?? 0, $kept->iat), $this->timesNow());
        [$now, $error] = self::judgeTime($kept, $time);
        return $error === null ? self::resultOf($kept, $now, true) : null;
    }

    /** The hash of the key that a token names, before anything of it is checked; empty where there is none. */
    private static function keyHashIn(string $token): string
    {
        $named = self::partOf(explode('.', $token)[1] ?? '')?->key_hash ?? null;
        return is_string($named) ? $named : '';
    }

    /** The hash of a key, however it is typed. */
    private function keyHash(string $key): string
    {
        return $this->keyHashNamed ?? hash('sha256', self::countedOf($key));
    }

    /** What counts of a key. */
    private static function countedOf(string $key): string
    {
        return strtoupper(preg_replace('/[^!-~]|-/', '', $key));
    }

    /** Steps 2 to 5 of ../README.md: what ask() says of the last call. */
    private function askServer(string $key): array
    {
        $about = ['os' => self::nameOfSystem()];
        if ($this->appVersion !== null) {
            $about['app_version'] = $this->appVersion;
        }
        if (($this->releasedOn ?? '') !== '') {
            $about['released_on'] = $this->releasedOn;
        }
        $this->sent = null;
        $first = $this->ask('validate', $key, ['require_seat' => true] + $about);
        $claims = $first['claims'] ?? null;
        $about += ['machine_name' => $this->nameOfMachine()];
        if ($claims?->reason === 'not_activated') {
            $activated = $this->ask('activate', $key, $about);
            $isValid = ($activated['claims'] ?? null)?->valid === true;
            $sent = $isValid ? $this->sendUses($key, $activated['claims']->iat) : ['files' => []];
            // The verdict that is kept knows of what was sent.
            $beat = $sent['files'] ? $this->ask('heartbeat', $key, $about) : [];
            if (!isset($beat['claims'])) {
                return $activated;
            }
            $this->sent = $sent;
            return $beat;
        }
        if ($claims?->valid === true) {
            $this->sent = $this->sendUses($key, $claims->iat);
            return $this->ask('heartbeat', $key, $about);
        }
        return $first;
    }

    /** The name given, or that of the computer. A host may have taken the function away. */
    private function nameOfMachine(): string
    {
        return self::cut($this->machineName ?: (string) self::quietly(fn () => php_uname('n')), 200);
    }

    /** The system's name and version. */
    private static function nameOfSystem(): string
    {
        return self::cut((string) self::quietly(fn () => php_uname('s') . ' ' . php_uname('r')), 100);
    }

    /** A text cut by characters: no half of one remains. */
    private static function cut(string $text, int $most): string
    {
        return preg_match("/^.{0,$most}/us", $text, $found) ? $found[0] : substr($text, 0, $most);
    }

    /** A key without blanks around it, and without the mark that editors put before a text. */
    private static function trimmed(string $key): string
    {
        return preg_replace('/^[\s\p{Z}\x{FEFF}\0]+|[\s\p{Z}\x{FEFF}\0]+$/u', '', $key) ?? trim($key);
    }

    /**
     * One call: `token` and `claims` of the verdict, or the `problem` with its `detail`, the seconds of `retryAfter`, the
     * `status`, 0 without an answer, and perhaps the `code` of an answer without a token.
     */
    private function ask(string $call, string $key, array $fields): array
    {
        $fields += ['license_key' => $key, 'machine_id' => $this->machineId(), 'software' => $this->software];
        $nonce = rtrim(strtr(base64_encode(random_bytes(16)), '+/', '-_'), '=');
        $answer = $this->post(self::PATHS[$call], $fields + ['nonce' => $nonce]);
        if (isset($answer['failure'])) {
            $this->note($answer['failure'], "$call: no answer of the server");
            return ['problem' => 'no_connection', 'detail' => $answer['failure'], 'retryAfter' => 0, 'status' => 0];
        }
        ['status' => $status, 'body' => $body, 'retryAfter' => $retryAfter] = $answer;
        $content = self::objectOf($body);
        $token = $content?->token ?? null;
        [$claims, $error] = is_string($token) ? $this->readToken($token, $call, $key) : [null, null];
        if ($claims !== null && ($claims->nonce ?? null) === $nonce) {
            $seatFreeAt = self::instantOf($content->seat_free_at ?? null);
            return compact('token', 'claims', 'seatFreeAt');
        }
        [$problem, $detail] = self::problemOf($status, $error);
        $code = $problem === 'unverified' && !is_string($token) ? self::codeIn($content) : null;
        $why = is_string($token) ? 'its token fails (' . ($error ?? 'nonce') . ')' : 'no token' . ($code ? " ($code)" : '');
        $this->note($detail, "$call: status $status, $why");
        return compact('problem', 'detail', 'retryAfter', 'status') + ($code ? ['code' => $code] : []);
    }

    /** The problem and the detail of an answer that brings nothing that counts; the error is that of its token. */
    private static function problemOf(int $status, ?string $error): array
    {
        $isOfKeys = in_array($error, ['unknown_key', 'signature'], true);
        return match (true) {
            $status === 429 => ['no_connection', 'rate_limited'],
            $status === 407 => ['no_connection', 'proxy'],
            $status >= 500 => ['no_connection', 'server_error'],
            default => ['unverified', $isOfKeys ? 'wrong_key' : 'not_the_server'],
        };
    }

    /** The code of an answer that is not signed: it explains, and decides nothing. */
    private static function codeIn(?object $content): ?string
    {
        $code = $content?->code ?? null;
        return is_string($code) && preg_match('/^[a-z_]{1,50}$/D', $code) ? $code : null;
    }

    /** The status, the body and the seconds of Retry-After of an answer; or only the failure. */
    private function post(string $path, array $fields): array
    {
        $content = json_encode($fields, JSON_INVALID_UTF8_SUBSTITUTE);
        if ($this->transport !== null) {
            return $this->postByTransport($path, $content);
        }
        $isCurl = function_exists('curl_init');
        $work = fn () => $isCurl ? $this->postByCurl($path, $content) : $this->postByStream($path, $content);
        return self::quietly($work) ?? ['failure' => 'unreachable'];
    }

    /** The program's own way to the server. Whatever it throws is a failure of the network, and so is an answer too late. */
    private function postByTransport(string $path, string $content): array
    {
        $asked = ['content-type' => 'application/json', 'user-agent' => self::USER_AGENT];
        $begin = self::counter();
        $work = fn () => ($this->transport)($this->server . $path, $content, $asked, $this->timeout);
        [$status, $headers, $body] = ((array) self::quietly($work, $problems)) + [null, [], null];
        $isLate = self::counter() - $begin > $this->timeout;
        if ($isLate || !is_int($status) || $status < 100 || !is_string($body)) {
            return ['failure' => self::failureIn($problems, $isLate, false)];
        }
        $retryAfter = 0;
        foreach (is_array($headers) ? $headers : [] as $name => $value) {
            $text = is_array($value) ? reset($value) : $value;
            $retryAfter = self::retryAfterIn("$name: " . (is_scalar($text) ? $text : '')) ?? $retryAfter;
        }
        return ['status' => $status, 'body' => strlen($body) > self::ANSWER_BYTES ? '' : $body, 'retryAfter' => $retryAfter];
    }

    private function postByCurl(string $path, string $content): array
    {
        [$body, $retryAfter] = ['', 0];
        $curl = curl_init($this->server . $path);
        $proxy = $this->proxy();
        curl_setopt_array($curl, [
            CURLOPT_POSTFIELDS => $content,
            CURLOPT_HTTPHEADER => ['content-type: application/json', 'expect:'],
            CURLOPT_USERAGENT => self::USER_AGENT,
            CURLOPT_PROXY => $proxy,
            CURLOPT_NOSIGNAL => true,
            CURLOPT_TIMEOUT_MS => max(1, (int) ($this->timeout * 1000)),
            CURLOPT_HEADERFUNCTION => function ($_, string $line) use (&$retryAfter): int {
                $retryAfter = self::retryAfterIn($line) ?? $retryAfter;
                return strlen($line);
            },
            CURLOPT_WRITEFUNCTION => function ($_, string $chunk) use (&$body): int {
                $body .= $chunk;
                return strlen($body) > self::ANSWER_BYTES ? 0 : strlen($chunk);
            },
        ]);
        curl_exec($curl);
        $error = curl_errno($curl);
        $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
        $isRefusedByProxy = curl_getinfo($curl, CURLINFO_HTTP_CONNECTCODE) >= 300;
        if (strlen($body) > self::ANSWER_BYTES) {
            return ['status' => $status, 'body' => '', 'retryAfter' => $retryAfter];
        }
        if ($error === 0) {
            return ['status' => $status, 'body' => $body, 'retryAfter' => $retryAfter];
        }
        $meanings = array_filter(self::CURL_ERRORS, fn (array $codes) => in_array($error, $codes, true));
        $isOfProxy = $isRefusedByProxy || ($proxy !== '' && $error === 7);
        return ['failure' => $isOfProxy ? 'proxy' : (array_key_first($meanings) ?? 'unreachable')];
    }

    private function postByStream(string $path, string $content): array
    {
        $begin = self::counter();
        $left = fn (): float => $begin + $this->timeout - self::counter();
        $http = ['method' => 'POST', 'header' => 'content-type: application/json', 'content' => $content];
        $http += ['user_agent' => self::USER_AGENT];
        $http += ['timeout' => $this->timeout, 'follow_location' => 0, 'ignore_errors' => true];
        $proxy = $this->proxy();
        if ($proxy !== '') {
            ['host' => $host, 'port' => $port, 'user' => $user, 'pass' => $pass] = parse_url($proxy)
                + ['host' => '', 'port' => 80, 'user' => '', 'pass' => ''];
            $http += ['proxy' => "tcp://$host:$port", 'request_fulluri' => str_starts_with($this->server, 'http:')];
            $login = base64_encode(rawurldecode($user) . ':' . rawurldecode($pass));
            $http['header'] .= $user === '' ? '' : "\r\nproxy-authorization: Basic $login";
        }
        $open = fn () => fopen($this->server . $path, 'r', false, stream_context_create(['http' => $http]));
        $warnings = '';
        $stream = self::quietly($open, $warnings);
        if (!$stream) {
            return ['failure' => self::failureIn($warnings, $left() <= 0.05, $proxy !== '')];
        }
        $headers = stream_get_meta_data($stream)['wrapper_data'];
        $status = preg_match('~^HTTP/\S+ (\d{3})~', $headers[0] ?? '', $found) ? (int) $found[1] : 0;
        $waits = array_filter(array_map(self::retryAfterIn(...), $headers), is_int(...));
        $body = '';
        while (strlen($body) <= self::ANSWER_BYTES && !feof($stream)) {
            $micros = (int) ($left() * 1e6);
            if ($micros <= 0) {
                return ['failure' => 'timeout'];
            }
            stream_set_timeout($stream, intdiv($micros, 1_000_000), $micros % 1_000_000);
            // One byte at a time from what has come: fread waits for more than one where an answer comes in chunks.
            $body .= fread($stream, 1);
            if (stream_get_meta_data($stream)['timed_out']) {
                return ['failure' => 'timeout'];
            }
        }
        fclose($stream);
        $isWhole = strlen($body) <= self::ANSWER_BYTES;
        return ['status' => $status, 'body' => $isWhole ? $body : '', 'retryAfter' => reset($waits) ?: 0];
    }

    /** What a failure means, by its warnings or the text of what was thrown: of streams, of curl, of what stands above it. */
    private static function failureIn(string $warnings, bool $isLate, bool $hasProxy): string
    {
        return match (true) {
            $isLate || (bool) preg_match('/timed out|timeout/i', $warnings) => 'timeout',
            (bool) preg_match('/resolve proxy|from proxy|CONNECT tunnel/i', $warnings) => 'proxy',
            (bool) preg_match('/SSL|TLS|crypto|certificate/i', $warnings) => 'tls',
            $hasProxy => 'proxy',
            (bool) preg_match('/getaddrinfo|resolve host/i', $warnings) => 'dns',
            default => 'unreachable',
        };
    }

    /** The seconds in a line 'Retry-After: 30'; null in another. */
    private static function retryAfterIn(string $line): ?int
    {
        return preg_match('/^retry-after:\s*(\d{1,9})\s*$/i', $line, $found) ? (int) $found[1] : null;
    }

    /** The proxy that the environment names for the server; empty without one. */
    private function proxy(): string
    {
        ['scheme' => $scheme, 'host' => $host] = parse_url($this->server) + ['scheme' => '', 'host' => ''];
        foreach (explode(',', strtolower(getenv('no_proxy') ?: getenv('NO_PROXY') ?: '')) as $entry) {
            $name = ltrim(trim($entry), '.');
            if ($name === '*' || ($name !== '' && str_ends_with(strtolower(".$host"), ".$name"))) {
                return '';
            }
        }
        if (strtolower($scheme) === 'https') {
            return getenv('https_proxy') ?: getenv('HTTPS_PROXY') ?: '';
        }
        // In a web server HTTP_PROXY is a header of whoever asks.
        return PHP_SAPI === 'cli' ? (getenv('http_proxy') ?: '') : '';
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
        [$kept, $last] = $this->keptClaims($store, $key);
        $verdicts = $kept !== null && $store['license'] === $this->keyHash($key) ? [[$kept, true]] : [];
        [$inFile] = $this->readLicenseFile($key);
        if ($inFile !== null) {
            $verdicts[] = [$inFile, false];
        }

        $marks = array_filter([$store['mark'], $last?->iat, $kept?->iat], is_int(...));
        $byClock = self::timeOf($store, $marks ? max($marks) : null, $times);
        $time = self::timeByFile($inFile, $store['issued'], $byClock);
        $this->noteClock($store, $byClock, $time);
        [$ended, $best, $latest] = [[], null, null];
        foreach ($verdicts as [$claims, $isKept]) {
            [$now, $error] = self::judgeTime($claims, $time);
            $latest ??= $now;
            $isLastingRefusal = $isKept && $claims->valid !== true && $error === 'expired';
            if ($error !== null && !$isLastingRefusal) {
                $ended[] = self::endedOf($error, $claims, $now);
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
        return $ended[0] ?? new Result(false, $problem, false);
    }

    /** What is said of a verdict that does not count now: where the licence itself has ended too, that. */
    private static function endedOf(string $error, object $claims, ?int $now): Result
    {
        $end = self::instantOf($claims->usable_until ?? null) ?? self::instantOf($claims->license_expires ?? null);
        if ($error !== 'expired' || $end === null || (float) $end->format('U.u') > $now) {
            return new Result(false, self::REASONS_OFFLINE[$error], true);
        }
        $ended = clone $claims;
        [$ended->valid, $ended->reason] = [false, 'expired'];
        return self::resultOf($ended, $now, true);
    }

    /** Logs the rules of the clock that bite. */
    private function noteClock(array $store, array $time, array $byFile): void
    {
        $step = $time['clock'] - ($store['clock'] ?? $time['clock']);
        $passed = $time['least'] === null ? 0 : $time['least'] - ($store['mark'] ?? $time['least']);
        if ($step < 0) {
            $this->note('clock_back', 'The clock was set back by ' . -$step . " s; $time[back] s of " . self::DAY . ' s in all.');
        } elseif ($store['clock'] !== null && $passed - $step > self::MINUTE) {
            $this->note('clock_still', 'The clock counted ' . $passed - $step . ' s less than passed.');
        }
        if ($byFile !== $time) {
            $this->note('clock_file', 'A newer licence file set the time anew.');
        }
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
        $isOne = is_string($text) && preg_match(self::INSTANT, $text) === 1;
        return $isOne ? self::quietly(fn () => new \DateTimeImmutable($text)) : null;
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
        return $hasNoSeat ? [null, 'seat'] : [$this->forBuild($claims), null];
    }

    /** A valid token refuses a build that came out after the last day of updates; older ones it lets run. */
    private function forBuild(object $claims): object
    {
        $until = $claims->updates_until ?? null;
        $isLater = is_string($until) && ($this->releasedOn ?? '') !== '' && strcmp($this->releasedOn, $until) > 0;
        if (($claims->valid ?? null) !== true || !$isLater) {
            return $claims;
        }
        $refused = clone $claims;
        $refused->valid = false;
        $refused->reason = 'updates_ended';
        return $refused;
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

    /** The token in the text of a licence file, whatever stands around it; an empty text where there is none. */
    private static function tokenOfFile(?string $text): string
    {
        [, $behind] = explode(self::BEGIN, $text ?? '', 2) + [1 => ''];
        $parts = explode(self::END, $behind, 2);
        return count($parts) === 2 ? preg_replace('/\s/', '', $parts[0]) : '';
    }

    /** The text of a licence file; null where it cannot be read. Of UTF-16, which some editors write, what matters is ASCII. */
    private static function textOfFile(?string $path): ?string
    {
        if ($path === null || $path === '' || is_dir($path)) {
            return null;
        }
        $text = self::quietly(fn () => file_get_contents($path, false, null, 0, self::FILE_BYTES));
        $isWide = in_array(substr((string) $text, 0, 2), ["\xFF\xFE", "\xFE\xFF"], true);
        return is_string($text) ? ($isWide ? str_replace("\0", '', $text) : $text) : null;
    }

    private function findMachineId(): string
    {
        $own = self::systemId();
        $suffix = $this->instance === '' ? '' : "\n$this->instance";
        if ($own !== '') {
            return hash('sha256', "$own\n$this->software$suffix");
        }
        $made = $this->madeId("$this->store.machine");
        return $suffix === '' ? $made : hash('sha256', "$made\n$this->software$suffix");
    }

    /** Random digits that are made once and kept. */
    private function madeId(string $path): string
    {
        $kept = trim(self::fileText($path));
        if (preg_match('/^[0-9a-f]{32}$/D', $kept)) {
            return $kept;
        }
        $made = self::randomDigits();
        $this->noteStore(self::writeFile($path, $made));
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
        $content = $this->unwritten ?? $this->readStore();
        $text = fn (string $name) => is_string($content[$name] ?? null) ? $content[$name] : '';
        $time = function (string $name, ?int $absent = null) use ($content): ?int {
            $value = $content[$name] ?? null;
            return is_int($value) && $value >= 0 && $value < 2 ** 53 ? $value : $absent;
        };
        return [
            ...['license' => $text('license'), 'token' => $text('token'), 'before' => $text('before'), 'mark' => $time('mark')],
            ...['clock' => $time('clock'), 'back' => $time('back', 0), 'leap' => $time('leap', 0)],
            ...['issued' => $time('issued'), 'run' => $text('run'), 'ticks' => $time('ticks')],
        ];
    }

    private function readStore(): array
    {
        $read = fn () => file_get_contents($this->store, false, null, 0, self::STORE_BYTES + 1);
        $text = is_dir($this->store) ? false : self::quietly($read, $warnings);
        $isAbsent = $text === false && !is_dir($this->store) && !file_exists($this->store);
        $this->noteStore(is_string($text) || $isAbsent ? null : self::storeErrorIn($warnings ?? '', $this->store));
        return self::storeIn((string) $text);
    }

    /** What a text says as a store; one that is too large says nothing. */
    private static function storeIn(string $text): array
    {
        $isStore = strlen($text) <= self::STORE_BYTES;
        return $isStore ? (array) self::objectOf(preg_replace('/^\xEF\xBB\xBF/', '', $text)) : [];
    }

    private function write(array $content): void
    {
        if (($content['before'] ?? '') === '') {
            unset($content['before']);
        }
        $storeError = self::writeFile($this->store, json_encode($content));
        $this->unwritten = $storeError === null ? null : $content;
        $this->noteStore($storeError);
    }

    private static function fileText(?string $path): string
    {
        return $path === null ? '' : (string) self::quietly(fn () => file_get_contents($path));
    }

    private static function makeFolder(string $path): void
    {
        $folder = dirname($path);
        // Another process may make it meanwhile.
        if (!is_dir($folder) && !mkdir($folder, 0777, true) && !is_dir($folder)) {
            throw new \RuntimeException('The folder cannot be made.');
        }
    }

    /** Writes a text beside the file and renames it. Returns null, or why that failed: 'denied', 'full' or 'failed'. */
    private static function writeFile(string $path, string $text): ?string
    {
        $draft = "$path." . self::randomDigits();
        $write = function () use ($path, $text, $draft): bool {
            self::makeFolder($path);
            return file_put_contents($draft, $text) === strlen($text) && rename($draft, $path);
        };
        if (self::quietly($write, $warnings) === true) {
            return null;
        }
        self::quietly(fn () => is_file($draft) && unlink($draft));
        return self::storeErrorIn($warnings, $path);
    }

    /** Why a store cannot be used. The program may have set another language for the system's texts. */
    private static function storeErrorIn(string $warnings, string $path): string
    {
        $folder = dirname($path);
        $isThere = is_dir($folder);
        return match (true) {
            (bool) preg_match('/Permission denied|not permitted|Read-only/i', $warnings) => 'denied',
            (bool) preg_match('/No space left|errno=28|disk space|quota/i', $warnings) => 'full',
            $isThere && !is_writable($folder) => 'denied',
            $isThere && (self::quietly(fn () => disk_free_space($folder)) ?? 4096) < 4096 => 'full',
            default => 'failed',
        };
    }

    /**
     * What the work returns; null when it fails. Warnings and what was thrown go nowhere but into `warnings`, whatever the
     * program does with its own.
     */
    private static function quietly(callable $work, ?string &$warnings = null): mixed
    {
        $warnings = '';
        set_error_handler(function (int $_, string $text) use (&$warnings): bool {
            $warnings .= "$text\n";
            return true;
        });
        try {
            return $work();
        } catch (\Throwable $error) {
            $warnings .= $error->getMessage();
            return null;
        } finally {
            restore_error_handler();
        }
    }
}
