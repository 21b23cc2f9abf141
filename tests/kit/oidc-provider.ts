import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { decodeJwt, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose';
import Provider from 'oidc-provider';
import { freePort } from './ports.ts';

export type OidcPerson = {
  sub: string;
  name?: string;
  email?: string;
  email_verified?: boolean;
  groups?: string[];
};

export const oidcClient = { id: 'customer-database', secret: 'shared-with-the-provider-0123456789' };

/** Every one claims to be the same. */
export function makeKey(): JWK {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: 'test', alg: 'RS256', use: 'sig' };
}

/** A real OpenID Connect provider, whose people sign in by choosing who they are. */
export class OidcProvider {
  readonly issuer: string;
  /** By `sub`. */
  readonly people = new Map<string, OidcPerson>();
  /** The user who signs in; undefined shows a form that asks. */
  person: string | undefined;
  /** Makes the provider say what it never would; signed with its own key all the same, or with `forgedKey`. */
  forge: ((claims: JWTPayload) => JWTPayload) | undefined;
  forgedKey: JWK | undefined;
  readonly #port: number;
  readonly #key: JWK;
  readonly #redirectUris: string[];
  #server: Server | undefined;

  private constructor(port: number, redirectUris: string[]) {
    this.#port = port;
    this.issuer = `http://127.0.0.1:${port}`;
    this.#redirectUris = redirectUris;
    this.#key = makeKey();
  }

  static async start(publicUrl: string): Promise<OidcProvider> {
    const provider = new OidcProvider(await freePort(), [`${publicUrl}/api/auth/oidc/callback`]);
    await provider.start();
    return provider;
  }

  async start(): Promise<void> {
    const provider = this.#createProvider();
    const answer = provider.callback();
    this.#server = createServer((request, response) => {
      if (request.url?.startsWith('/interaction/')) void this.#signIn(provider, request, response);
      else if (this.forge && request.url === '/token') this.#forging(answer, request, response);
      else answer(request, response);
    }).listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  #createProvider(): Provider {
    return new Provider(this.issuer, {
      clients: [
        {
          client_id: oidcClient.id,
          client_secret: oidcClient.secret,
          redirect_uris: this.#redirectUris,
        },
      ],
      jwks: { keys: [this.#key] },
      cookies: { keys: [randomBytes(16).toString('hex')] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      // As most providers do: email and groups are in the ID token.
      conformIdTokenClaims: false,
      claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'], profile: ['name'] },
      pkce: { required: () => true },
      findAccount: (_, sub) => {
        const person = this.people.get(sub);
        return person && { accountId: sub, claims: () => ({ ...person }) };
      },
      loadExistingGrant: async (ctx) => {
        const { client, session } = ctx.oidc;
        if (!client || !session?.accountId) return undefined;
        const grant = new ctx.oidc.provider.Grant({
          clientId: client.clientId,
          accountId: session.accountId,
        });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
      ttl: { Interaction: 600, Session: 3600, Grant: 3600, AccessToken: 600, IdToken: 600 },
    });
  }

  async #signIn(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chosen = new URL(request.url ?? '', this.issuer).searchParams.get('person') ?? this.person;
    if (chosen === undefined) {
      const links = [...this.people.values()].map(({ sub, name }) => `<a href="?person=${sub}">${name}</a>`);
      response.setHeader('content-type', 'text/html');
      response.end(`<title>Company</title><h1>Who are you?</h1>${links.join(' ')}`);
      return;
    }
    if (chosen === 'cancel') {
      await provider.interactionFinished(request, response, { error: 'access_denied' });
      return;
    }
    await provider.interactionFinished(request, response, { login: { accountId: chosen } });
  }

  /** Changes the ID token in the answer. */
  #forging(
    answer: ReturnType<Provider['callback']>,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    const end = response.end.bind(response);
    response.end = ((body: string) => {
      const tokens = JSON.parse(String(body));
      void this.#resign(tokens.id_token).then((id_token) => {
        const text = JSON.stringify({ ...tokens, id_token });
        response.setHeader('content-length', Buffer.byteLength(text));
        end(text);
      });
      return response;
    }) as typeof response.end;
    void answer(request, response);
  }

  async #resign(idToken: string): Promise<string> {
    const claims = this.forge?.(decodeJwt(idToken)) ?? {};
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'test' })
      .sign(await importJWK(this.forgedKey ?? this.#key, 'RS256'));
  }
}
