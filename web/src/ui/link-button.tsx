import { Button, type ButtonProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

type LinkButtonProps = ButtonProps & { to: string; children: ReactNode; 'aria-label'?: string };

/** Looks like a button, and is a link: it can be opened in a new tab. */
export function LinkButton(props: LinkButtonProps) {
  return <Button component={Link} {...props} />;
}
