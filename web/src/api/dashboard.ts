import type { DashboardAnswer } from '@customer-database/contract/dashboard';
import { type HealthAnswer, healthAnswer } from '@customer-database/contract/health';
import { queryOptions } from '@tanstack/react-query';
import { ApiError, call, isMissing } from './client.ts';

/** Null where the API host has no such call. */
export const dashboardQuery = queryOptions({
  queryKey: ['dashboard'],
  queryFn: async ({ signal }) => {
    try {
      return await call<DashboardAnswer>('GET', '/api/dashboard', { signal });
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  },
});

const healthQuery = (path: string) =>
  queryOptions({
    queryKey: ['health', path],
    queryFn: async ({ signal }) => {
      try {
        return await call<HealthAnswer>('GET', path, { signal });
      } catch (error) {
        // A 503 that tells the status is an answer: not OK. Only a call without one has failed.
        const told = healthAnswer.safeParse(error instanceof ApiError ? error.body : undefined);
        if (told.success) return told.data;
        throw error;
      }
    },
  });

export const apiHealthQuery = healthQuery('/health');
export const storageHealthQuery = healthQuery('/s3/health');
