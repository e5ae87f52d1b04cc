import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findToolchain } from '../../tools/toolchains.ts';
import { createTestApp, type TestApp } from '../app.ts';
import { createLicense, createSoftware } from '../factories.ts';
import { type Company, startCompany } from './company.ts';

const run = promisify(execFile);
const php = await findToolchain('php');
const root = join(import.meta.dirname, '..', '..');
const sdk = join(root, 'sdk', 'php');
const hasCurl =
  php && (await run(php, ['-r', "echo function_exists('curl_init') ? 'yes' : '';"])).stdout === 'yes';

/** A program that checks a licence by the transport of its second argument, and prints what it knows. */
const PROGRAM = `<?php
require $argv[1] . '/License.php';
['transport' => $code, 'key' => $key] = $config = json_decode(file_get_contents($argv[2]), true);
unset($config['transport'], $config['key']);
try {
    $license = new LicenseManager\\License(...$config, transport: eval($code));
    $begin = hrtime(true);
    $result = $license->check($key);
    $said = ['ok' => $result->ok, 'reason' => $result->reason, 'detail' => $result->detail, 'nextCheck' => $result->nextCheck];
    $seconds = (hrtime(true) - $begin) / 1e9;
    $url = $license->portalUrl($key);
    echo json_encode($said + ['url' => $url, 'portal' => $license->portalReason(), 'seconds' => $seconds]);
} catch (InvalidArgumentException $error) {
    echo json_encode(['error' => $error->getMessage()]);
}
`;

/** The way by streams, as a program may write it; \`$change\` is PHP that may change what it returns. */
const byStream = (
  change = '',
) => `function (string $url, string $body, array $headers, float $timeout): array {
    $lines = array_map(fn ($name) => "$name: $headers[$name]", array_keys($headers));
    $http = ['method' => 'POST', 'content' => $body, 'header' => $lines, 'timeout' => $timeout];
    $context = stream_context_create(['http' => $http + ['follow_location' => 0, 'ignore_errors' => true]]);
    $text = file_get_contents($url, false, $context);
    $answer = [(int) explode(' ', $http_response_header[0])[1], [], $text];
    ${change}
    return $answer;
}`;

