import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';

type Notice = Parameters<typeof notifications.show>[0];

const withLinksMs = 12_000;

/** The id keeps the same message from being shown twice. */
const show = (id: string, notice: Omit<Notice, 'id'>) => notifications.show({ id, ...notice });

/** Closes by itself; later if it has links, so that users can follow them. */
export function showSuccess(message: string, links?: ReactNode): void {
  const notice = { color: 'pine', role: 'status' };
  if (links) show(message, { ...notice, message: [message, links], autoClose: withLinksMs });
  else show(message, { ...notice, message });
}

/** Stays until the user closes it. */
export function showAlert(message: string): void {
  show(message, { message, color: 'red', role: 'alert', autoClose: false });
}
