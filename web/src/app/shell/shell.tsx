import { ActionIcon, Anchor, Drawer, Group } from '@mantine/core';
import { useDisclosure, useHotkeys, useWindowEvent } from '@mantine/hooks';
import { Notifications, notifications } from '@mantine/notifications';
import '@mantine/notifications/styles.layer.css';
import { IconMenu2, IconSearch } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router';
import { refreshUser } from '../../api/auth.ts';
import { UploadPanel } from '../../features/documents/queue/panel.tsx';
import { useHasUploads } from '../../features/documents/queue/queue.ts';
import { Reauthentication } from '../../features/profile/reauthentication-dialog.tsx';
import { Brand } from '../../ui/brand.tsx';
import { HoverThumbnail } from '../../ui/hover-thumbnail.tsx';
import { Menu } from './menu.tsx';
import { QuickSearch } from './quick-search.tsx';
import classes from './shell.module.css';

/** A file dropped outside a drop zone would replace the page and lose unsaved input. */
function preventFileDrop(event: DragEvent): void {
  if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = 'none';
}

export function Shell() {
  const [menuOpen, menu] = useDisclosure(false);
  const [searchOpen, search] = useDisclosure(false);
  const searchOpener = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const hasUploads = useHasUploads();
  const isLoading = useNavigation().state !== 'idle';
  useHotkeys([['mod+K', searchOpen ? closeSearch : openSearch]], []);
  useWindowEvent('dragover', preventFileDrop);
  useWindowEvent('drop', preventFileDrop);

  useEffect(() => {
    // Other errors can be ignored; a 401 ends the session as it does everywhere.
    refreshUser().catch(() => undefined);
    // The next user must not see this user's notifications.
    return () => notifications.clean();
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new path is the event; Back and redirects have no handler
  useEffect(() => menu.close(), [pathname]);

  /** Does nothing while a dialog is open. */
  function openSearch(): void {
    if (document.querySelector('[aria-modal=true]')) return;
    searchOpener.current = document.activeElement as HTMLElement | null;
    search.open();
  }

  function closeSearch(): void {
    search.close();
    searchOpener.current?.focus({ preventScroll: true });
  }

  return (
    <div className={classes.layout}>
      <Anchor href="#main" className={classes.skip ?? ''}>
        Skip to content
      </Anchor>
      {isLoading && <div className={classes.progress} />}
      <header className={classes.header}>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Open menu" onClick={menu.open}>
          <IconMenu2 />
        </ActionIcon>
        <Brand />
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Quick search" onClick={openSearch}>
          <IconSearch />
        </ActionIcon>
      </header>
      <aside className={classes.side}>
        <Group px="xs" pb="lg">
          <Brand />
        </Group>
        <Menu />
      </aside>
      <Drawer opened={menuOpen} onClose={menu.close} title={<Brand />} size={300} classNames={drawerClasses}>
        <Menu onNavigate={menu.close} />
      </Drawer>
      <main id="main" className={classes.main} tabIndex={-1}>
        <Outlet />
      </main>
      {searchOpen && <QuickSearch onClose={closeSearch} />}
      <HoverThumbnail />
      <Reauthentication />
      <UploadPanel />
      {/* The list of uploads fills the bottom corner. */}
      <Notifications position={hasUploads ? 'top-right' : 'bottom-right'} />
      <ScrollRestoration />
    </div>
  );
}

const drawerClasses = {
  content: classes.drawer ?? '',
  header: classes.drawer ?? '',
  body: classes.drawerBody ?? '',
};
