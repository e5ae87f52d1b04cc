<?php
// The commands of the tests (../README.md, The driver): php driver.php vectors|check|release|machine-id|serve …

declare(strict_types=1);

require __DIR__ . '/License.php';

use LicenseManager\License;
use LicenseManager\Result;

function readJson(string $path): array
{
    return json_decode(file_get_contents($path), true, 512, JSON_THROW_ON_ERROR);
}

function vectors(string $path): array
{
    ['audience' => $software, 'machine_id' => $machineId, 'keys' => $keys, 'cases' => $cases] = $file = readJson($path);
    $askedIn = fn (array $case) => [
        'key' => $case['license_key'] ?? $file['license_key'],
        'call' => $case['call'] ?? null,
        'nonce' => $case['nonce'] ?? null,
    ];
    $license = fn (array $case) => new License(
        'https://localhost',
        $software,
        $keys,
        'none',
        machineId: $machineId,
        releasedOn: $case['released_on'] ?? null,
    );
    $judged = fn (array $case) => ['name' => $case['name']] + $license($case)->judge(
        $case['kind'],
        $case['input'],
        $askedIn($case),
        $case['clock'],
        $case['mark'],
    );
    return array_map($judged, $cases);
}

function machineId(string $software, string $store = 'machine', ?string $given = null, ?string $instance = null): string
{
    [$x, $y] = ['yP0-iHEqjG4iWMkFi5koNYWxbyqkVVH265jENwM6GHk', 'CSHST7W7Mw9TsLjmcquiHPr0v3QYhhACzsKLT7wc95k'];
    $keys = [['kid' => '-', 'x' => $x, 'y' => $y]];
    $license = new License('https://localhost', $software, $keys, $store, machineId: $given, instance: $instance);
    return $license->machineId();
}

/** A result as the tests read it. */
function written(Result $result): array
{
    $text = fn (mixed $value) => $value instanceof DateTimeImmutable ? $value->format(DATE_RFC3339_EXTENDED) : $value;
    return ['features' => (object) $result->features] + array_map($text, get_object_vars($result));
}

function message(array $told, string $language): string
{
    $instant = fn (?string $text) => $text === null ? null : new DateTimeImmutable($text);
    $instants = ['graceUntil' => $instant($told['graceUntil']), 'offlineUntil' => $instant($told['offlineUntil'])];
    $known = array_intersect_key($told, array_flip(['ok', 'reason', 'detail', 'offline', 'storeError', 'inGrace']));
    return (new Result(...[...$known, ...$instants]))->message($language);
}

/** Each caller is a process, as in a web server. */
function cached(array $command, array $rounds): array
{
    $answers = [];
    foreach ($rounds as ['seconds' => $seconds, 'callers' => $callers, 'wait' => $wait]) {
        usleep((int) ($wait * 1e6));
        $running = [];
        for ($caller = 0; $caller < $callers; $caller++) {
            $line = json_encode(['do' => 'cached-once', 'seconds' => $seconds] + $command, JSON_THROW_ON_ERROR);
            $process = proc_open([PHP_BINARY, __FILE__, 'serve'], [['pipe', 'r'], ['pipe', 'w']], $pipes);
            fwrite($pipes[0], "$line\n");
            fclose($pipes[0]);
            $running[] = [$process, $pipes[1]];
        }
        $read = function (array $one): mixed {
            $answer = json_decode(stream_get_contents($one[1]), false, 512, JSON_THROW_ON_ERROR);
            proc_close($one[0]);
            return $answer;
        };
        $answers[] = array_map($read, $running);
    }
    return $answers;
}

function cachedOnce(License $license, array $command): array
{
    $begin = hrtime(true);
    $result = $license->checkCached($command['key'], $command['seconds']);
    return ['ms' => intdiv(hrtime(true) - $begin, 1_000_000), 'result' => written($result)];
}

