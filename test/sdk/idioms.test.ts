import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findToolchain } from '../../tools/toolchains.ts';

const run = promisify(execFile);
const sdk = join(import.meta.dirname, '..', '..', 'sdk');
const [go, python] = [await findToolchain('go'), await findToolchain('python')];

describe.runIf(go)('the module of the SDK for Go', { tags: ['PROG-07'] }, () => {
  const env = { ...process.env, GOFLAGS: '-buildvcs=false', GOTOOLCHAIN: 'local', GOPROXY: 'off' };
  const cwd = join(sdk, 'go');

  test('a context cancels what waits, and an invalid option has an error type', async () => {
    const { stdout } = await run(go!, ['test', '-vet=all', './...'], { cwd, env });
    expect(stdout).toMatch(/^ok\s/m);
  });

  test('its source is formatted', async () => {
    expect((await run('gofmt', ['-l', '.'], { cwd, env })).stdout).toBe('');
  });

  test.each(['windows', 'darwin'])('compiles for %s', async (GOOS) => {
    await run(go!, ['vet', '.'], { cwd, env: { ...env, GOOS } });
  });
});

describe.runIf(python)('the package of the SDK for Python', { tags: ['PROG-07'] }, () => {
  test('every function has type hints, and the package declares that it is typed', async () => {
    const untyped = `
import ast, sys
tree = ast.parse(open(sys.argv[1], encoding="utf-8").read())
functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
arguments = lambda node: [a for a in node.args.args + node.args.kwonlyargs if a.arg != "self"]
print([f.name for f in functions if f.returns is None or any(a.annotation is None for a in arguments(f))], len(functions) > 50)
`;
    const { stdout } = await run(python!, ['-c', untyped, join(sdk, 'python', 'license.py')]);
    expect(stdout).toBe('[] True\n');
    const project = readFileSync(join(sdk, 'python', 'pyproject.toml'), 'utf8');
    expect(project).toContain('"py.typed" = "license_manager/py.typed"');
    expect(readFileSync(join(sdk, 'python', 'py.typed'), 'utf8')).toBe('');
  });

  test('the file works also when it is copied under another name', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lm-sdk-python-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const text = `
import importlib.util, sys
spec = importlib.util.spec_from_file_location("license_manager", sys.argv[1])
module = importlib.util.module_from_spec(spec)
sys.modules["license_manager"] = module
spec.loader.exec_module(module)
print(module.VERSION)
`;
    const { stdout } = await run(python!, ['-B', '-c', text, join(sdk, 'python', 'license.py')], {
      cwd: folder,
    });
    const { version } = JSON.parse(readFileSync(join(sdk, '..', 'package.json'), 'utf8'));
    expect(stdout).toBe(`${version}\n`);
  });
});
