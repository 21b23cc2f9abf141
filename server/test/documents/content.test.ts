import { documentTypes } from '@customer-database/contract/documents';
import { cpuMsOf } from '@customer-database/testkit/cpu-time';
import { samples } from '@customer-database/testkit/samples';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RecognisedContent, recogniseContent } from '../../src/modules/documents/filetypes/recognise.ts';

const kinds = ['pdf', 'docx', 'doc', 'txt'] as const;
type Kind = (typeof kinds)[number];

type File = { filename: string; mimeType: string; bytes: Buffer };

/** Undefined when refused. */
async function recogniseFile(file: File): Promise<RecognisedContent | undefined> {
  const answer = await recogniseContent(file);
  return 'fault' in answer ? undefined : answer;
}

const recognise = (kind: Kind, bytes: Buffer) =>
  recogniseFile({ filename: `file.${kind}`, mimeType: documentTypes[`.${kind}`], bytes });

describe('recogniseContent', () => {
  it.each(kinds)('accepts a %s whose name, type and content agree', async (kind) => {
    const charset = kind === 'txt' ? 'utf-8' : null;
    const mimeType = documentTypes[`.${kind}`];
    expect(await recognise(kind, samples[kind])).toEqual({ mimeType, charset, isProtected: false });
    const shouted = {
      filename: `A.B.${kind.toUpperCase()}`,
      mimeType: `${mimeType.toUpperCase()} ; charset=x`,
      bytes: samples[kind],
    };
    expect(await recogniseFile(shouted)).toEqual({ mimeType, charset, isProtected: false });
  });

  const pairs = kinds.flatMap((one) =>
    kinds.filter((other) => other !== one).map((other) => [one, other] as const),
  );

  it.each(pairs)('refuses a %s that claims to be a %s', async (real, claimed) => {
    const bytes = samples[real];
    const isPlainText = !bytes.includes(0);
    const answer = await recognise(claimed, bytes);
    // A file without NUL bytes is also valid text.
    if (claimed === 'txt' && isPlainText) expect(answer?.mimeType).toBe('text/plain');
    else expect(answer).toBeUndefined();
    const mixed = { filename: `file.${real}`, mimeType: documentTypes[`.${claimed}`], bytes };
    expect(await recogniseFile(mixed)).toBeUndefined();
  });

  it('refuses an empty file', async () => {
    for (const kind of kinds) expect(await recognise(kind, Buffer.alloc(0)), kind).toBeUndefined();
  });

  it('refuses other extensions and other declared types', async () => {
    const bytes = samples.pdf;
    for (const filename of [
      'file',
      'file.exe',
      'pdf',
      'file.pdf.exe',
      'file.pdf ',
      'file.constructor',
      'file.',
    ])
      expect(await recogniseFile({ filename, mimeType: 'application/pdf', bytes }), filename).toBeUndefined();
    for (const mimeType of ['', 'application/pdfx', 'application', 'text/pdf; application/pdf'])
      expect(await recogniseFile({ filename: 'a.pdf', mimeType, bytes }), mimeType).toBeUndefined();
  });

  it.each([
    ['%PDF-1.0', true],
    ['%PDF-1.7\n', true],
    ['%PDF-2.0', true],
    ['%PDF-3.0', false],
    ['%PDF-1.', false],
    ['%PDF-1.x', false],
    ['%pdf-1.4', false],
    [' %PDF-1.4', true],
    ['\ufeff%PDF-1.4', true],
    ['\r\n%PDF-1.7', true],
    ['\x1b%-12345X@PJL JOB\r\n@PJL ENTER LANGUAGE=PDF\r\n%PDF-1.4', true],
    ['HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n%PDF-1.5', true],
    [`${' '.repeat(1024 - 8)}%PDF-1.4`, true],
    [`${' '.repeat(1025 - 8)}%PDF-1.4`, false],
    ['MZ%PDF-1.4', false],
    ['\x7fELF%PDF-1.4', false],
    ['#!/bin/sh\n%PDF-1.4', false],
    ['\ufeff\n<html>%PDF-1.4', false],
  ])('requires the header of a PDF within the first 1,024 bytes: %j', async (opening, accepted) => {
    expect((await recognise('pdf', Buffer.from(opening))) !== undefined).toBe(accepted);
  });

  it.each([
    ['%PDF-0.9', true],
    ['%PDF-1,4', true],
    ['%PDF-1.\n', true],
    ['%PDF-a.b', true],
    ['%pdf-1.4', false],
    ['%FDF-1.2', false],
    ['PDF-1.4', false],
    [`${' '.repeat(1025 - 8)}%PDF-1,4`, false],
    ['MZ%PDF-1,4', false],
  ])('accepts an odd version in the header of a PDF that has objects: %j', async (opening, accepted) => {
    const [header, objects] = [Buffer.from(opening), samples.pdf.subarray('%PDF-1.6'.length)];
    expect((await recognise('pdf', Buffer.concat([header, objects]))) !== undefined).toBe(accepted);
    expect(await recognise('pdf', header)).toBeUndefined();
  });

  it('distinguishes UTF-8, UTF-16 with a BOM and legacy text, and refuses binary', async () => {
    const charsetOf = async (bytes: Buffer) => (await recognise('txt', bytes))?.charset;
    expect(await charsetOf(Buffer.from('plain'))).toBe('utf-8');
    expect(await charsetOf(Buffer.from('\ufeffŁódź 東京'))).toBe('utf-8');
    expect(await charsetOf(Buffer.from('Müller', 'latin1'))).toBe('windows-1252');
    expect(await charsetOf(Buffer.from('東京').subarray(0, 4))).toBe('windows-1252');
    expect(await charsetOf(Buffer.from('a\0b'))).toBeUndefined();
    const utf16 = Buffer.from('\ufeffMüller Łódź 東京 😀', 'utf16le');
    expect(await charsetOf(utf16)).toBe('utf-16le');
    expect(await charsetOf(Buffer.from(utf16).swap16())).toBe('utf-16be');
    // Two zero bytes of two different characters.
    expect(await charsetOf(Buffer.from('\ufeff\u4100A', 'utf16le').swap16())).toBe('utf-16be');
    expect(await charsetOf(Buffer.from('Müller', 'utf16le'))).toBeUndefined();
    expect(await charsetOf(Buffer.from('\ufeffMüll\0er', 'utf16le'))).toBeUndefined();
    expect(await charsetOf(utf16.subarray(0, -1))).toBeUndefined();
  });

  it('is fast at the size limit', async () => {
    const size = 10 * 1024 * 1024;
    const text = Buffer.alloc(size, 'Łódź ');
    const pdf = Buffer.concat([samples.pdf], size);
    const cost = await cpuMsOf(async () => {
      expect(await recognise('txt', text)).toBeDefined();
      expect(await recognise('pdf', pdf)).toBeDefined();
      expect(await recognise('docx', pdf)).toBeUndefined();
      expect(await recognise('doc', pdf)).toBeUndefined();
    });
    expect(cost).toBeLessThan(2000);
  });

  it('never throws on arbitrary bytes, with or without a known signature', async () => {
    const opening = fc.constantFrom(
      '',
      '%PDF-1.',
      'PK\x03\x04',
      '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1',
      '<?xml ',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...kinds),
        opening,
        fc.uint8Array({ maxLength: 2048 }),
        async (kind, start, rest) => {
          const bytes = Buffer.concat([Buffer.from(start, 'latin1'), rest]);
          const answer = await recognise(kind, bytes);
          if (kind === 'docx' || kind === 'doc') expect(answer).toBeUndefined();
        },
      ),
      { numRuns: 400 },
    );
  });

  it('never throws on a valid file with a few bytes changed', async () => {
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('docx' as const, 'doc' as const), changes, async (kind, edits) => {
        const bytes = Buffer.from(samples[kind]);
        for (const [position, value] of edits) bytes[position % bytes.length] = value;
        const answer = await recognise(kind, bytes);
        if (answer !== undefined) expect(answer.mimeType).toBe(documentTypes[`.${kind}`]);
      }),
      { numRuns: 600 },
    );
  });
});
