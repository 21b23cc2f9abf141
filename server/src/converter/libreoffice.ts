import pLimit from 'p-limit';
import { filterFor } from './filters.ts';
import { conversionOf, type JailLimits, type JailOptions, mountsFor, startOnly } from './jail.ts';
import { ConversionFailed, type Converter, ConverterUnavailable } from './port.ts';
import { runInJail } from './run.ts';

export type LibreOffice = Converter & {
  /** Throws unless LibreOffice starts in its jail. */
  checkStart(): Promise<void>;
};

type Installation = {
  /** Where soffice is. */
  program: string;
  /** Folders that it must not see, wherever they are. */
  hidden: string[];
};

const isPdf = (bytes: Buffer) =>
  bytes.subarray(0, 5).equals(Buffer.from('%PDF-')) && bytes.subarray(-16).includes('%%EOF');

const oneLine = Buffer.from('{\\rtf1 One line}');

export function createLibreOffice({ program, hidden }: Installation, limits: JailLimits): LibreOffice {
  const oneAtATime = pLimit(1);
  const closing = new AbortController();
  const { signal } = closing;
  const jail: JailOptions = { program, mounts: mountsFor(program, hidden), limits };
  let hasConverted = false;

  async function convertNow(bytes: Buffer, extension: '.docx' | '.doc'): Promise<Buffer> {
    const work = conversionOf(extension, filterFor(bytes, extension));
    const pdf = await runInJail(jail, { bytes, work, signal });
    if (!isPdf(pdf)) throw new ConversionFailed('LibreOffice made no complete PDF of it');
    hasConverted = true;
    return pdf;
  }

  /** No document is blamed before this LibreOffice has converted one: Writer or a library may be missing. */
  async function expectToWork(): Promise<void> {
    if (hasConverted) return;
    await convertNow(oneLine, '.doc').catch((cause: Error) => {
      if (!(cause instanceof ConversionFailed)) throw cause;
      throw new ConverterUnavailable(`LibreOffice cannot convert one line of text: ${cause.message}`, {
        cause,
      });
    });
  }

  async function convert(bytes: Buffer, extension: '.docx' | '.doc'): Promise<Buffer> {
    try {
      return await convertNow(bytes, extension);
    } catch (error) {
      if (error instanceof ConversionFailed) await expectToWork();
      throw error;
    }
  }

  return {
    convert: (bytes, extension) => oneAtATime(() => convert(bytes, extension)),
    async checkStart() {
      await runInJail(jail, { bytes: Buffer.alloc(0), work: startOnly, signal });
    },
    async close() {
      closing.abort();
      // The running one has been ended.
      await oneAtATime(() => undefined);
    },
  };
}
