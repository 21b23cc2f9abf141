import { notifications } from '@mantine/notifications';

type Notice = Parameters<typeof notifications.show>[0];

/** What stands there already is not said a second time. */
const show = (message: string, notice: Omit<Notice, 'id' | 'message'>) =>
  notifications.show({ id: message, message, ...notice });

/** Something went as wished; it leaves by itself. */
export function showSuccess(message: string): void {
  show(message, { color: 'pine', role: 'status' });
}

/** Something failed; it stays until it was read. */
export function showAlert(message: string): void {
  show(message, { color: 'red', role: 'alert', autoClose: false });
}
