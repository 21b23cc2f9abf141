import { type CodePage, codePageOf, decodeBytes, macRoman, western } from './code-pages.ts';
import { optionalWithText, partOfWord, textOfWord, withoutText } from './rtf-words.ts';

/** What a group inherits and its end restores. */
type State = Readonly<{
  /** The body is 0; the others are in `partOfWord`. */
  part: number;
  /** `ansi`: a group inside has the same text in Unicode. */
  ignored: 'nothing' | 'ansi' | 'everything';
  isFontTable: boolean;
  isDeleted: boolean;
  /** Undefined for the default font. */
  font: number | undefined;
  /** How many characters repeat each Unicode character, for older readers. */
  fallbackLength: number;
}>;

/** Word nests a few dozen. */
const maxDepth = 5_000;

const initialState: State = {
  part: 0,
  ignored: 'nothing',
  isFontTable: false,
  isDeleted: false,
  font: undefined,
  fallbackLength: 1,
};

/** A word with its number, a byte, a symbol, a brace, text, or anything else. */
const token = /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([\da-f]{2})|\\(.)|([{}])|([^\\{}\r\n]+)|./gisy;

const beyondAscii = /[\x80-\xff]/;

const defaultCodePages = new Map<string, CodePage>([
  ['ansi', western],
  ['mac', macRoman],
  ['pc', 437],
  ['pca', 850],
]);

/** Reads the text of one document, in one pass over its tokens. */
export class RtfReader {
  readonly #parts: string[][] = [];
  readonly #outer: State[] = [];
  #state = initialState;
  #defaultCodePage = western;
  #defaultFont = 0;
  #fontInTable = 0;
  readonly #codePageOfFont = new Map<number, CodePage | undefined>();
  /** After a star: readers that do not know the next word may ignore the group. */
  #isOptional = false;
  #fallbackLeft = 0;
  /** Not decoded yet, because a character may have two bytes. As Latin-1. */
  #bytes = '';
  #codePage = western;

  read(file: Buffer): string {
    const rtf = file.toString('latin1');
    token.lastIndex = 0;
    for (let found = token.exec(rtf); found; found = token.exec(rtf)) {
      const [, word, number, hex, symbol, brace, text] = found;
      if (word) {
        const value = number === undefined ? undefined : Number(number);
        // Raw bytes follow.
        if (word === 'bin') token.lastIndex += Math.max(value ?? 0, 0);
        else this.#readWord(word, value);
      } else if (text) this.#readText(text);
      else if (hex) this.#readText(String.fromCharCode(Number.parseInt(hex, 16)));
      else if (symbol) this.#readSymbol(symbol);
      else if (brace === '{') this.#open();
      else if (brace === '}') this.#close();
      if (brace && this.#outer.length === 0) break;
    }
    this.#decodeBytes();
    // Skips the parts that the document does not have.
    return this.#parts.flatMap((pieces) => pieces.join('')).join('\n');
  }

  #open(): void {
    if (this.#outer.length === maxDepth) throw new Error('the groups are nested too deeply');
    this.#fallbackLeft = 0;
    this.#outer.push(this.#state);
  }

  #close(): void {
    this.#fallbackLeft = 0;
    const outer = this.#outer.pop() ?? initialState;
    if (outer.part !== this.#state.part) this.#write('\n');
    this.#state = outer;
  }

  #set(change: Partial<State>): void {
    this.#state = { ...this.#state, ...change };
  }

  #readSymbol(symbol: string): void {
    if (symbol === '*') this.#isOptional = true;
    else this.#writeWord(symbol);
  }

  #writeWord(word: string): void {
    const text = textOfWord.get(word);
    if (text === undefined) return;
    if (this.#fallbackLeft > 0 && text !== '\n') this.#fallbackLeft -= 1;
    else this.#write(text);
  }

  #readWord(word: string, value: number | undefined): void {
    const isOptional = this.#isOptional;
    this.#isOptional = false;
    const isIgnored = withoutText.has(word) || (isOptional && !optionalWithText.has(word));
    // The outermost group is the document.
    if (isIgnored && this.#outer.length > 1) this.#set({ ignored: 'everything' });
    const part = partOfWord.get(word);
    if (part !== undefined) this.#enter(part);
    else if (word === 'u') this.#readUnicode(value ?? 0);
    else if (!this.#readFormat(word, value)) this.#writeWord(word);
  }

  #enter(part: number): void {
    this.#decodeBytes();
    this.#set({ part });
  }

  #readUnicode(value: number): void {
    // Writers count from -32768 or from 0, and some write characters that need two units as one number.
    const code = value < 0 ? value & 0xffff : value;
    if (code <= 0x10ffff) this.#write(code > 0xffff ? String.fromCodePoint(code) : String.fromCharCode(code));
    this.#fallbackLeft = this.#state.fallbackLength;
  }

  /** Whether the word says how to read what follows. */
  #readFormat(word: string, value: number | undefined): boolean {
    const codePage = defaultCodePages.get(word);
    if (codePage !== undefined) this.#defaultCodePage = codePage;
    else if (word === 'ansicpg') this.#defaultCodePage = value || this.#defaultCodePage;
    else if (word === 'deff') this.#defaultFont = value ?? 0;
    else if (word === 'fonttbl') this.#set({ isFontTable: true });
    else if (this.#state.isFontTable) this.#readFont(word, value ?? 0);
    else if (word === 'f') this.#set({ font: value });
    else if (word === 'plain') this.#set({ font: undefined, isDeleted: false });
    else if (word === 'deleted') this.#set({ isDeleted: value !== 0 });
    else if (word === 'uc') this.#set({ fallbackLength: Math.max(value ?? 1, 0) });
    else if (word === 'upr' && this.#state.ignored === 'nothing') this.#set({ ignored: 'ansi' });
    else if (word === 'ud' && this.#state.ignored === 'ansi') this.#set({ ignored: 'nothing' });
    else return false;
    return true;
  }

  #readFont(word: string, value: number): void {
    if (word === 'f') this.#fontInTable = value;
    else if (word === 'fcharset') this.#codePageOfFont.set(this.#fontInTable, codePageOf(value));
    else if (word === 'cpg' && value) this.#codePageOfFont.set(this.#fontInTable, value);
  }

  #isShown(): boolean {
    const { ignored, isFontTable, isDeleted } = this.#state;
    return ignored === 'nothing' && !isFontTable && !isDeleted;
  }

  #readText(text: string): void {
    const repeated = Math.min(this.#fallbackLeft, text.length);
    this.#fallbackLeft -= repeated;
    if (repeated === text.length || !this.#isShown()) return;
    const codePage = this.#codePageOfFont.get(this.#state.font ?? this.#defaultFont) ?? this.#defaultCodePage;
    if (codePage !== this.#codePage) this.#decodeBytes();
    this.#codePage = codePage;
    this.#bytes += text.slice(repeated);
  }

  #write(text: string): void {
    if (!this.#isShown()) return;
    this.#decodeBytes();
    this.#append(text);
  }

  #decodeBytes(): void {
    const bytes = this.#bytes;
    this.#bytes = '';
    // All code pages contain ASCII. Millions of decoders for short texts would need much memory.
    const isAscii = !beyondAscii.test(bytes);
    if (bytes) this.#append(isAscii ? bytes : decodeBytes(Buffer.from(bytes, 'latin1'), this.#codePage));
  }

  #append(text: string): void {
    this.#parts[this.#state.part] ??= [];
    this.#parts[this.#state.part]?.push(text);
  }
}
