import { Api } from './api.ts';
import { type Server, startServer } from './server.ts';
import { test } from './test.ts';

/** For tests that count records: a server for one test file, prepared once. */
export function testOnPreparedServer(
  prepare: (api: Api) => Promise<unknown>,
  settings: Record<string, string> = {},
) {
  return test.extend<object, { server: Server }>({
    server: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
      async ({}, use) => {
        const server = await startServer(settings);
        try {
          await prepare(await Api.asFirstAdmin(server.url));
          await use(server);
        } finally {
          await server.stop();
        }
      },
      { scope: 'worker', timeout: 90_000 },
    ],
  });
}
