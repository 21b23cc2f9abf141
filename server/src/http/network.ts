/** Groups IPv6 addresses by /64, since every client owns at least that much. */
export function networkOf(address: string | null): string {
  // A dual-stack server sees IPv4 clients in IPv6 notation.
  const plain = (address ?? '').replace(/^::ffff:(?=[\d.]+$)/i, '');
  if (!plain.includes(':')) return plain;
  const [head = '', tail = ''] = plain.split('::');
  const groups = head.split(':').filter(Boolean);
  const missing = plain.includes('::') ? 8 - groups.length - tail.split(':').filter(Boolean).length : 0;
  return [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...tail.split(':')]
    .slice(0, 4)
    .join(':');
}
