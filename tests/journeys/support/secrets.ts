import type { BrowserContext, Response } from '@playwright/test';
import { keepSecretsIn, keepSecretsInText } from '../../../scripts/test-logs.js';

const secretCalls = /\/api\/(auth\/|documents\/\d+\/(download|view)$)/;

async function keepSecretsOfCall(response: Response): Promise<void> {
  const request = response.request();
  if (!secretCalls.test(request.url())) return;
  keepSecretsInText(request.postData());
  // A page may be closed before its response is read.
  keepSecretsIn(await response.json().catch(() => undefined));
}

/** Records the secrets sent and received in this browser, which must not be in any log. */
export function keepSecretsOf(context: BrowserContext): void {
  if (process.env.TEST_LOG_FOLDER) context.on('response', keepSecretsOfCall);
}
