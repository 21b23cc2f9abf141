/**
 * A PDF of these objects, the first of which is its catalog.
 * @param {(string | Buffer)[]} objects
 */
export function writePdf(objects) {
  const parts = [Buffer.from('%PDF-1.4\n')];
  let length = parts[0]?.length ?? 0;
  const offsets = objects.map((object, index) => {
    const offset = length;
    const part = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(object),
      Buffer.from('\nendobj\n'),
    ]);
    parts.push(part);
    length += part.length;
    return offset;
  });
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  const table = `xref\n0 ${count}\n0000000000 65535 f \n${entries}`;
  const trailer = `trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(table + trailer)]);
}

/**
 * @param {string} fields
 * @param {Buffer} content
 */
export const streamOf = (fields, content) =>
  Buffer.concat([
    Buffer.from(`<< ${fields} /Length ${content.length} >>\nstream\n`),
    content,
    Buffer.from('\nendstream'),
  ]);
