import type { ExportFormat } from '@customer-database/contract/activity';
import { IconDownload } from '@tabler/icons-react';
import { type ActivityFilters, exportActivity } from '../../api/activity.ts';
import { errorText, isSignedOut } from '../../api/client.ts';
import { saveAs } from '../../lib/save-as.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { showAlert } from '../../ui/notices.ts';

type ExportButtonProps = { filters: ActivityFilters; format: ExportFormat; children: string };

function ExportButton({ filters, format, children }: ExportButtonProps) {
  async function exportRows(): Promise<void> {
    try {
      const { content, name } = await exportActivity(filters, format);
      saveAs(content, name);
    } catch (error) {
      if (!isSignedOut(error)) showAlert(errorText(error, 'The export failed. Please try again.'));
    }
  }
  return (
    <ActionButton variant="default" icon={<IconDownload size={16} aria-hidden />} action={exportRows}>
      {children}
    </ActionButton>
  );
}

/** Exports everything that the filters match, not only the page. */
export function ExportButtons({ filters }: { filters: ActivityFilters }) {
  return (
    <>
      <ExportButton filters={filters} format="csv">
        Export CSV
      </ExportButton>
      <ExportButton filters={filters} format="jsonl">
        Export JSON lines
      </ExportButton>
    </>
  );
}
