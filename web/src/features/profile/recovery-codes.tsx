import { Button, Checkbox, Group, Stack } from '@mantine/core';
import { IconDownload, IconPrinter } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useUser } from '../../api/session.ts';
import { saveAs } from '../../lib/save-as.ts';
import { productName } from '../../ui/brand.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { useLeaveGuard } from '../../ui/leave-guard.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Screen } from '../../ui/screen.tsx';
import classes from './recovery-codes.module.css';

/** The server only stores hashes: codes that are not saved now are lost. */
export function RecoveryCodes({ codes, onSaved }: { codes: string[]; onSaved: () => void }) {
  const { email } = useUser();
  const [isSaved, setSaved] = useState(false);
  const dialog = useLeaveGuard({
    shouldBlock: () => true,
    title: 'Leave without the recovery codes?',
    text: 'They are not shown again.',
    confirmLabel: 'Leave without them',
  });
  // The form that they replace was further down the page.
  useEffect(() => {
    window.scrollTo(0, 0);
  }, []);
  const text = [`Recovery codes of ${email} for the ${productName}`, '', ...codes, ''].join('\n');

  return (
    <Screen
      title="Your recovery codes"
      description="MFA is on. Each of these codes works once in place of a code from the app, should you lose your phone. They are shown only now."
    >
      <Panel maw="44rem">
        <Stack>
          <ul className={classes.codes} aria-label="Recovery codes">
            {codes.map((code) => (
              <li key={code}>{code}</li>
            ))}
          </ul>
          <Group gap="sm" className={classes.screenOnly ?? ''}>
            <CopyButton value={codes.join('\n')} label="Copy" />
            <Button
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden />}
              onClick={() => saveAs(new Blob([text], { type: 'text/plain' }), 'recovery-codes.txt')}
            >
              Download
            </Button>
            <Button
              variant="default"
              leftSection={<IconPrinter size={16} aria-hidden />}
              onClick={() => window.print()}
            >
              Print
            </Button>
          </Group>
          <Checkbox
            className={classes.screenOnly ?? ''}
            label="I have saved these codes"
            checked={isSaved}
            onChange={(event) => setSaved(event.currentTarget.checked)}
          />
          <Group className={classes.screenOnly ?? ''}>
            <Button disabled={!isSaved} onClick={onSaved}>
              Done
            </Button>
          </Group>
        </Stack>
      </Panel>
      {dialog}
    </Screen>
  );
}
