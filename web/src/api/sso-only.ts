import { useQuery } from '@tanstack/react-query';
import { setupStateQuery } from './auth.ts';

/** What the company's own sign-in is called, where it is the only way in: nobody has a password. */
export function useSsoOnlyName(): string | undefined {
  const { data } = useQuery(setupStateQuery);
  return data?.password_sign_in === false ? (data.company_sign_in ?? undefined) : undefined;
}
