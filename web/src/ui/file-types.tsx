import { documentTypes } from '@customer-database/contract/documents';
import {
  IconFile,
  IconFileTypeDoc,
  IconFileTypeDocx,
  IconFileTypePdf,
  IconFileTypeTxt,
} from '@tabler/icons-react';

const types = new Map<string, { name: string; Icon: typeof IconFile; color: string }>([
  [documentTypes['.pdf'], { name: 'PDF document', Icon: IconFileTypePdf, color: 'red' }],
  [documentTypes['.docx'], { name: 'Word document (DOCX)', Icon: IconFileTypeDocx, color: 'blue' }],
  [documentTypes['.doc'], { name: 'Word document (DOC)', Icon: IconFileTypeDoc, color: 'blue' }],
  [documentTypes['.txt'], { name: 'Plain text', Icon: IconFileTypeTxt, color: 'gray' }],
]);

export const fileTypeName = (mimeType: string) => types.get(mimeType)?.name ?? 'Other file';

export function FileTypeIcon({ mimeType, size = 20 }: { mimeType: string; size?: number }) {
  const { Icon, color } = types.get(mimeType) ?? { Icon: IconFile, color: 'gray' };
  return (
    <Icon
      size={size}
      stroke={1.5}
      color={`var(--mantine-color-${color}-text)`}
      style={{ flexShrink: 0 }}
      aria-hidden
    />
  );
}
