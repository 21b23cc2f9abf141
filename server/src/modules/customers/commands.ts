import {
  type CreateCustomerInput,
  type CustomerSearchInput,
  customerFields,
  type SaveCustomerQuery,
  type UpdateCustomerInput,
} from '@customer-database/contract/customers';
import type { PageQuery } from '@customer-database/contract/fields';
import { type Context, inTransaction } from '../../core/context.ts';
import { inOrderOf } from '../../core/in-order.ts';
import { countText } from '../../core/text.ts';
import { totalOf } from '../../db/counts.ts';
import { AppError, fieldError } from '../../http/errors.ts';
import type { Matches } from '../../search/bounded-search.ts';
import { changesBetween } from '../activity/changes.ts';
import { recordChanges, type Subject } from '../activity/commands.ts';
import { refuseDuplicate } from './duplicates.ts';
import { presentCustomer } from './present.ts';
import * as repo from './repo.ts';

export type { CustomerRow } from './repo.ts';

export const subjectOf = (customer: repo.CustomerRow): Subject => ({
  type: 'customer',
  id: customer.id,
  label: customer.name,
  customerId: customer.id,
});

/** For the activity row of an import or export. */
export const subjectOfCount = (count: number): Subject => ({
  type: 'customer',
  id: null,
  label: countText(count, 'customer'),
});

const customerNotFound = () => new AppError('NOT_FOUND', 'Customer not found');

export async function getCustomer(ctx: Context, id: number): Promise<repo.CustomerRow> {
  const customer = await repo.findCustomer(ctx.db, id);
  if (!customer) throw customerNotFound();
  return customer;
}

/** Prevents the deletion of the customer while a transaction attaches something to it. */
export async function lockCustomer(ctx: Context, id: number): Promise<repo.CustomerRow> {
  const customer = await repo.lockCustomer(ctx.db, id);
  if (!customer) throw customerNotFound();
  return customer;
}

export async function listCustomers(
  ctx: Context,
  page: PageQuery,
): Promise<{ customers: repo.CustomerRow[]; total: number }> {
  const total = await totalOf(ctx.db, 'customers');
  return { customers: await repo.listCustomers(ctx.db, page), total };
}

export function searchCustomers(
  ctx: Context,
  input: CustomerSearchInput,
): Promise<{ customers: repo.CustomerRow[]; matches: Matches }> {
  return repo.searchCustomers(ctx, input);
}

/** In the order of the ids, without customers that no longer exist. */
export async function listCustomersById(ctx: Context, ids: number[]): Promise<repo.CustomerRow[]> {
  return ids.length === 0 ? [] : inOrderOf(ids, await repo.listCustomersById(ctx.db, ids));
}

export const futureBirthText = 'Date of Birth must not be in the future';

/** Today in UTC+14, where the day begins first, so that every time zone can enter its today. */
export const latestBirthDate = (now: Date) =>
  new Date(now.getTime() + 14 * 3_600_000).toISOString().slice(0, 10);

function refuseFutureBirth(ctx: Context, dob: string | null | undefined): void {
  if (dob && dob > latestBirthDate(ctx.deps.clock.now())) throw fieldError('dob', futureBirthText);
}

export async function createCustomer(
  ctx: Context,
  input: CreateCustomerInput,
  { check }: SaveCustomerQuery = {},
): Promise<repo.CustomerRow> {
  refuseFutureBirth(ctx, input.dob);
  if (check) await refuseDuplicate(ctx, input);
  const now = ctx.deps.clock.now();
  return inTransaction(ctx, async (tx) => {
    const customer = await repo.insertCustomer(tx.db, { ...input, created_at: now, updated_at: now });
    const changes = changesBetween({}, customer, customerFields);
    await recordChanges(tx, 'customer.created', subjectOf(customer), changes);
    return customer;
  });
}

function refuseOutdated(customer: repo.CustomerRow, seen: string | undefined): void {
  if (seen === undefined || Date.parse(seen) >= customer.updated_at.getTime()) return;
  throw new AppError('CONFLICT', 'Another user changed this customer meanwhile. Nothing was saved.', {
    current: presentCustomer(customer),
  });
}

export async function updateCustomer(
  ctx: Context,
  id: number,
  { updated_at: seen, ...input }: UpdateCustomerInput,
  { check }: SaveCustomerQuery = {},
): Promise<repo.CustomerRow> {
  refuseFutureBirth(ctx, input.dob);
  return inTransaction(ctx, async (tx) => {
    const before = await lockCustomer(tx, id);
    refuseOutdated(before, seen);
    if (check) await refuseDuplicate(tx, input, before);
    // Later than before even if server clocks differ, or a save of the old state could overwrite this one.
    const updated_at = new Date(Math.max(tx.deps.clock.now().getTime(), before.updated_at.getTime() + 1));
    const customer = await repo.updateCustomer(tx.db, before, { ...input, updated_at });
    const changes = changesBetween(before, customer, customerFields);
    await recordChanges(tx, 'customer.updated', subjectOf(customer), changes);
    return customer;
  });
}

/** Refused while the customer has documents. The lock prevents new ones during the count. */
export async function deleteCustomer(ctx: Context, id: number): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const customer = await lockCustomer(tx, id);
    const documents = await repo.countDocuments(tx.db, id);
    if (documents > 0) {
      const text = documents === 1 ? '1 document' : `${documents} documents`;
      throw new AppError(
        'CUSTOMER_HAS_DOCUMENTS',
        `This customer still has ${text}. Delete the documents first.`,
      );
    }
    await repo.deleteCustomerRow(tx.db, id);
    const changes = changesBetween(customer, {}, customerFields);
    await recordChanges(tx, 'customer.deleted', subjectOf(customer), changes);
  });
}
