import { z } from 'zod';

// The Content-Security-Policy forbids compiling schemas into code, and reports even the attempt.
// Imported first, because reading the stored session parses it with a schema right away.
z.config({ jitless: true });
