import { Button } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { Outlet, useLocation, useNavigate } from 'react-router';
import { useUser } from '../api/session.ts';
import { deniedPath, paths } from '../lib/paths.ts';
import { Empty } from '../ui/empty.tsx';
import { Screen } from '../ui/screen.tsx';

const deniedTexts: Record<string, string> = {
  [paths.newCustomer]: "You don't have permission to create customers.",
  [paths.editCustomer(':id')]: "You don't have permission to edit customers.",
  [paths.uploadDocument]: "You don't have permission to upload documents.",
  [paths.editDocument(':id')]: "You don't have permission to edit documents.",
};

function AccessDenied({ text }: { text: string }) {
  const navigate = useNavigate();
  // Without the Navigation API, the router only knows the screens since the page was loaded.
  const canGoBack = () => window.navigation?.canGoBack ?? window.history.state?.idx > 0;
  const goBack = () => (canGoBack() ? navigate(-1) : navigate(paths.dashboard, { replace: true }));
  return (
    <Screen title="Access Denied">
      <Empty icon={<IconLock />} title={text} action={<Button onClick={goBack}>Go Back</Button>} />
    </Screen>
  );
}

/** Shows 'Access Denied' in place of a screen that the role may not open; it does not mount the screen. */
export function AllowedOnly() {
  const denied = deniedPath(useUser().role, useLocation().pathname);
  if (denied === undefined) return <Outlet />;
  const text = deniedTexts[denied] ?? "You don't have permission to access this page.";
  return <AccessDenied text={text} />;
}
