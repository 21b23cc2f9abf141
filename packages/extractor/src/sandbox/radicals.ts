// Those that are also letters, each followed by the letter. Most others have a decomposition in Unicode.
const pairs =
  '⺎兀 ⺒巳 ⺓幺 ⺟母 ⺠民 ⻄西 ⻅见 ⻆角 ⻉贝 ⻋车 ⻑長 ⻓长 ⻔门 ⻘青 ⻙韦 ⻚页 ⻛风 ⻜飞 ⻝食 ⻢马 ⻣骨 ⻤鬼 ⻥鱼 ⻦鸟 ⻧卤 ⻨麦 ⻩黄 ⻪黾 ⻫斉 ⻬齐 ⻭歯 ⻮齿 ⻯竜 ⻰龙 ⻱龜 ⻲亀 ⻳龟';

const letters = new Map(pairs.split(' ').map((pair) => [pair.slice(0, 1), pair.slice(1)]));

/**
 * Fonts draw some Chinese letters and the radicals of dictionaries with the same glyphs, so that PDFs name one and mean the
 * other. Radicals are no letters for a search.
 */
export const withoutRadicals = (text: string): string =>
  text.replace(/[\u2e80-\u2fd5]/g, (radical) => letters.get(radical) ?? radical.normalize('NFKC'));
