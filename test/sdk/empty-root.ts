import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/**
 * An empty Debian in a folder (debootstrap and chroot), in which only the packages are that a test names. Its processes
 * have their own process ids and mounts, so nothing of it runs or stays mounted when a command ends, however it ends.
 */

const run = promisify(execFile);

/** Alone: the mounts and processes of a command end with it. */
const ALONE = ['--mount', '--pid', '--fork', '--kill-child'];
const BOUNDS = { maxBuffer: 2 ** 26, killSignal: 'SIGKILL' } as const;

/** What leads to the mirror, where anything must. */
const PROXIES = Object.fromEntries(
  ['http_proxy', 'https_proxy', 'no_proxy'].flatMap((name) =>
    process.env[name] ? [[name, process.env[name]]] : [],
  ),
);

/** From where the system itself takes the packages of its own release. */
async function ownMirror(): Promise<{ uri: string; release: string }> {
  const { stdout: name } = await run('sh', ['-c', '. /etc/os-release && printf %s "$VERSION_CODENAME"']);
  const { stdout } = await run('apt-get', [
    ...['indextargets', '--format', '$(CODENAME) $(REPO_URI)'],
    ...['Created-By: Packages', 'Component: main'],
  ]);
  const [, uri] =
    stdout
      .split('\n')
      .map((line) => line.split(' '))
      .find(([release]) => release === name) ?? [];
  if (uri === undefined) throw new Error(`The sources of apt name no mirror for ${name}`);
  return { uri, release: name };
}

export class EmptyRoot {
  readonly folder = mkdtempSync(join(tmpdir(), 'lm-empty-root-'));

  /**
   * Unpacks the smallest system from the mirror of this one. It takes a minute.
   * @param architecture absent: that of this computer
   */
  static async create(architecture?: 'i386'): Promise<EmptyRoot> {
    const { uri, release } = await ownMirror();
    const root = new EmptyRoot();
    const kind = ['--variant=minbase', ...(architecture ? [`--arch=${architecture}`] : [])];
    const make = ['debootstrap', ...kind, release, root.folder, uri];
    await run('unshare', [...ALONE, '--mount-proc', ...make], { ...BOUNDS, timeout: 500_000 }).catch(
      ({ stdout, stderr }) => {
        root.remove();
        throw new Error(`debootstrap: ${`${stdout}\n${stderr}`.trim().split('\n').slice(-3).join('\n')}`);
      },
    );
    return root;
  }

  /** A copy with further packages and what they cannot do without, but nothing that they only recommend. */
  async with(packages: readonly string[]): Promise<EmptyRoot> {
    const copy = new EmptyRoot();
    try {
      await run('cp', ['-a', `${this.folder}/.`, copy.folder]);
      const install = `apt-get -qq install -y --no-install-recommends ${packages.join(' ')}`;
      await copy.run(`apt-get -qq update && ${install}`, { env: PROXIES });
    } catch (error) {
      copy.remove();
      throw error;
    }
    return copy;
  }

  /** Runs a command of its shell as its only user, with the network of this computer or with none at all. */
  run(
    command: string,
    { at = '/', network = true, env = {} }: { at?: string; network?: boolean; env?: NodeJS.ProcessEnv } = {},
  ): Promise<{ stdout: string; stderr: string }> {
    const enter = 'mount -t proc proc "$0/proc" && exec chroot "$0" sh -c \'cd "$0" && eval "$1"\' "$1" "$2"';
    const flags = [...ALONE, ...(network ? [] : ['--net'])];
    const own = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root', LC_ALL: 'C.UTF-8' };
    return run('unshare', [...flags, 'sh', '-c', enter, this.folder, at, command], {
      ...{ ...BOUNDS, timeout: 400_000, env: { ...own, DEBIAN_FRONTEND: 'noninteractive', ...env } },
    });
  }

  /** Puts files into a folder of it. */
  write(folder: string, files: readonly { path: string; bytes: Buffer }[]): void {
    for (const { path, bytes } of files) {
      const file = join(this.folder, folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytes);
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
