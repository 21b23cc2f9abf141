/** Tells password managers whose password a form is about. */
export function UsernameForPasswordManager({ email }: { email: string }) {
  return <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />;
}
