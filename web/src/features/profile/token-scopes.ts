import type { TokenScope } from '@customer-database/contract/permissions';

export const scopeTexts: Record<TokenScope, { short: string; long: string }> = {
  read: { short: 'Read', long: 'Read: search, view and download' },
  write: { short: 'Write', long: 'Write: also create, edit, upload and delete' },
  admin: { short: 'Admin', long: 'Admin: also users and the activity log' },
};
