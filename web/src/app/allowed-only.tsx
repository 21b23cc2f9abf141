import { Outlet, useLocation } from 'react-router';
import { useUser } from '../api/session.ts';
import { deniedPath, paths } from '../lib/paths.ts';
import { AccessDenied } from '../ui/access-denied.tsx';

const deniedTexts: Record<string, string> = {
  [paths.newCustomer]: "You don't have permission to create customers.",
  [paths.editCustomer(':id')]: "You don't have permission to edit customers.",
  [paths.uploadDocument]: "You don't have permission to upload documents.",
  [paths.editDocument(':id')]: "You don't have permission to edit documents.",
};

/** Does not even mount a screen that the role may not open. */
export function AllowedOnly() {
  const denied = deniedPath(useUser().role, useLocation().pathname);
  if (denied === undefined) return <Outlet />;
  const text = deniedTexts[denied] ?? "You don't have permission to access this page.";
  return <AccessDenied text={text} fallbackPath={paths.dashboard} />;
}
