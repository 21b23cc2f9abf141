import { useQuery } from '@tanstack/react-query';
import { setupStateQuery } from './auth.ts';

/** The name of the company's sign-in, if password sign-in is off. */
export function useSsoOnlyName(): string | undefined {
  const { data } = useQuery(setupStateQuery);
  return data?.password_sign_in === false ? (data.company_sign_in ?? undefined) : undefined;
}
