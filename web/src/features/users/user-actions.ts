import type { ManagedUser } from '@customer-database/contract/users';
import type { UserAction } from '../../api/users.ts';

type Description = {
  label: string;
  confirmLabel: string;
  /** The consequences, shown before the user confirms. */
  text: (name: string) => string;
  /** No user loses anything. */
  harmless?: boolean;
};

const deliveryText =
  'The temporary password goes out by email, or is shown to you if no mail server is set up. It works for 7 days.';

export const userActions: Record<UserAction, Description> = {
  'resend-invitation': {
    label: 'Send invitation again',
    confirmLabel: 'Send again',
    text: (name) =>
      `${name} gets a new temporary password, and the one sent before stops working. ${deliveryText}`,
    harmless: true,
  },
  'withdraw-invitation': {
    label: 'Withdraw invitation',
    confirmLabel: 'Withdraw',
    text: (name) => `The account of ${name} is removed, and the invitation stops working.`,
  },
  'reset-password': {
    label: 'New temporary password',
    confirmLabel: 'Make a new password',
    text: (name) =>
      `The present password of ${name} stops working, and they are signed out everywhere. Their API tokens are revoked. ${deliveryText} They choose their own when they sign in.`,
  },
  'reset-mfa': {
    label: 'Reset MFA',
    confirmLabel: 'Reset MFA',
    text: (name) =>
      `${name} is signed out everywhere and then signs in with the password alone, until they set up MFA again. Their passkeys, recovery codes and API tokens stop working. Do this only when you are sure who is asking.`,
  },
  'end-sessions': {
    label: 'End all sessions',
    confirmLabel: 'End all sessions',
    text: (name) =>
      `${name} is signed out on every device. Links they have opened and their API tokens stop working. What they have not saved is lost. They can sign in again at once.`,
  },
  disable: {
    label: 'Disable',
    confirmLabel: 'Disable',
    text: (name) =>
      `${name} is signed out everywhere at once and can no longer sign in. Their API tokens are revoked for good. Their records, documents and history stay. You can enable them again.`,
  },
  enable: {
    label: 'Enable',
    confirmLabel: 'Enable',
    text: (name) => `${name} can sign in again, in the same way and with the same role as before.`,
    harmless: true,
  },
};

/** `company` is set if password sign-in is off; an invitation then has no password. */
export function consequenceOf(
  action: UserAction,
  { name }: ManagedUser,
  company: string | undefined,
): string {
  return company && action === 'resend-invitation'
    ? `${name} has 7 more days to sign in with ${company} for the first time.`
    : userActions[action].text(name);
}

export const hasSecondFactor = ({ mfa_enabled, passkeys }: ManagedUser) => mfa_enabled || passkeys > 0;

/** The actions that a user's state allows. Administrators change their own account on the profile. */
export function actionsFor(user: ManagedUser, isOwn: boolean, hasPasswords: boolean): UserAction[] {
  if (isOwn) return ['end-sessions'];
  if (user.state === 'disabled') return ['enable'];
  const hasOpenInvitation = user.state === 'invited' || user.state === 'expired';
  const wasNeverUsed = hasOpenInvitation && user.last_seen_at === null;
  return [
    ...(hasOpenInvitation ? (['resend-invitation'] as const) : []),
    ...(!hasOpenInvitation && hasPasswords ? (['reset-password'] as const) : []),
    ...(wasNeverUsed ? (['withdraw-invitation'] as const) : []),
    ...(hasSecondFactor(user) ? (['reset-mfa'] as const) : []),
    ...(wasNeverUsed ? [] : (['end-sessions'] as const)),
    'disable',
  ];
}
