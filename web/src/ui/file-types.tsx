import { type DocumentMimeType, documentTypes } from '@customer-database/contract/documents';
import {
  IconFile,
  IconFileTypeDoc,
  IconFileTypeDocx,
  IconFileTypePdf,
  IconFileTypeTxt,
} from '@tabler/icons-react';

type FileType = { name: string; Icon: typeof IconFile; color: string };

const types: Record<DocumentMimeType, FileType> = {
  [documentTypes['.pdf']]: { name: 'PDF document', Icon: IconFileTypePdf, color: 'red' },
  [documentTypes['.docx']]: { name: 'Word document (DOCX)', Icon: IconFileTypeDocx, color: 'blue' },
  [documentTypes['.doc']]: { name: 'Word document (DOC)', Icon: IconFileTypeDoc, color: 'blue' },
  [documentTypes['.txt']]: { name: 'Plain text', Icon: IconFileTypeTxt, color: 'gray' },
};
const otherType: FileType = { name: 'Other file', Icon: IconFile, color: 'gray' };

const typeOf = (mimeType: string) =>
  Object.hasOwn(types, mimeType) ? types[mimeType as DocumentMimeType] : otherType;

export const fileTypeName = (mimeType: string) => typeOf(mimeType).name;

export function FileTypeIcon({ mimeType, size = 20 }: { mimeType: string; size?: number }) {
  const { Icon, color } = typeOf(mimeType);
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
