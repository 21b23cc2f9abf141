import { callsOf, openCalls } from './call.ts';

/** The calls of modules that have but one or two. */
export const otherCalls = {
  ...openCalls('public', {
    'GET /health': {},
    'GET /health/live': {},
    'GET /health/ready': {},
    'GET /s3/health': {},
  }),
  ...openCalls('metrics', {
    'GET /metrics': { example: ({ app }) => ({ by: app.client(app.deps.config.metricsToken) }) },
  }),
  ...callsOf('signed-in', 'read token', {
    'GET /api/dashboard': {},
    'GET /api/search': { example: { query: '?q=patient' } },
  }),
  ...callsOf('admin', 'admin token', { 'GET /api/activity': {}, 'GET /api/activity/export': {} }),
};
