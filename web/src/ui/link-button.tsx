import { Button, type ButtonProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

type LinkButtonProps = ButtonProps & { to: string; children: ReactNode; 'aria-label'?: string };

/** A link that looks like a button, so it can be opened in a new tab. */
export function LinkButton(props: LinkButtonProps) {
  return <Button component={Link} {...props} />;
}
