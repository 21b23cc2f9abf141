import { notifications } from '@mantine/notifications';

/** Something went as wished; it leaves by itself. */
export function showSuccess(message: string): void {
  notifications.show({ message, color: 'pine', role: 'status' });
}

/** Something failed; it stays until it was read. */
export function showAlert(message: string): void {
  notifications.show({ message, color: 'red', role: 'alert', autoClose: false });
}
