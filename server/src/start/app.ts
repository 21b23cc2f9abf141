import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import type { Deps } from '../core/deps.ts';
import { guardRoutes, openBodyLimit } from '../http/access.ts';
import { dropUnusedWhenClosing, refuseWhileClosing } from '../http/closing.ts';
import { signedInContextOf } from '../http/context.ts';
import { handleErrors } from '../http/errors.ts';
import { acceptJsonOnly } from '../http/json.ts';
import { measureRequests } from '../http/measure.ts';
import { guardMetrics } from '../http/metrics-access.ts';
import { describeApi, serveApiPage } from '../http/openapi.ts';
import { openPages, servePages } from '../http/pages.ts';
import { requestIds } from '../http/request-id.ts';
import { logRequests } from '../http/request-log.ts';
import { addSecurityHeaders } from '../http/security.ts';
import { boundUnreadBodies } from '../http/unread-bodies.ts';
import { answerBadAddress, answerBadClient } from '../http/unrouted.ts';
import { findSignedIn, findTokenUser, isApiToken } from '../modules/accounts/commands.ts';
import { accountRoutes } from '../modules/accounts/routes.ts';
import { recordActivity } from '../modules/activity/commands.ts';
import { recordRefusal } from '../modules/activity/refusals.ts';
import { activityRoutes } from '../modules/activity/routes.ts';
import { customerRoutes } from '../modules/customers/routes.ts';
import { dashboardRoutes } from '../modules/dashboard/routes.ts';
import { documentRoutes } from '../modules/documents/routes.ts';
import { healthRoutes } from '../modules/health/routes.ts';
import { searchRoutes } from '../modules/search/routes.ts';

export type App = FastifyInstance;

/** Registers all routes; all state is in `deps`. */
export async function buildApp(deps: Deps): Promise<App> {
  const { config } = deps;
  const app: App = Fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: requestIds(config.trustProxy),
    requestIdHeader: false,
    trustProxy: config.trustProxy,
    bodyLimit: openBodyLimit,
    // Disconnects slow clients, whether they send a request or read a response.
    requestTimeout: config.requestTimeoutMs,
    connectionTimeout: config.requestTimeoutMs,
    keepAliveTimeout: 72_000,
    http: { headersTimeout: Math.min(20_000, config.requestTimeoutMs), connectionsCheckingInterval: 1_000 },
    routerOptions: { maxParamLength: 100 },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    frameworkErrors: answerBadAddress,
    clientErrorHandler: answerBadClient,
  });

  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  acceptJsonOnly(app);
  handleErrors(app);
  logRequests(app);
  measureRequests(app, deps.metrics);
  boundUnreadBodies(app);
  await addSecurityHeaders(app, config);
  refuseWhileClosing(app, deps.stopping);
  dropUnusedWhenClosing(app);
  await describeApi(app, config);
  await serveApiPage(app);
  guardRoutes(app, {
    guardMetrics: (request) => guardMetrics(request, config),
    authenticate: (token, { ip }) =>
      isApiToken(token) ? findTokenUser(deps, token, ip) : findSignedIn(deps, token),
    needsSecondFactor: ({ user, hasSecondFactor }) =>
      !hasSecondFactor && config.requireMfa.includes(user.role),
    async onTokenUsed(request, signedIn) {
      const { id, name } = signedIn.token ?? {};
      const call = `${request.method} ${request.url.split('?', 1)[0]}`;
      const subject = { type: 'token', id: id ?? null, label: name ?? null } as const;
      await recordActivity(signedInContextOf(deps, request), 'token.used', subject, { call });
    },
    async onDenied(request) {
      const route = `${request.method} ${request.routeOptions.url}`;
      const subject = { type: 'route', id: null, label: route } as const;
      await recordRefusal(signedInContextOf(deps, request), 'access.denied', subject);
    },
  });

  const pages = await openPages(app, config.webDir);
  await app.register(healthRoutes(deps));
  await app.register(accountRoutes(deps));
  await app.register(customerRoutes(deps));
  await app.register(documentRoutes(deps, pages));
  await app.register(searchRoutes(deps));
  await app.register(dashboardRoutes(deps));
  await app.register(activityRoutes(deps));
  servePages(app, pages);
  return app;
}
