import { notifications } from '@mantine/notifications';

type Notice = Parameters<typeof notifications.show>[0];

/** The id keeps the same message from being shown twice. */
const show = (message: string, notice: Omit<Notice, 'id' | 'message'>) =>
  notifications.show({ id: message, message, ...notice });

/** Closes by itself. */
export function showSuccess(message: string): void {
  show(message, { color: 'pine', role: 'status' });
}

/** Stays until the user closes it. */
export function showAlert(message: string): void {
  show(message, { color: 'red', role: 'alert', autoClose: false });
}
