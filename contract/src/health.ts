import { z } from 'zod';

export const healthResponse = z.object({ status: z.enum(['OK', 'ERROR']) });
export type HealthResponse = z.infer<typeof healthResponse>;
