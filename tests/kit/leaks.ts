import type pg from 'pg';

/** Every row of every table including the job queue, as PostgreSQL text; bytes are hex. */
export async function allTablesAsText(pool: pg.Pool): Promise<string> {
  const { rows: tables } = await pool.query<{ name: string }>(`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`);
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await pool.query<{ line: string }>(`select t::text as line from ${name} t`);
    texts.push(name, ...rows.map((row) => row.line));
  }
  return texts.join('\n');
}

/** Looks for a secret as plain text, hex and base64. */
function canBeRead(text: string, secret: string): boolean {
  // Six digits occur by chance inside longer numbers.
  if (/^\d{6}$/.test(secret)) return new RegExp(`(?<![\\da-f])${secret}(?![\\da-f])`, 'i').test(text);
  const bytes = Buffer.from(secret);
  const decoded = Buffer.from(secret, 'base64url');
  const base64 = bytes.toString('base64').replace(/=+$/, '');
  return [secret, bytes.toString('hex'), base64, decoded.toString('hex')].some((spelling) =>
    text.includes(spelling),
  );
}

/** The names of the secrets found in the text. */
export function leakedInto(text: string, secrets: Record<string, string>): string[] {
  return Object.entries(secrets).flatMap(([name, secret]) => {
    if (secret.length < 6) throw new Error(`${name} is too short to look for`);
    return canBeRead(text, secret) ? [name] : [];
  });
}
