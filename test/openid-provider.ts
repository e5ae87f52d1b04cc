import { createSign, generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import Provider from 'oidc-provider';

/** A real OpenID provider in this process, whose answers a test may falsify (SIGN-02). */

type Claims = Record<string, unknown>;
type Jwt = { header: Claims; payload: Claims };

/** Somebody who signs in at the provider: the claims about them, and how they proved who they are. */
export type Somebody = { sub: string; amr?: string[]; loginAt?: number } & Claims;

export type OpenIdProvider = {
  issuer: string;
  /** Who signs in at the next login. */
  somebody: Somebody;
  /** Changes what the ID token says before it is signed with the provider's own key. */
  falsify: ((token: Jwt) => Jwt) | null;
  /** Changes the token after it was signed. */
  falsifySigned: ((token: string) => string) | null;
  /** How often a code was exchanged. */
  exchanges: number;
  /** Removes the sessions at the provider: the next start asks for a login. */
  forget: () => void;
  /** Follows an address of the provider, like a browser, until it leads back; @returns the path of the callback */
  authorize: (url: string, who?: Somebody) => Promise<string>;
  /** The environment of a server that uses this provider. */
  env: Record<string, string>;
  close: () => Promise<void>;
};

const CLIENT = { id: 'license-manager', secret: 'a-secret-of-the-client-0123456789' };

const encoded = (part: Claims) => Buffer.from(JSON.stringify(part)).toString('base64url');
const decoded = (part: string): Claims => JSON.parse(Buffer.from(part, 'base64url').toString());

type Options = {
  /** Where people come back. */
  redirectUris?: string[];
  /** How the client sends its secret. */
  method?: 'client_secret_basic' | 'client_secret_post';
  /** Whether the ID token holds all claims, as most issuers do it, or userinfo alone. */
  inIdToken?: boolean;
  port?: number;
};

export async function startOpenIdProvider({
  redirectUris = ['http://127.0.0.1:3000/api/auth/oidc/callback/'],
  method = 'client_secret_basic',
  inIdToken = true,
  port = 0,
}: Options = {}): Promise<OpenIdProvider> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = { ...privateKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' };
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => {};
  const server = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as { port: number }).port}`;

  const people = new Map<string, Somebody>();
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: redirectUris,
        token_endpoint_auth_method: method,
      },
    ],
    jwks: { keys: [jwk] },
    conformIdTokenClaims: !inIdToken,
    claims: {
      amr: null,
      openid: ['sub', 'amr'],
      email: ['email', 'email_verified'],
      profile: ['given_name', 'family_name', 'name', 'role'],
    },
    cookies: { keys: ['a key of the cookies of this provider'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: () => '/login' },
    findAccount: (_context: unknown, sub: string) => ({
      accountId: sub,
      claims: () => {
        const { amr: _amr, loginAt: _at, ...claims } = people.get(sub) ?? { sub };
        return claims;
      },
    }),
    async loadExistingGrant(context: {
      oidc: {
        client: { clientId: string };
        session: { accountId: string };
        provider: { Grant: new (of: object) => { addOIDCScope: (scope: string) => void; save: () => void } };
      };
    }) {
      const { client, session, provider: of } = context.oidc;
      const grant = new of.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  provider.use(async (context, next) => {
    await next();
    const { id_token: token } = context.body ?? {};
    if (context.path !== '/token' || typeof token !== 'string') return;
    self.exchanges += 1;
    const [header, payload] = token.split('.') as [string, string];
    const falsified = self.falsify?.({ header: decoded(header), payload: decoded(payload) });
    const signed = falsified ? sign(falsified) : token;
    context.body = { ...context.body, id_token: self.falsifySigned?.(signed) ?? signed };
  });

  const sign = ({ header, payload }: Jwt): string => {
    const content = `${encoded(header)}.${encoded(payload)}`;
    if (header.alg === 'none') return `${content}.`;
    return `${content}.${createSign('RSA-SHA256').update(content).sign(privateKey, 'base64url')}`;
  };

  const answer = provider.callback();
  handle = (request, response) => {
    if (!request.url?.startsWith('/login')) return answer(request, response);
    const { somebody } = self;
    people.set(somebody.sub, somebody);
    const login = {
      accountId: somebody.sub,
      ...(somebody.amr && { amr: somebody.amr }),
      ...(somebody.loginAt && { ts: somebody.loginAt }),
    };
    void provider.interactionFinished(request, response, { login });
  };

  let jar = new Map<string, string>();
  const self: OpenIdProvider = {
    issuer,
    somebody: { sub: 'ana-1', email: 'ana@example.com', email_verified: true },
    falsify: null,
    falsifySigned: null,
    exchanges: 0,
    forget: () => {
      jar = new Map();
    },
    authorize: async (url, who) => {
      if (who) {
        self.somebody = who;
        self.forget();
      }
      for (let at = url, hops = 0; hops < 10; hops += 1) {
        const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
        const response = await fetch(at, { redirect: 'manual', headers: { cookie } });
        for (const set of response.headers.getSetCookie()) {
          const [name, value] = set.split(';', 1)[0]!.split(/=(.*)/s) as [string, string];
          if (value === '') jar.delete(name);
          else jar.set(name, value);
        }
        const location = response.headers.get('location');
        if (location === null) throw new Error(`${response.status} ${await response.text()}`);
        const next = new URL(location, at);
        if (next.origin !== issuer) return `${next.pathname}${next.search}`;
        at = next.href;
      }
      throw new Error('The provider leads in a circle.');
    },
    env: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      OIDC_NAME: 'Acme ID',
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return self;
}
