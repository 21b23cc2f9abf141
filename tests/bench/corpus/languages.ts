import { seededRandom } from '@customer-database/testkit/seeded-random';

/** A language of the corpus: words to fill pages with, and the parts that planted words are coined from. */
type Language = {
  name: string;
  font: string;
  filler: string[];
  parts: string[];
  /** Words stand side by side, without spaces. */
  isContinuous?: boolean;
  rightToLeft?: boolean;
  /** The code page that Word 95 used, and the charset of its fonts. */
  word95?: { encoding: string; charset: number };
};

const words = (text: string) => text.split(' ');

export const languages: Language[] = [
  {
    name: 'English',
    word95: { encoding: 'win1252', charset: 0 },
    font: 'Liberation Sans',
    filler: words('the supplier delivers desks and chairs within thirty days after the order was confirmed'),
    parts: words('bra cle dro fen gul hep jor kal mip nov plu quar ros ster tum vel wex yor zin'),
  },
  {
    name: 'German',
    word95: { encoding: 'win1252', charset: 0 },
    font: 'Liberation Sans',
    filler: words('der Lieferant liefert Möbel und übernimmt die Wartung für drei Jahre nach der Übergabe'),
    parts: words('bär krö flü groß hüt jöl kän schmö näg plü quä rüh stöß täf völ wüs zäh'),
  },
  {
    name: 'French',
    word95: { encoding: 'win1252', charset: 0 },
    font: 'Liberation Sans',
    filler: words(
      'le fournisseur livre les meubles et garantit leur réparation pendant trois années entières',
    ),
    parts: words('bré clê dro fée gui hên jou kél mœu nîm plé quê rès sté târ veu zél'),
  },
  {
    name: 'Polish',
    word95: { encoding: 'win1250', charset: 238 },
    font: 'Liberation Sans',
    filler: words('dostawca zobowiązuje się dostarczyć meble oraz usługę serwisową w ciągu trzydziestu dni'),
    parts: words('brzę ćwir dłu gżeg hąb jęcz kłó łąt mśc nęd płó ręk szcz trzó więź żół'),
  },
  {
    name: 'Vietnamese',
    font: 'DejaVu Sans',
    filler: words('nhà cung cấp giao bàn ghế và bảo trì trong ba năm kể từ ngày ký hợp đồng này'),
    parts: words('bướ chuẩ đượ giậ hượ khuấ lưỡ mượ nghiễ phưở quạ trướ vượ xưở'),
  },
  {
    name: 'Russian',
    word95: { encoding: 'win1251', charset: 204 },
    font: 'DejaVu Sans',
    filler: words('поставщик доставляет мебель и обслуживает её в течение трёх лет со дня передачи'),
    parts: words('бра вле дро жём зуб кол мыш нёр пли рощ ству тюл фен хоб щур'),
  },
  {
    name: 'Greek',
    word95: { encoding: 'win1253', charset: 161 },
    font: 'DejaVu Sans',
    filler: words('ο προμηθευτής παραδίδει τα έπιπλα και αναλαμβάνει τη συντήρηση για τρία χρόνια'),
    parts: words('βρα γλε δρό ζεύ θού κλή μπά νέρ ξύλ πλί ρόδ στέ τρώ φύλ χορ ψάλ'),
  },
  {
    name: 'Arabic',
    word95: { encoding: 'win1256', charset: 178 },
    font: 'DejaVu Sans',
    rightToLeft: true,
    filler: words('يلتزم المورد بتسليم المكاتب والكراسي خلال ثلاثين يوما من تاريخ توقيع هذا العقد'),
    parts: words('بر تل ثم جد حس خص دف ذك رق زم سط شع صغ ضن طي ظه عب غت فث قج'),
  },
  {
    name: 'Chinese',
    word95: { encoding: 'gbk', charset: 134 },
    font: 'Noto Sans CJK SC',
    isContinuous: true,
    filler: words('供应商 应 在 三十 天 内 交付 办公 家具 并 负责 三年 维修'),
    parts: words('灯塔 骆驼 琥珀 瀑布 蜻蜓 葡萄 珊瑚 沙漠 蝴蝶 玫瑰 橄榄 骑士 火山 鲸鱼 钟楼 风车'),
  },
  {
    name: 'Japanese',
    word95: { encoding: 'shiftjis', charset: 128 },
    font: 'Noto Sans CJK JP',
    isContinuous: true,
    filler: words('供給者 は 三十日 以内 に 机 と 椅子 を 納入 し 三年間 保守 を 行う'),
    parts: words('灯台 紫陽花 琥珀 風鈴 蜻蛉 葡萄 珊瑚 砂漠 蝶々 薔薇 提灯 騎士 火山 鯨 時計台 風車'),
  },
];

/** Different for each number; the same in every run. */
export function plantedWord({ parts }: Language, number: number): string {
  const random = seededRandom(number + 1);
  return Array.from({ length: 3 }, () => parts[random(parts.length)]).join('') + suffixOf(parts, number);
}

/** Makes it unique, in letters of the language. */
const suffixOf = (parts: string[], number: number) =>
  [number % parts.length, Math.floor(number / parts.length) % parts.length]
    .map((index) => parts[index] ?? '')
    .join('');

export function fillerText({ filler, isContinuous }: Language, random: (below: number) => number): string {
  const chosen = Array.from({ length: 60 }, () => filler[random(filler.length)]);
  return chosen.join(isContinuous ? '' : ' ');
}
