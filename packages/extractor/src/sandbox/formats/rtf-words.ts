const all = <Value>(words: string[], value: Value) => words.map((word) => [word, value] as const);

/** The characters that words and symbols stand for. */
export const textOfWord = new Map<string, string>([
  ...all(['par', 'sect', 'page', 'column', 'line', 'row', 'nestrow', '\r', '\n'], '\n'),
  ...all(['cell', 'nestcell', 'tab', '\t'], '\t'),
  ...all(['emspace', 'enspace', 'qmspace'], ' '),
  ...['{', '}', '\\'].map((symbol) => [symbol, symbol] as const),
  ['~', '\u00a0'],
  ['_', '-'],
  ['emdash', '—'],
  ['endash', '–'],
  ['bullet', '•'],
  ['lquote', '‘'],
  ['rquote', '’'],
  ['ldblquote', '“'],
  ['rdblquote', '”'],
  ['zwj', '\u200d'],
  ['zwnj', '\u200c'],
  ['ltrmark', '\u200e'],
  ['rtlmark', '\u200f'],
]);

/** Groups with text beside the body, and the order in which it follows the body. */
export const partOfWord = new Map<string, number>([
  ...all(['shptxt', 'dptxbxtext'], 1),
  ...all(['header', 'headerl', 'headerr', 'headerf'], 2),
  ...all(['footer', 'footerl', 'footerr', 'footerf'], 3),
  ...all(['footnote'], 4),
  ...all(['annotation'], 5),
]);

/** Groups with text inside although the star before their word allows readers to ignore them. */
export const optionalWithText = new Set([
  ...['do', 'mmath', 'moMath', 'moMathPara', 'nesttableprops', 'shpinst', 'ud'],
  ...partOfWord.keys(),
]);

/** Groups without text of the document, with or without a star. */
export const withoutText = new Set([
  ...['colortbl', 'filetbl', 'info', 'listoverridetable', 'listtable', 'revtbl', 'stylesheet', 'template'],
  ...[
    'mmathPict',
    'nonshppict',
    'objalias',
    'objclass',
    'objdata',
    'objname',
    'objsect',
    'pict',
    'shprslt',
    'sp',
  ],
  ...[
    'bkmkend',
    'bkmkstart',
    'datafield',
    'fldinst',
    'formfield',
    'private',
    'rxe',
    'tc',
    'tcn',
    'txe',
    'xe',
  ],
  ...['aftncn', 'aftnsep', 'aftnsepc', 'ftncn', 'ftnsep', 'ftnsepc', 'nonesttables', 'pntxta', 'pntxtb'],
  ...['atnauthor', 'atndate', 'atnicn', 'atnid', 'atnref', 'atntime', 'atrfend', 'atrfstart'],
]);