function released(License $license, string $key): array
{
    $isReleased = $license->release($key);
    return ['released' => $isReleased, 'reason' => $license->releaseReason(), 'detail' => $license->releaseDetail()];
}

function portal(License $license, string $key): array
{
    $url = $license->portalUrl($key);
    return ['url' => $url, 'reason' => $license->portalReason(), 'detail' => $license->portalDetail()];
}

function left(License $license, array $command): array
{
    $ok = $license->check($command['key'])->ok;
    return ['ok' => $ok, 'left' => array_map($license->remaining(...), $command['codes'])];
}

function trial(License $license, array $command): array
{
    $key = $license->startTrial($command['email'] ?? null, $command['name'] ?? null);
    return ['key' => $key, 'reason' => $license->trialReason(), 'detail' => $license->trialDetail()];
}

function used(License $license, array $uses): array
{
    return array_map(fn (array $use) => $license->use($use['code'], $use['amount'] ?? 1), $uses);
}

function consumed(License $license, array $command): array
{
    $license->check($command['key']);
    return array_map(fn (array $use) => $license->consume($use['code'], $use['amount'] ?? 1), $command['uses']);
}

function checked(License $license, array $command): array
{
    $line = written($license->check($command['key']));
    return $line + (isset($command['has']) ? ['has' => $license->has($command['has'])] : []);
}

function run(array $command): mixed
{
    return match ($command['do']) {
        'vectors' => vectors($command['file']),
        'machine-id' => machineId(
            $command['software'],
            $command['store'] ?? 'machine',
            $command['machine_id'] ?? null,
            $command['instance'] ?? null,
        ),
        'message' => message($command['result'], $command['lang']),
        'open' => errorOf($command),
        'release' => open($command)->release($command['key']),
        'release-why' => released(open($command), $command['key']),
        'portal' => portal(open($command), $command['key']),
        'use' => used(open($command), $command['uses']),
        'left' => left(open($command), $command),
        'remaining' => array_map(open($command)->remaining(...), $command['codes']),
        'consume' => consumed(open($command), $command),
        'trial' => trial(open($command), $command),
        'cached' => cached($command, array_map(fn (array $round) => $round + ['wait' => 0], $command['rounds'])),
        'cached-once' => cachedOnce(open($command), $command),
        'check' => checked(open($command), $command),
    };
}

/** What the constructor says of wrong options; null where they are right. */
function errorOf(array $command): ?string
{
    try {
        open($command);
        return null;
    } catch (InvalidArgumentException $error) {
        return $error->getMessage();
    }
}

function open(array $command): License
{
    return new License(
        $command['server'],
        $command['software'],
        $command['keys'],
        $command['store'],
        file: $command['file'] ?? null,
        machineId: $command['machine_id'] ?? null,
        machineName: $command['machine_name'] ?? null,
        appVersion: $command['app_version'] ?? null,
        releasedOn: $command['released_on'] ?? null,
        timeout: $command['timeout'] ?? 5,
        clock: isset($command['clock']) ? fn () => (int) $command['clock'] : null,
        uptime: isset($command['uptime']) ? fn () => (int) $command['uptime'] : null,
        instance: $command['instance'] ?? null,
        log: isset($command['log']) ? fn (string $code, string $message) => append($command['log'], "$code $message\n") : null,
    );
}

function append(string $path, string $line): void
{
    if (file_put_contents($path, $line, FILE_APPEND) === false) {
        throw new RuntimeException('The log cannot be written.');
    }
}

function show(mixed $value): void
{
    echo json_encode($value, JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR), "\n";
}

[, $command, $argument] = $argv + [2 => ''];
if ($command === 'serve') {
    while (($line = fgets(STDIN)) !== false) {
        show(run(json_decode($line, true, 512, JSON_THROW_ON_ERROR)));
    }
} elseif ($command === 'vectors') {
    show(vectors($argument));
} elseif ($command === 'machine-id') {
    show(machineId($argument));
} else {
    show(run(['do' => $command] + readJson($argument)));
}
