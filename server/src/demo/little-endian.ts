/** 16-bit numbers, lowest byte first. */
export function shorts(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, index * 2);
  return bytes;
}

/** 32-bit numbers, lowest byte first. */
export function longs(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, index * 4);
  return bytes;
}
