import type { ActivityAction } from '@customer-database/contract/activity';

const signIn = {
  'sign_in.succeeded': 'Signed in',
  'sign_in.failed': 'Sign-in failed',
  sign_out: 'Signed out',
  'session.confirmed': 'Confirmed identity',
  'session.ended': 'Ended sessions',
  'credential.refused': 'Wrong password or code',
  'access.denied': 'Access denied',
} as const;

const accounts = {
  'user.registered': 'Created administrator',
  'user.invited': 'Invited',
  'user.invitation_withdrawn': 'Withdrew invitation',
  'user.provisioned': 'Created by company sign-in',
  'user.company_linked': 'Linked company sign-in',
  'user.company_unlinked': 'Unlinked company sign-in',
  'user.updated': 'Changed profile',
  'user.role_changed': 'Changed role',
  'user.disabled': 'Disabled account',
  'user.enabled': 'Enabled account',
  'account.unlocked': 'Unlocked account',
  'password.changed': 'Changed password',
  'password.reset': 'Reset password',
  'mfa.enabled': 'Turned on MFA',
  'mfa.disabled': 'Turned off MFA',
  'mfa.reset': 'Reset MFA',
  'passkey.added': 'Added passkey',
  'passkey.renamed': 'Renamed passkey',
  'passkey.removed': 'Removed passkey',
  'token.created': 'Made API token',
  'token.revoked': 'Revoked API token',
  'token.used': 'Called the API',
} as const;

const customers = {
  'customer.created': 'Added customer',
  'customer.updated': 'Changed customer',
  'customer.deleted': 'Deleted customer',
  'customers.imported': 'Imported customers',
  'customers.exported': 'Exported customers',
} as const;

const documents = {
  'document.uploaded': 'Uploaded',
  'document.upload_refused': 'Upload refused',
  'document.updated': 'Changed document',
  'document.deleted': 'Deleted document',
  'document.link_issued': 'Issued download link',
  'document.viewed': 'Viewed',
  'document.downloaded': 'Downloaded',
  'link.refused': 'Link refused',
} as const;

const system = {
  'backup.completed': 'Backup made',
  'backup.failed': 'Backup failed',
  'backup.restored': 'Backup restored',
  'check.completed': 'Documents checked',
  'check.failed': 'Check failed',
  'texts.read': 'Texts read again',
  'activity.exported': 'Exported activity',
  'activity.verified': 'Verified activity',
  'activity.erased': 'Erased names from activity',
  'activity.accepted': 'Accepted the activity log as it is',
  'activity.sealing_resumed': 'Sealing of the activity log resumed',
  'reading.unusual': 'Unusual reading',
} as const;

const actionTexts: Record<ActivityAction, string> = {
  ...signIn,
  ...accounts,
  ...customers,
  ...documents,
  ...system,
};

/** A newer server may know more actions. */
export const actionText = (action: string) => actionTexts[action as ActivityAction] ?? action;

const groups = {
  'Sign-in': signIn,
  Accounts: accounts,
  Customers: customers,
  Documents: documents,
  System: system,
};

const optionsOf = (texts: Record<string, string>) =>
  Object.entries(texts).map(([value, label]) => ({ value, label }));

/** Single actions, or all of a group. */
export const actionOptions = [
  { value: '', label: 'Anything' },
  ...Object.entries(groups).map(([group, texts]) => ({
    group,
    items: [{ value: Object.keys(texts).join(), label: `${group}: all` }, ...optionsOf(texts)],
  })),
];

const fieldTexts: Record<string, string> = {
  dob: 'Date of birth',
  phone_number: 'Phone',
  customer_id: 'Customer id',
  customer_name: 'Customer',
  sha256: 'SHA-256',
};

/** For fields of records and of details: 'file_size' is 'File size'. */
export function fieldText(name: string): string {
  const words = name.replaceAll('_', ' ');
  return fieldTexts[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
}
