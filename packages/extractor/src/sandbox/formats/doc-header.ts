import { ProtectedError } from '../port.ts';
import { type CodePage, macRoman, western } from './code-pages.ts';

/** The header of a Word document lists where its tables are. Only these are needed. */
const tables = { characterFormats: 12, paragraphFormats: 13, fonts: 15, pieces: 33 };

/** What differs between the versions of Word. */
type Version = {
  /** Where the header lists the tables, and how it writes the length of one. */
  list: number;
  lengthBytes: 2 | 4;
};

const word2: Version = { list: 0x58, lengthBytes: 2 };
/** And Word 95. */
const word6: Version = { list: 0x58, lengthBytes: 4 };
/** And all later ones. */
const word97: Version = { list: 0x9a, lengthBytes: 4 };

function versionOf(number: number): Version {
  if (number < 101) return word2;
  return number < 106 ? word6 : word97;
}

const flags = { fastSaved: 0x0004, encrypted: 0x0100, secondTable: 0x0200 };

export type DocFile = {
  isWord97: boolean;
  /** The header, the text and its formats. */
  stream: Buffer;
  /** Empty if the document has none. */
  table(name: keyof typeof tables): Buffer;
  /** Of letters whose font does not say it. */
  codePage: CodePage;
};

/** `streamOf` reads the stream of this name, if there is one. */
export function openDoc(streamOf: (name: string) => Buffer | undefined): DocFile {
  const stream = streamOf('WordDocument');
  if (!stream) throw new Error('there is no text');
  const version = versionOf(stream.readUInt16LE(2));
  const isWord97 = version === word97;
  const status = stream.readUInt16LE(10);
  if (status & flags.encrypted) throw new ProtectedError();
  const source = isWord97 ? streamOf(status & flags.secondTable ? '1Table' : '0Table') : stream;
  if (!source) throw new Error('there are no tables');
  const absent = new Set<string>();
  // Where the older ones were not saved fast, the list of pieces is out of date.
  if (!isWord97 && !(status & flags.fastSaved)) absent.add('pieces');
  // Its formats are others.
  if (version === word2)
    for (const name of ['characterFormats', 'paragraphFormats', 'fonts']) absent.add(name);
  return {
    isWord97,
    stream,
    codePage: isWord97 ? western : codePageOfHeader(stream),
    table(name) {
      const at = version.list + tables[name] * (4 + version.lengthBytes);
      const start = stream.readUInt32LE(at);
      const length = absent.has(name) ? 0 : stream.readUIntLE(at + 4, version.lengthBytes);
      return source.subarray(start, start + length);
    },
  };
}

const macintosh = 256;

/** By language, without the country. */
const codePageOfLanguage = new Map<number, CodePage>([
  [0x01, 1256],
  [0x02, 1251],
  [0x04, 936],
  [0x05, 1250],
  [0x08, 1253],
  [0x0d, 1255],
  [0x0e, 1250],
  [0x11, 932],
  [0x12, 949],
  [0x15, 1250],
  [0x18, 1250],
  [0x19, 1251],
  [0x1a, 1250],
  [0x1b, 1250],
  [0x1c, 1250],
  [0x1e, 874],
  [0x1f, 1254],
  [0x20, 1256],
  [0x22, 1251],
  [0x23, 1251],
  [0x24, 1250],
  [0x25, 1257],
  [0x26, 1257],
  [0x27, 1257],
  [0x29, 1256],
  [0x2a, 1258],
  [0x2f, 1251],
]);
const traditionalChinese = new Set([0x0404, 0x0c04]);

function codePageOfHeader(stream: Buffer): CodePage {
  if (stream.readUInt16LE(20) === macintosh) return macRoman;
  const language = stream.readUInt16LE(6);
  if (traditionalChinese.has(language)) return 950;
  return codePageOfLanguage.get(language & 0x3ff) ?? western;
}
