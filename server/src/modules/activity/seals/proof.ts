import { createHmac, hash, type KeyObject } from 'node:crypto';
import type { RemovedActivity } from '../../../db/schema.ts';

/** The part of a row that cannot be erased. */
export type ProvenPart = {
  at: Date;
  action: string;
  actor_id: number | null;
  actor_label: string;
  subject_type: string;
  subject_id: number | null;
  customer_id: number | null;
  address: string | null;
  request_id: string | null;
  shown: boolean;
};

/** The part of a row that can be erased: names, and old and new values. */
export type Values = { subject_label: string | null; detail: unknown; changes: unknown };

export const macBytes = 16;
export const saltBytes = 16;

/** Sorts keys, because jsonb does not keep their order. */
const sortedKeys = (_: string, value: unknown) =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

const textOf = (values: unknown[]) => JSON.stringify(values, sortedKeys);

/** PostgreSQL has times that are no JavaScript dates, such as infinity. The server writes none. */
export const isoOf = (time: Date | number) =>
  time instanceof Date && !Number.isNaN(time.getTime()) ? time.toISOString() : 'impossible';

/** Salted, so that guessing does not reveal erased names. Some rows from before version 1.0 have an empty salt. */
export function hashOfValues(salt: Buffer | null, { subject_label, detail, changes }: Values): Buffer {
  const text = textOf([salt?.toString('hex') ?? '', subject_label, detail ?? null, changes ?? null]);
  return hash('sha256', text, 'buffer');
}

/** The purpose in the signed text prevents the use of a signature for another purpose. */
function sign(key: KeyObject, purpose: string, values: unknown[]): Buffer {
  return createHmac('sha256', key)
    .update(hash('sha256', textOf([purpose, ...values]), 'hex'))
    .digest();
}

export function macOfRow(key: KeyObject, row: ProvenPart, valuesHash: Buffer): Buffer {
  return sign(key, 'row', [
    isoOf(row.at),
    row.action,
    row.actor_id,
    row.actor_label,
    row.subject_type,
    row.subject_id,
    row.customer_id,
    row.address,
    row.request_id,
    row.shown,
    valuesHash.toString('hex'),
  ]).subarray(0, macBytes);
}

/** Proves that the server erased the values, and not a person who can write to the database. */
export const macOfErasure = (key: KeyObject, id: number, valuesHash: Buffer) =>
  sign(key, 'erasure', [id, valuesHash.toString('hex')]).subarray(0, macBytes);

export type SealFacts = {
  id: number;
  kind: 'opening' | 'rows' | 'removal';
  sealed_at: Date;
  through_id: number;
  row_count: number;
  entries: Buffer | null;
  removed: RemovedActivity | null;
};

/** Covers the seal and the hash of the previous one. */
export function hashOfSeal(key: KeyObject, seal: SealFacts, previous: Buffer | undefined): Buffer {
  return sign(key, 'seal', [
    seal.id,
    seal.kind,
    isoOf(seal.sealed_at),
    seal.through_id,
    seal.row_count,
    seal.entries && hash('sha256', seal.entries, 'hex'),
    seal.removed,
    previous?.toString('hex') ?? null,
  ]);
}

/** Proves how far the log was forwarded: `number` rows, up to this seal. */
export const macOfForwarding = (key: KeyObject, seal: { id: number; hash: Buffer }, number: number) =>
  sign(key, 'forwarded', [seal.id, seal.hash.toString('hex'), number]).subarray(0, macBytes);
