import type { DashboardAnswer } from '@customer-database/contract/dashboard';
import type { HealthAnswer } from '@customer-database/contract/health';
import { queryOptions } from '@tanstack/react-query';
import { call, isMissing } from './client.ts';

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
    queryFn: ({ signal }) => call<HealthAnswer>('GET', path, { signal }),
  });

export const apiHealthQuery = healthQuery('/health');
export const storageHealthQuery = healthQuery('/s3/health');
