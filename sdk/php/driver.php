<?php
// The commands of the tests (../README.md, The driver): php driver.php vectors|check|release|machine-id|serve …

declare(strict_types=1);

require __DIR__ . '/License.php';

use LicenseManager\License;

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
    $license = new License('https://localhost', $software, $keys, 'none', machineId: $machineId);
    $judged = fn (array $case) => ['name' => $case['name']] + $license->judge(
        $case['kind'],
        $case['input'],
        $askedIn($case),
        $case['clock'],
        $case['mark'],
    );
    return array_map($judged, $cases);
}

function machineId(string $software, string $store = 'machine', ?string $given = null): string
{
    [$x, $y] = ['yP0-iHEqjG4iWMkFi5koNYWxbyqkVVH265jENwM6GHk', 'CSHST7W7Mw9TsLjmcquiHPr0v3QYhhACzsKLT7wc95k'];
    $keys = [['kid' => '-', 'x' => $x, 'y' => $y]];
    return (new License('https://localhost', $software, $keys, $store, machineId: $given))->machineId();
}

function run(array $command): mixed
{
    if ($command['do'] === 'vectors') {
        return vectors($command['file']);
    }
    if ($command['do'] === 'machine-id') {
        return machineId($command['software'], $command['store'] ?? 'machine', $command['machine_id'] ?? null);
    }
    try {
        $license = open($command);
    } catch (InvalidArgumentException $error) {
        return $command['do'] === 'open' ? $error->getMessage() : throw $error;
    }
    if ($command['do'] === 'open') {
        return null;
    }
    if ($command['do'] === 'release') {
        return $license->release($command['key']);
    }
    $result = $license->check($command['key']);
    $written = fn (mixed $value) => $value instanceof DateTimeImmutable ? $value->format(DATE_RFC3339_EXTENDED) : $value;
    $line = ['features' => (object) $result->features] + array_map($written, get_object_vars($result));
    return $line + (isset($command['has']) ? ['has' => $license->has($command['has'])] : []);
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
        appVersion: $command['app_version'] ?? null,
        timeout: $command['timeout'] ?? 5,
        clock: isset($command['clock']) ? fn () => (int) $command['clock'] : null,
        uptime: isset($command['uptime']) ? fn () => (int) $command['uptime'] : null,
    );
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
