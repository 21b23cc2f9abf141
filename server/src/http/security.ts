import type { IncomingMessage, ServerResponse } from 'node:http';
import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import helmet, { type HelmetOptions } from 'helmet';
import type { Config } from '../core/config.ts';

/** The origin of presigned links, which only LINK_MODE=s3 issues. */
export function storeOrigin({ s3, linkMode }: Config): string | undefined {
  if (!s3 || linkMode !== 's3') return undefined;
  const amazon = s3.region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const url = new URL(s3.endpoint ?? `https://s3.${s3.region}.${amazon}`);
  // Like the S3 library: a bucket name that is not valid in a host name stays in the path.
  if (!s3.forcePathStyle && /^[a-z\d-]+$/.test(s3.bucket)) url.hostname = `${s3.bucket}.${url.hostname}`;
  return url.origin;
}

/** This origin, and that of the API if it is another one. */
function ownSources({ apiUrl }: Config): string[] {
  return apiUrl ? ["'self'", new URL(apiUrl).origin] : ["'self'"];
}

/** The same for every response, so they are computed once. */
function securityHeaders(options: HelmetOptions): Record<string, string> {
  const headers: Record<string, string> = {};
  const collector = {
    setHeader: (name: string, value: string) => {
      headers[name.toLowerCase()] = value;
    },
    removeHeader: () => undefined,
  };
  helmet(options)({} as IncomingMessage, collector as unknown as ServerResponse, () => undefined);
  return headers;
}

export async function addSecurityHeaders(app: FastifyInstance, config: Config): Promise<void> {
  const headers = securityHeaders({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: [...ownSources(config), 'data:'],
        fontSrc: ["'self'"],
        connectSrc: [...ownSources(config), storeOrigin(config)].filter((source) => source !== undefined),
        formAction: ["'self'"],
        manifestSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    // HSTS only for a public HTTPS address.
    strictTransportSecurity: config.publicUrl?.startsWith('https:') ? { maxAge: 31_536_000 } : false,
    frameguard: { action: 'deny' },
    // Sandboxed documents cannot honour this and browsers warn; they isolate origins anyway.
    originAgentCluster: false,
    referrerPolicy: { policy: 'no-referrer' },
    // For obsolete browsers and plug-ins, or superseded by the CSP above.
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });

  if (config.corsOrigins.length > 0) {
    await app.register(cors, {
      origin: config.corsOrigins,
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
      allowedHeaders: ['authorization', 'content-type', 'x-internal-access'],
      exposedHeaders: ['content-disposition', 'retry-after', 'x-request-id'],
      maxAge: 600,
    });
  }

  app.addHook('onSend', (request, reply, payload, done) => {
    reply.header('x-request-id', request.id);
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    done(null, payload);
  });
}
