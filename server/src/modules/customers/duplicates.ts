import type { CustomerChanges } from '@customer-database/contract/customers';
import type { Context } from '../../core/context.ts';
import { AppError } from '../../http/errors.ts';
import { presentCustomer } from './present.ts';
import * as repo from './repo.ts';

/** Compares only changed fields, so that correcting a phone number does not report a namesake. */
export async function refuseDuplicate(
  ctx: Context,
  changes: CustomerChanges,
  before?: repo.CustomerRow,
): Promise<void> {
  const isChanged = (field: 'name' | 'dob' | 'email') =>
    changes[field] !== undefined && changes[field] !== before?.[field];
  const { email, name, dob } = { ...before, ...changes };
  const withEmail = email && isChanged('email') && (await repo.findByEmail(ctx.db, email, before?.id));
  if (withEmail) throw duplicateOf(withEmail, 'A customer with this email exists');
  if (!name || !dob || !(isChanged('name') || isChanged('dob'))) return;
  const namesake = await repo.findByNameAndBirth(ctx.db, name, dob, before?.id);
  if (namesake) throw duplicateOf(namesake, 'A customer with this name and date of birth exists');
}

const duplicateOf = (customer: repo.CustomerRow, text: string) =>
  new AppError('POSSIBLE_DUPLICATE', text, { current: presentCustomer(customer) });
