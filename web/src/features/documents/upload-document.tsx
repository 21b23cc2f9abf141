import type { Customer } from '@customer-database/contract/customers';
import { Grid, List } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { customerQuery } from '../../api/customers.ts';
import { paths } from '../../lib/paths.ts';
import { FormSkeleton } from '../../ui/form-skeleton.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Screen } from '../../ui/screen.tsx';
import { UploadForm } from './upload-form.tsx';

const guidelines = [
  'Supported formats: PDF, DOCX, DOC, TXT',
  'Maximum file size: 10MB',
  'Files are stored in cloud object storage',
  'Document metadata is saved in the database',
  "Duplicate filenames are automatically renamed like 'document (1).pdf'",
];

/** Set by ?customer=12 in the URL. */
function usePreselectedCustomer(): { isPending: boolean; customer: Customer | null } {
  const [params] = useSearchParams();
  const id = params.get('customer') ?? '';
  const { data, isLoading } = useQuery({ ...customerQuery(id), enabled: /^[1-9]\d*$/.test(id) });
  return { isPending: isLoading, customer: data ?? null };
}

export function UploadDocument() {
  const { isPending, customer } = usePreselectedCustomer();
  return (
    <Screen title="Upload Document" crumbs={[{ to: paths.allDocuments, label: 'All Documents' }]}>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          {isPending ? (
            <FormSkeleton />
          ) : (
            <Panel>
              <UploadForm preselected={customer} />
            </Panel>
          )}
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Panel title="Upload guidelines">
            <List spacing="xs" size="sm">
              {guidelines.map((text) => (
                <List.Item key={text}>{text}</List.Item>
              ))}
            </List>
          </Panel>
        </Grid.Col>
      </Grid>
    </Screen>
  );
}
