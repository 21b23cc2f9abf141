import { z } from 'zod';

// Compiling schemas into code is what the Content-Security-Policy forbids, and the mere attempt is reported.
// A file of its own, imported first: reading the saved session checks it against a schema at once.
z.config({ jitless: true });
