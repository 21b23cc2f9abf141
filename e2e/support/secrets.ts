import type { BrowserContext, Response } from '@playwright/test';
import { keepSecretsIn, keepSecretsInText } from '../../scripts/test-logs.js';

const secretCalls = /\/api\/(auth\/|documents\/\d+\/(download|view)$)/;

async function keepSecretsOfCall(response: Response): Promise<void> {
  const request = response.request();
  if (!secretCalls.test(request.url())) return;
  keepSecretsInText(request.postData());
  // A page may be closed before its answer is read, and then nobody has seen it.
  keepSecretsIn(await response.json().catch(() => undefined));
}

/** What people type and get in this browser must not be found in any log. */
export function keepSecretsOf(context: BrowserContext): void {
  if (process.env.TEST_LOG_FOLDER) context.on('response', keepSecretsOfCall);
}
