import type { DashboardResponse } from '@customer-database/contract/dashboard';
import { type HealthResponse, healthResponse } from '@customer-database/contract/health';
import { queryOptions } from '@tanstack/react-query';
import { ApiError, call, isNotFound } from './client.ts';

/** Null if the API has no such endpoint. */
export const dashboardQuery = queryOptions({
  queryKey: ['dashboard'],
  queryFn: async ({ signal }) => {
    try {
      return await call<DashboardResponse>('GET', '/api/dashboard', { signal });
    } catch (error) {
      if (isNotFound(error)) return null;
      throw error;
    }
  },
});

const healthQuery = (path: string) =>
  queryOptions({
    queryKey: ['health', path],
    queryFn: async ({ signal }) => {
      try {
        return await call<HealthResponse>('GET', path, { signal });
      } catch (error) {
        // A 503 with a health status is a valid response; only one without it is a failure.
        const health = healthResponse.safeParse(error instanceof ApiError ? error.body : undefined);
        if (health.success) return health.data;
        throw error;
      }
    },
  });

export const apiHealthQuery = healthQuery('/health');
export const storageHealthQuery = healthQuery('/s3/health');
