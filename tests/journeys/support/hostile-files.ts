import { mainType, override, relationships, types } from '@customer-database/testkit/docx-parts';
import { pdfOf, textPage } from '@customer-database/testkit/pdf-builder';
import { zip } from '@customer-database/testkit/zip-builder';

/** Scripts and actions that run when it opens, and links that do harm. */
export function hostilePdf(elsewhere: string): Buffer {
  const script = `<< /S /JavaScript /JS (app.alert\\(1\\); app.launchURL\\("${elsewhere}/js"\\)) >>`;
  const link = (top: number, action: string) =>
    `<< /Type /Annot /Subtype /Link /Rect [60 ${top} 300 ${top + 20}] /Border [0 0 1] /A ${action} >>`;
  const links = [
    link(700, `<< /S /URI /URI (javascript:alert\\(1\\)) >>`),
    link(670, `<< /S /Launch /F (calc.exe) >>`),
    link(640, `<< /S /GoToR /F (${elsewhere}/remote.pdf) /D [0 /Fit] >>`),
    link(610, script),
    link(580, `<< /S /URI /URI (https://example.com/harmless) >>`),
  ];
  const widget = `<< /Type /Annot /Subtype /Widget /FT /Tx /T (field) /Rect [60 540 300 560] /AA << /PV ${script} /Fo ${script} >> >>`;
  const catalog = `/OpenAction ${script} /AA << /WC ${script} >> /Names << /JavaScript << /Names [(a) ${script}] >> >>`;
  return Buffer.from(
    pdfOf([textPage('Nothing happens here')])
      .toString('latin1')
      .replace('/Type /Catalog', `/Type /Catalog ${catalog}`)
      .replace('/Type /Page ', `/Type /Page /AA << /O ${script} >> /Annots [${links.join(' ')} ${widget}] `),
    'latin1',
  );
}

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const drawing = 'http://schemas.openxmlformats.org/drawingml/2006';

const picture = (id: string, how: 'embed' | 'link') =>
  `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="900000" cy="900000"/><a:graphic><a:graphicData uri="${drawing}/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="p"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:${how}="${id}"/></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="900000" cy="900000"/></a:xfrm></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;

const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
const hyperlink = (id: string, text: string) =>
  `<w:p><w:hyperlink r:id="${id}"><w:r><w:t>${text}</w:t></w:r></w:hyperlink></w:p>`;

/** References to another host, and scripts in every place that could run one. */
export function hostileDocx(elsewhere: string): Buffer {
  const script = `<script>alert(1);fetch("${elsewhere}/script")</script>`;
  const external: [id: string, type: string, target: string][] = [
    ['image', 'image', `${elsewhere}/image.png`],
    ['script', 'hyperlink', 'javascript:alert(1)'],
    ['link', 'hyperlink', `${elsewhere}/link`],
    ['template', 'attachedTemplate', `${elsewhere}/template.dotm`],
  ];
  const inside: [id: string, type: string, target: string][] = [
    ['chunk', 'aFChunk', 'chunk.html'],
    ['drawn', 'image', 'media/drawn.svg'],
  ];
  const relation = ([id, type, target]: [string, string, string], mode = '') =>
    `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"${mode}/>`;
  const all = [
    ...external.map((each) => relation(each, ' TargetMode="External"')),
    ...inside.map((each) => relation(each)),
  ];
  const body = [
    paragraph('Nothing happens here'),
    paragraph(`&lt;img src="${elsewhere}/text.png" onerror="alert(1)"&gt;`),
    picture('image', 'link'),
    picture('image', 'embed'),
    picture('drawn', 'embed'),
    hyperlink('script', 'A script'),
    hyperlink('link', 'Another host'),
    '<w:altChunk r:id="chunk"/>',
  ];
  const namespaces = `xmlns:w="${word}" xmlns:r="${office}" xmlns:wp="${drawing}/wordprocessingDrawing" xmlns:a="${drawing}/main" xmlns:pic="${drawing}/picture"`;
  return zip([
    types(
      `<Default Extension="svg" ContentType="image/svg+xml"/><Default Extension="html" ContentType="text/html"/>${override('/word/document.xml', mainType)}`,
    ),
    relationships(),
    {
      name: 'word/document.xml',
      content: `<?xml version="1.0"?><w:document ${namespaces}><w:body>${body.join('')}</w:body></w:document>`,
    },
    {
      name: 'word/_rels/document.xml.rels',
      content: `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all.join('')}</Relationships>`,
    },
    {
      name: 'word/chunk.html',
      content: `<html><body>${script}<img src="${elsewhere}/chunk.png"></body></html>`,
    },
    {
      name: 'word/media/drawn.svg',
      content: `<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10" onload="alert(1)">${script}<image href="${elsewhere}/svg.png" width="5" height="5"/><rect width="10" height="10"/></svg>`,
    },
  ]);
}