describe.runIf(php)('the own transport of PHP', { tags: ['CODE-05'] }, () => {
  let testApp: TestApp;
  let folder: string;
  let config: Record<string, unknown>;
  let softwareId: number;
  let company: Company;
  let stores = 0;

  beforeAll(async () => {
    testApp = await createTestApp({ ownApp: true, closeAfterTest: false });
    const server = await testApp.app.listen({ host: '127.0.0.1', port: 0 });
    company = await startCompany(server);
    folder = mkdtempSync(join(tmpdir(), 'lm-php-transport-'));
    writeFileSync(join(folder, 'ca-empresa.pem'), company.ca);
    writeFileSync(join(folder, 'program.php'), PROGRAM);
    const software = await createSoftware(testApp, { name: 'Caja con proxy' });
    softwareId = software.id;
    const { license_key: key } = await createLicense(testApp, { software: softwareId, expiry_days: null });
    const { results } = (await testApp.call('GET', '/licenses/api/signing-keys/')).body;
    const { kid, x, y } = results.find(({ state }: { state: string }) => state === 'current').public_jwk;
    config = { server, software: software.code, keys: [{ kid, x, y }], key };
  });
  afterAll(async () => {
    company.stop();
    await testApp.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** What a program with an empty store says with this transport, in PHP. */
  const checkBy = async (transport: string, changes: object = {}) => {
    stores += 1;
    const path = join(folder, `config${stores}.json`);
    const store = join(folder, `store${stores}`);
    writeFileSync(
      path,
      JSON.stringify({ ...config, timeout: 20, store, transport: `return ${transport};`, ...changes }),
    );
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/_proxy$/i.test(name)));
    const { stdout } = await run(php!, [join(folder, 'program.php'), sdk, path], { env });
    return JSON.parse(stdout);
  };
  const failed = (detail: string) => ({ ok: false, reason: 'no_connection', detail });
  const unverified = { ok: false, reason: 'unverified', detail: 'not_the_server' };

  test('posts in place of curl, each call once', async () => {
    const calls = join(folder, 'calls');
    const noting = byStream(`file_put_contents('${calls}', "$url\\n", FILE_APPEND);`);
    expect(await checkBy(noting)).toMatchObject({ ok: true, reason: null, detail: null });
    const said = readFileSync(calls, 'utf8').trim().split('\n');
    expect(said.map((url) => url.replace(/^.*\/licenses\/api/, ''))).toEqual([
      ...['/license/validate/', '/installations/', '/portal/ticket/'],
    ]);
    expect(await checkBy('null')).toMatchObject({ ok: true });
    // The server's own refusals, and its answers without a token.
    const unknown = await checkBy(byStream(), { key: 'AAAAA-BBBBB-CCCCC-DDDDD-EEEEE' });
    expect(unknown).toMatchObject({ ok: false, reason: 'not_found', detail: null, portal: 'not_found' });
  });

  test.runIf(hasCurl).each(['proxy.md', 'es/proxy-certificados-antivirus.md'])(
    '%s: the calls go through the proxy of a company, under its authority',
    async (page) => {
      const text = readFileSync(join(root, 'docs', page), 'utf8');
      const [, code = ''] = /^```php\n<\?php\n(\/\/ transporte\.php\n[\s\S]*?)^```$/m.exec(text) ?? [];
      expect(code).toContain("'usuario:clave'");
      const by = (changes: object, password = 'clave') => {
        const own = code
          .replace('http://proxy.empresa.example:8080', company.proxyWithoutUser)
          .replace('usuario:clave', `usuario:${password}`)
          .replace('__DIR__', `'${folder}'`);
        return checkBy('null', { transport: `${own}\nreturn $transport;`, ...changes });
      };
      const { server } = company;
      expect(await checkBy('null', { server })).toMatchObject(failed('dns'));
      expect(await by({ server })).toMatchObject({ ok: true, detail: null });
      expect(company.tunnels()[0]).toBe('licencias.test:443');
      expect(await by({ server }, 'otra')).toMatchObject(failed('proxy'));
    },
  );

  test.runIf(hasCurl)(
    'the authority of a company counts where the transport names it, and is tls otherwise',
    async () => {
      const curl = (
        authority: string,
      ) => `function (string $url, string $body, array $headers, float $timeout): array {
      $curl = curl_init($url);
      curl_setopt_array($curl, [CURLOPT_POSTFIELDS => $body, CURLOPT_RETURNTRANSFER => true, CURLOPT_PROXY => ''] + [${authority}]);
      curl_setopt($curl, CURLOPT_HTTPHEADER, ['content-type: application/json']);
      $text = curl_exec($curl);
      if ($text === false) throw new RuntimeException(curl_error($curl));
      return [curl_getinfo($curl, CURLINFO_RESPONSE_CODE), [], $text];
    }`;
      const known = curl(`CURLOPT_CAINFO => '${join(folder, 'ca-empresa.pem')}'`);
      expect(await checkBy(known, { server: company.direct })).toMatchObject({ ok: true });
      expect(await checkBy(curl(''), { server: company.direct })).toMatchObject(failed('tls'));
    },
  );

  test('that throws, or returns no answer, is a failure of the network and no exception', async () => {
    const bodies = [
      ...['throw new RuntimeException("a")', 'throw new Error("a")', 'return null', 'return []', 'return 7'],
      ...['return [0, [], ""]', 'return ["200", [], ""]', 'return [200, [], null]', 'trigger_error("a")'],
    ];
    for (const body of bodies) {
      expect(await checkBy(`function () { ${body}; }`), body).toMatchObject(failed('unreachable'));
    }
    expect(await checkBy('function () { return [200, null, ""]; }')).toMatchObject(unverified);
  });

  test('says by what it throws why there was no answer', async () => {
    const details = {
      'cURL error 6: Could not resolve host: licencias.example.com': 'dns',
      'cURL error 28: Operation timed out after 3001 milliseconds with 0 bytes received': 'timeout',
      'SSL certificate problem: unable to get local issuer certificate': 'tls',
      'CONNECT tunnel failed, response 407': 'proxy',
      'Received HTTP code 403 from proxy after CONNECT': 'proxy',
      'Could not resolve proxy: proxy.empresa.example': 'proxy',
      'Failed to connect to 10.0.0.1 port 443: Connection refused': 'unreachable',
    };
    for (const [text, detail] of Object.entries(details)) {
      const thrown = `function () { throw new RuntimeException('${text}'); }`;
      expect(await checkBy(thrown), text).toMatchObject(failed(detail));
    }
  });

  test('has the limits of the SDK: the time, 64 KiB, and the form of Retry-After', async () => {
    const late = byStream('usleep(600000);');
    expect(await checkBy(late, { timeout: 0.5 })).toMatchObject({ ...failed('timeout'), url: null });
    const filled = (size: number) => byStream(`$answer[2] .= str_repeat(' ', ${size} - strlen($answer[2]));`);
    expect(await checkBy(filled(64 * 1024))).toMatchObject({ ok: true });
    expect(await checkBy(filled(64 * 1024 + 1))).toMatchObject(unverified);
    const floating = { seat_mode: 'floating', lease_minutes: 30, expiry_days: null } as const;
    const { license_key: key } = await createLicense(testApp, { software: softwareId, ...floating });
    const kept = { key, store: join(folder, 'floating') };
    // Half of the lease, which began before the token: perhaps in the second before.
    const { ok, nextCheck } = await checkBy(byStream(), kept);
    expect([ok, nextCheck > 890, nextCheck <= 900]).toEqual([true, true, true]);
    for (const wait of [`['Retry-After' => '1800']`, `['retry-after' => ['1800']]`]) {
      const limited = await checkBy(`fn () => [429, ${wait}, '']`, kept);
      expect(limited).toMatchObject({ ok: true, detail: 'rate_limited', nextCheck: 1800 });
    }
    const redirected = `fn () => [307, ['location' => 'http://127.0.0.1/'], '']`;
    expect(await checkBy(redirected)).toMatchObject(unverified);
  });

  test('that is no function is a wrong option', async () => {
    expect(await checkBy(`'no_such_function'`)).toEqual({ error: 'transport: a function is needed' });
  });
});
