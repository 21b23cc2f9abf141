import { type Context, inTransaction } from '../../context.ts';
import { AppError } from '../../http/errors.ts';
import { recordActivity } from '../activity/commands.ts';
import { countDocumentsOfCustomer } from '../documents/commands.ts';
import { holdCustomer, subjectOf } from './commands.ts';
import { deleteCustomerRow } from './repo.ts';

/** Only without documents: the customer is held while they are counted, so none can arrive meanwhile. */
export async function deleteCustomer(ctx: Context, id: number): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const customer = await holdCustomer(tx, id);
    const documents = await countDocumentsOfCustomer(tx, id);
    if (documents > 0) {
      const text = documents === 1 ? '1 document' : `${documents} documents`;
      throw new AppError(
        'CUSTOMER_HAS_DOCUMENTS',
        `This customer still has ${text}. Delete the documents first.`,
      );
    }
    await deleteCustomerRow(tx.db, id);
    await recordActivity(tx, 'customer.deleted', subjectOf(customer));
  });
}
