import { errorBody } from '@customer-database/contract/errors';
import { isAllowed, isInAnyScope, isInScope, type Permission } from '@customer-database/contract/permissions';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SignedIn } from '../core/context.ts';
import { AppError, notFound } from './errors.ts';

/**
 * Who may call a route. 'public': every client. 'link': clients with a valid signed link, which the route checks itself.
 * 'metrics': monitoring, which needs no session. A permission: signed-in users whose role has it.
 */
export type Access =
  | 'public'
  | 'link'
  | 'metrics'
  | Permission
  | {
      permission: Permission;
      /** Allows users who must change their password first. */
      beforePasswordChange?: true;
      /** Allows users who must set up a second factor first. */
      beforeSecondFactor?: true;
      /** Allows API tokens of any scope. */
      anyToken?: true;
    };

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
  }
  interface FastifyRequest {
    signedIn: SignedIn | null;
  }
}

export type AccessOptions = {
  /** Throws unless the caller may read the metrics. */
  guardMetrics(request: FastifyRequest): void;
  authenticate(token: string, request: FastifyRequest): Promise<SignedIn | undefined>;
  /** Records the call in the activity log. */
  onTokenUsed(request: FastifyRequest, signedIn: SignedIn): Promise<void>;
  /** Whether the session lacks a second factor that is required of its user. */
  needsSecondFactor(signedIn: SignedIn): boolean;
  /** Records the refusal in the activity log. */
  onDenied(request: FastifyRequest): Promise<void>;
};

function bearerToken(request: FastifyRequest): string | undefined {
  return /^Bearer ([\w.~+/-]{1,200}=*)$/i.exec(request.headers.authorization ?? '')?.[1];
}

type OpenAccess = 'public' | 'link' | 'metrics';
const withoutSession = new Set<Access>(['public', 'link', 'metrics'] satisfies OpenAccess[]);
export const needsSession = (access: Access): access is Exclude<Access, OpenAccess> =>
  !withoutSession.has(access);

/** Whether a call can be made with an API token. */
export function takesTokens(access: Access): boolean {
  if (!needsSession(access)) return false;
  const { permission, anyToken = false } = typeof access === 'string' ? { permission: access } : access;
  return anyToken || isInAnyScope(permission);
}

/** Within a call that others may make, too: the role allows it, and so does the scope of a token. */
export const mayAlso = ({ user, token }: SignedIn, permission: Permission) =>
  isAllowed(user.role, permission) && (!token || isInScope(token.scope, permission));

const unauthenticated = () => new AppError('UNAUTHENTICATED', 'Please sign in');

/** The largest body from callers without a session. */
export const openBodyLimit = 16 * 1024;
/** For routes with a session that set no other limit. */
const sessionBodyLimit = 1024 * 1024;

/** Every route must declare its access, which is enforced before the body is read and limits its size. */
export function guardRoutes(app: FastifyInstance, options: AccessOptions): void {
  app.addHook('onRoute', (route) => {
    const access = route.config?.access;
    if (access === undefined) {
      throw new Error(`${route.method} ${route.url} does not declare who may call it`);
    }
    route.bodyLimit = needsSession(access) ? (route.bodyLimit ?? sessionBodyLimit) : openBodyLimit;
    route.schema = {
      ...route.schema,
      response: { '4xx': errorBody, '5xx': errorBody, ...(route.schema?.response as object | undefined) },
    };
  });

  app.decorateRequest('signedIn', null);

  app.addHook('onRequest', async (request) => {
    if (request.is404) throw notFound();
    const { access } = request.routeOptions.config;
    if (access === undefined || access === 'public' || access === 'link') return;
    if (access === 'metrics') return options.guardMetrics(request);
    const { permission, beforePasswordChange, beforeSecondFactor, anyToken } =
      typeof access === 'string' ? { permission: access } : access;
    const token = bearerToken(request);
    const signedIn = token === undefined ? undefined : await options.authenticate(token, request);
    if (!signedIn) throw unauthenticated();
    request.signedIn = signedIn;
    if (signedIn.token) await options.onTokenUsed(request, signedIn);
    if (signedIn.user.must_change_password && !beforePasswordChange) {
      await options.onDenied(request);
      throw new AppError('PASSWORD_CHANGE_REQUIRED', 'Please change your password first');
    }
    if (!beforeSecondFactor && options.needsSecondFactor(signedIn)) {
      await options.onDenied(request);
      throw new AppError('MFA_SETUP_REQUIRED', 'Please set up a second factor on your profile first');
    }
    if (!isAllowed(signedIn.user.role, permission)) {
      await options.onDenied(request);
      throw new AppError('FORBIDDEN', "You don't have permission to do this.");
    }
    if (signedIn.token && !anyToken && !isInScope(signedIn.token.scope, permission)) {
      await options.onDenied(request);
      throw new AppError('FORBIDDEN', 'This API token may not do this');
    }
  });
}

export function requireSignedIn(request: FastifyRequest): SignedIn {
  if (!request.signedIn) throw unauthenticated();
  return request.signedIn;
}
