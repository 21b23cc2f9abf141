import { mainType, override } from '@customer-database/testkit/docx-parts';
import { zip } from '@customer-database/testkit/zip-builder';

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const drawing = 'http://schemas.openxmlformats.org/drawingml/2006';
const microsoft = 'http://schemas.microsoft.com/office/word/2010';

const namespaces = [
  `xmlns:w="${word}"`,
  `xmlns:r="${office}"`,
  `xmlns:wp="${drawing}/wordprocessingDrawing"`,
  `xmlns:a="${drawing}/main"`,
  `xmlns:pic="${drawing}/picture"`,
  `xmlns:wps="${microsoft}/wordprocessingShape"`,
  `xmlns:wpg="${microsoft}/wordprocessingGroup"`,
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"',
  'xmlns:v="urn:schemas-microsoft-com:vml"',
].join(' ');

const inch = 914_400;

export const paragraph = (text: string, properties = '', before = '') =>
  `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}<w:r>${before}<w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;

/** Where Word began a page when it saved the file. */
export const wordsBreak = '<w:lastRenderedPageBreak/>';

const pic = (id: string, size: number, attribute: 'embed' | 'link') =>
  `<pic:pic><pic:nvPicPr/><pic:blipFill><a:blip r:${attribute}="${id}"/></pic:blipFill><pic:spPr><a:xfrm><a:off x="${inch}" y="${inch}"/><a:ext cx="${size}" cy="${size}"/></a:xfrm></pic:spPr></pic:pic>`;

const anchored = (content: string, wrap: string, size: number) =>
  `<w:drawing><wp:anchor behindDoc="0"><wp:positionH relativeFrom="column"><wp:posOffset>0</wp:posOffset></wp:positionH><wp:positionV relativeFrom="paragraph"><wp:posOffset>0</wp:posOffset></wp:positionV><wp:extent cx="${size}" cy="${size}"/>${wrap}<a:graphic><a:graphicData uri="${drawing}/picture">${content}</a:graphicData></a:graphic></wp:anchor></w:drawing>`;

const run = (content: string) => `<w:p><w:r>${content}</w:r></w:p>`;

/** A picture over the text, as Word writes it for newer and, in another language, for older programs. */
export const picturesInTwoVersions = run(
  `<mc:AlternateContent><mc:Choice Requires="wpg">${anchored(`<wpg:wgp><wpg:grpSpPr><a:xfrm><a:ext cx="${inch}" cy="${inch}"/><a:chExt cx="${inch}" cy="${inch}"/></a:xfrm></wpg:grpSpPr>${pic('dot', inch, 'embed')}</wpg:wgp>`, '<wp:wrapNone/>', inch)}</mc:Choice><mc:Fallback><w:pict><v:group style="position:absolute;width:72pt;height:72pt"><v:shape style="position:absolute;width:72pt;height:72pt"><v:imagedata r:id="dot"/></v:shape></v:group></w:pict></mc:Fallback></mc:AlternateContent>`,
);

export const textBoxInTwoVersions = (text: string) =>
  run(
    `<mc:AlternateContent><mc:Choice Requires="wps">${anchored(`<wps:wsp><wps:txbx><w:txbxContent>${paragraph(text)}</w:txbxContent></wps:txbx></wps:wsp>`, '<wp:wrapNone/>', 2 * inch)}</mc:Choice><mc:Fallback><w:pict><v:shape><v:textbox><w:txbxContent>${paragraph(text)}</w:txbxContent></v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent>`,
  );

export const linkedPicture = run(
  `<w:drawing><wp:inline><wp:extent cx="${inch}" cy="${inch}"/><a:graphic><a:graphicData uri="${drawing}/picture">${pic('outside', inch, 'link')}</a:graphicData></a:graphic></wp:inline></w:drawing>`,
);

export const linkedOldPicture = run(
  '<w:pict><v:shape style="width:72pt;height:72pt"><v:imagedata r:id="outside"/></v:shape></w:pict>',
);

const field = (name: string, saved: string) =>
  `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> ${name} </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>${saved}</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`;

const text = (words: string) => `<w:r><w:t xml:space="preserve">${words}</w:t></w:r>`;

/** As Word saved it when it looked at page 4. */
const footer = `<w:p>${text('Page ')}${field('PAGE', '4')}${text(' of ')}<w:fldSimple w:instr=" NUMPAGES ">${text('4')}</w:fldSimple></w:p>`;

/** A4, with the header and the footer. */
export const section = (type = '', extra = '') =>
  `<w:sectPr><w:headerReference w:type="default" r:id="header"/><w:footerReference w:type="default" r:id="footer"/>${type && `<w:type w:val="${type}"/>`}<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="720" w:footer="720"/>${extra}</w:sectPr>`;

const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

type Relation = [id: string, type: string, target: string, mode?: string];

const packages = 'http://schemas.openxmlformats.org/package/2006';

const list = (all: Relation[]) =>
  `<?xml version="1.0"?><Relationships xmlns="${packages}/relationships">${all.map(([id, type, target, mode = '']) => `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"${mode}/>`).join('')}</Relationships>`;

/** A real DOCX of these paragraphs, with a header, a footer, a picture `dot`, and a reference to `outside`. */
export function wordFile(body: string, outside = 'https://example.com/outside.png'): Buffer {
  const relations: Relation[] = [
    ['header', 'header', 'header1.xml'],
    ['footer', 'footer', 'footer1.xml'],
    ['dot', 'image', 'media/dot.png'],
    ['outside', 'image', outside, ' TargetMode="External"'],
    ['numbering', 'numbering', 'numbering.xml'],
  ];
  const part = (name: string, content: string) => ({
    name: `word/${name}.xml`,
    content: `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${content}`,
  });
  const wml = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
  return zip([
    {
      name: '[Content_Types].xml',
      content: `<?xml version="1.0"?><Types xmlns="${packages}/content-types"><Default Extension="png" ContentType="image/png"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${override('/word/document.xml', mainType)}${override('/word/header1.xml', `${wml}.header+xml`)}${override('/word/footer1.xml', `${wml}.footer+xml`)}${override('/word/numbering.xml', `${wml}.numbering+xml`)}</Types>`,
    },
    { name: '_rels/.rels', content: list([['main', 'officeDocument', 'word/document.xml']]) },
    part('document', `<w:document ${namespaces}><w:body>${body}</w:body></w:document>`),
    part('header1', `<w:hdr ${namespaces}>${paragraph('The header')}</w:hdr>`),
    part('footer1', `<w:ftr ${namespaces}>${footer}</w:ftr>`),
    // A bullet that is a linked picture.
    part(
      'numbering',
      `<w:numbering ${namespaces}><w:numPicBullet w:numPicBulletId="0"><w:pict><v:shape style="width:9pt;height:9pt"><v:imagedata r:id="outside"/></v:shape></w:pict></w:numPicBullet><w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="bullet"/><w:lvlText w:val="*"/><w:lvlPicBulletId w:val="0"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num></w:numbering>`,
    ),
    { name: 'word/_rels/document.xml.rels', content: list(relations) },
    { name: 'word/_rels/numbering.xml.rels', content: list(relations.filter(([id]) => id === 'outside')) },
    { name: 'word/media/dot.png', content: dot },
  ]);
}
