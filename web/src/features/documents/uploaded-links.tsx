import type { Document } from '@customer-database/contract/documents';
import { Anchor, Group } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../lib/paths.ts';

type UploadedLinksProps = {
  /** Undefined if the server does not say. */
  document: Document | undefined;
  customerId: number;
};

/** Links in the message after an upload. */
export function UploadedLinks({ document, customerId }: UploadedLinksProps) {
  return (
    <Group gap="md" mt={4}>
      {document && (
        <Anchor component={Link} to={paths.document(document.id)} inherit>
          Open document
        </Anchor>
      )}
      <Anchor component={Link} to={paths.customer(customerId)} inherit>
        Go to customer
      </Anchor>
    </Group>
  );
}
