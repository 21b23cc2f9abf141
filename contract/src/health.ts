import { z } from 'zod';

export const healthAnswer = z.object({ status: z.enum(['OK', 'ERROR']) });
export type HealthAnswer = z.infer<typeof healthAnswer>;
