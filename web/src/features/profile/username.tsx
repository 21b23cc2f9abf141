/** Password managers read the account of the password from it. */
export function UsernameForPasswordManager({ email }: { email: string }) {
  return <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />;
}
