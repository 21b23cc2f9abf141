import { SaxesParser, type SaxesTagPlain } from 'saxes';

const localName = ({ name }: { name: string }) => name.slice(name.indexOf(':') + 1);

const textOfTag: Record<string, string> = { tab: '\t', ptab: '\t', br: '\n', cr: '\n', noBreakHyphen: '-' };
// `tabs` describes tab stops by the tag of tabs, and `Fallback` repeats the text of a drawing.
const skipped = new Set(['tabs', 'Fallback']);

// Names of categories and series in charts; their numbers are elsewhere.
const chartNames = new Set(['strCache', 'strDim']);

/** Reads the text of WordprocessingML, and of the charts and diagrams in it. */
export class MarkupReader {
  readonly #parser = new SaxesParser();
  readonly #pieces: string[] = [];
  #isText = false;
  #isChartName = false;
  #skippedDepth = 0;

  constructor() {
    this.#parser.on('doctype', () => void this.#parser.fail('Word writes none'));
    this.#parser.on('opentag', (tag) => this.#open(tag));
    this.#parser.on('closetag', (tag) => this.#close(tag));
    this.#parser.on('text', (text) => {
      if (this.#isText) this.#pieces.push(text);
    });
  }

  #open(tag: SaxesTagPlain): void {
    const name = localName(tag);
    if (this.#skippedDepth > 0 || skipped.has(name)) {
      if (!tag.isSelfClosing) this.#skippedDepth += 1;
      return;
    }
    if (chartNames.has(name)) this.#isChartName = true;
    this.#isText = name === 't' || (this.#isChartName && (name === 'v' || name === 'pt'));
    const text = textOfTag[name];
    if (text !== undefined) this.#pieces.push(text);
  }

  #close(tag: SaxesTagPlain): void {
    if (this.#skippedDepth > 0) {
      if (!tag.isSelfClosing) this.#skippedDepth -= 1;
      return;
    }
    const name = localName(tag);
    this.#isText = false;
    if (chartNames.has(name)) this.#isChartName = false;
    if (name === 'p' || (this.#isChartName && name === 'pt')) this.#pieces.push('\n');
    else if (name === 'tc') this.#pieces.push('\t');
  }

  write(chunk: string): void {
    this.#parser.write(chunk);
  }

  end(): string {
    this.#parser.close();
    return this.#pieces.join('');
  }
}
