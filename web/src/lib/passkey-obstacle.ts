/** Browsers refuse passkeys at IP addresses; undefined at a host name. */
export function addressObstacle(): string | undefined {
  const address = new URL(window.location.origin);
  if (!/^[\d.]+$|^\[/.test(address.hostname)) return undefined;
  if (!/^127\.|^\[::1\]$/.test(address.hostname))
    return 'Passkeys need a host name: open this site by its name, not by its IP address.';
  address.hostname = 'localhost';
  return `Passkeys need a host name: open ${address.origin}`;
}

/** Why this browser cannot use passkeys here; undefined where it can. */
export function passkeyObstacle(): string | undefined {
  const address = addressObstacle();
  if (address !== undefined || window.PublicKeyCredential !== undefined) return address;
  return 'This browser cannot use passkeys here. They need HTTPS and an address with a name.';
}
