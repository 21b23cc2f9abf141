import { Stack, Title } from '@mantine/core';
import { useId } from 'react';
import { DocumentTable } from './document-table.tsx';
import { useRecentUploads } from './recent-uploads.ts';

export function JustUploaded() {
  const titleId = useId();
  const documents = useRecentUploads();
  if (documents.length === 0) return null;
  return (
    <Stack component="section" aria-labelledby={titleId} gap="md">
      <Title order={2} size="h4" id={titleId}>
        Just uploaded
      </Title>
      <DocumentTable documents={[...documents]} />
    </Stack>
  );
}
