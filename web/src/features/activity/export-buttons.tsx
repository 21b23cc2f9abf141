import type { ExportFormat } from '@customer-database/contract/activity';
import { Button, Loader } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { type ActivityFilters, exportActivity } from '../../api/activity.ts';
import { ApiError, errorText } from '../../api/client.ts';
import { useClickOnce } from '../../lib/click-once.ts';
import { saveAs } from '../../lib/save-as.ts';
import { showAlert } from '../../ui/notices.ts';

type ExportButtonProps = { filters: ActivityFilters; format: ExportFormat; label: string };

/** Stays enabled while busy: a disabled button would lose the focus. */
function ExportButton({ filters, format, label }: ExportButtonProps) {
  const { busy, onClick } = useClickOnce(async () => {
    try {
      const { content, name } = await exportActivity(filters, format);
      saveAs(content, name);
    } catch (error) {
      const isSignedOut = error instanceof ApiError && error.status === 401;
      if (!isSignedOut) showAlert(errorText(error, 'The export failed. Please try again.'));
    }
  });
  const icon = busy ? <Loader size={16} color="currentColor" /> : <IconDownload size={16} aria-hidden />;
  return (
    <Button variant="default" leftSection={icon} aria-busy={busy} onClick={onClick}>
      {label}
    </Button>
  );
}

/** Of everything that the filters match, not only of the page. */
export function ExportButtons({ filters }: { filters: ActivityFilters }) {
  return (
    <>
      <ExportButton filters={filters} format="csv" label="Export CSV" />
      <ExportButton filters={filters} format="jsonl" label="Export JSON lines" />
    </>
  );
}
