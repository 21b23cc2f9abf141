import type { Customer } from '@customer-database/contract/customers';
import type { DocumentDetails } from '@customer-database/contract/documents';
import { useQueries } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isNotFound } from '../../api/client.ts';
import { customerQuery } from '../../api/customers.ts';
import { documentQuery } from '../../api/documents.ts';
import { forgetOpened, type OpenedRecord, openedLast } from '../../api/opened-last.ts';
import { paths } from '../../lib/paths.ts';

const maxShown = 6;
const oneMinuteMs = 60_000;

type OpenedHit = { to: string; label: string; detail: string | null };

const customerHit = ({ id, name, email }: Customer): OpenedHit => ({
  to: paths.customer(id),
  label: name,
  detail: email,
});

const documentHit = ({ id, filename, customer_name }: DocumentDetails): OpenedHit => ({
  to: paths.document(id),
  label: filename,
  detail: customer_name,
});

const settings = { staleTime: oneMinuteMs, retry: false };

const queryOf = ({ kind, id }: OpenedRecord) =>
  kind === 'customer'
    ? { ...customerQuery(String(id)), ...settings, select: customerHit }
    : { ...documentQuery(String(id)), ...settings, select: documentHit };

/** Names are fetched, because only ids are kept. Empty until all have arrived, so that nothing jumps. */
export function useOpenedLast(): OpenedHit[] {
  const [records] = useState(() => openedLast().slice(0, maxShown));
  const answers = useQueries({ queries: records.map(queryOf) });
  const isReady = answers.every(({ isPending }) => !isPending);
  const gone = answers.flatMap(({ error }, index) => (isNotFound(error) ? (records[index] ?? []) : []));
  const goneRecords = JSON.stringify(gone);
  useEffect(() => {
    for (const record of JSON.parse(goneRecords) as OpenedRecord[]) forgetOpened(record);
  }, [goneRecords]);
  return isReady ? answers.flatMap(({ data, error }) => (data && !error ? data : [])) : [];
}
