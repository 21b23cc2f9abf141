import { override, types } from '@customer-database/testkit/docx-parts';
import { zip } from '@customer-database/testkit/zip-builder';

const namespaces =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" ' +
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" ' +
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" ' +
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ' +
  'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"';
const relationship = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const mainType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
const settingsType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.settings+xml';

export const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;

const linkedPicture = (id: string) =>
  `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="900000" cy="900000"/><wp:docPr id="1" name="${id}"/><a:graphic>` +
  '<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr>' +
  `<pic:cNvPr id="0" name="${id}"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:link="${id}"/></pic:blipFill>` +
  '<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="900000" cy="900000"/></a:xfrm><a:prstGeom prst="rect"/></pic:spPr>' +
  '</pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>';

const field = (code: string) =>
  `<w:p><w:r><w:fldChar w:fldCharType="begin" w:dirty="true"/></w:r><w:r><w:instrText xml:space="preserve"> ${code} ` +
  '</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>before</w:t></w:r>' +
  '<w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>';

type Link = { id: string; type: string; target: string };

const relationshipsOf = (links: Link[]) =>
  `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${links
    .map(
      ({ id, type, target }) =>
        `<Relationship Id="${id}" Type="${relationship}/${type}" Target="${target}"${/^\w+:/.test(target) ? ' TargetMode="External"' : ''}/>`,
    )
    .join('')}</Relationships>`;

/** A complete Word document with this body. */
export function docxOf(
  body: string,
  { links = [], template }: { links?: Link[]; template?: string } = {},
): Buffer {
  const ofDocument = [...links, { id: 'settings', type: 'settings', target: 'settings.xml' }];
  const ofSettings = template ? [{ id: 'template', type: 'attachedTemplate', target: template }] : [];
  const rels =
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>';
  const contentTypes = types(
    rels + override('/word/document.xml', mainType) + override('/word/settings.xml', settingsType),
  );
  return zip([
    {
      ...contentTypes,
      content: String(contentTypes.content).replace(
        'xmlns="x"',
        'xmlns="http://schemas.openxmlformats.org/package/2006/content-types"',
      ),
    },
    {
      name: '_rels/.rels',
      content: relationshipsOf([{ id: 'main', type: 'officeDocument', target: 'word/document.xml' }]),
    },
    { name: 'word/_rels/document.xml.rels', content: relationshipsOf(ofDocument) },
    { name: 'word/_rels/settings.xml.rels', content: relationshipsOf(ofSettings) },
    {
      name: 'word/settings.xml',
      content: `<w:settings ${namespaces}>${template ? '<w:attachedTemplate r:id="template"/>' : ''}<w:updateFields w:val="true"/></w:settings>`,
    },
    { name: 'word/document.xml', content: `<w:document ${namespaces}><w:body>${body}</w:body></w:document>` },
  ]);
}

/** As Word 2003 saves XML. */
export const wordXml = (text: string) =>
  '<?xml version="1.0"?><?mso-application progid="Word.Document"?>' +
  '<w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml"><w:body>' +
  `<w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:body></w:wordDocument>`;

/** As later versions do, which LibreOffice cannot read. */
export const flatPackage =
  '<?xml version="1.0"?><?mso-application progid="Word.Document"?>' +
  '<pkg:package xmlns:pkg="http://schemas.microsoft.com/office/2006/xmlPackage"></pkg:package>';

/** Asks for files of the machine and for answers of its network. */
export function reachingDocx(port: number, files: string[]): Buffer {
  const body = [
    paragraph('Reaching out'),
    linkedPicture('http'),
    ...files.flatMap((file, index) => [
      linkedPicture(`file${index}`),
      field(`INCLUDETEXT &quot;${file}&quot;`),
      field(`INCLUDETEXT &quot;file://${file}&quot;`),
      field(`DDEAUTO soffice &quot;${file}&quot; a`),
    ]),
    field(`INCLUDEPICTURE &quot;http://127.0.0.1:${port}/field.png&quot;`),
  ].join('');
  const links = [
    { id: 'http', type: 'image', target: `http://127.0.0.1:${port}/picture.png` },
    ...files.map((file, index) => ({ id: `file${index}`, type: 'image', target: `file://${file}` })),
  ];
  return docxOf(body, { links, template: `http://127.0.0.1:${port}/template.dotm` });
}

export function reachingRtf(port: number, files: string[]): Buffer {
  const asField = (code: string) => `{\\field\\flddirty{\\*\\fldinst ${code}}{\\fldrslt before}}\\par `;
  const fields = files.flatMap((file) => [
    asField(`INCLUDETEXT "${file}"`),
    asField(`INCLUDETEXT "file://${file}"`),
    asField(`DDEAUTO soffice "${file}" a`),
  ]);
  fields.push(asField(`INCLUDEPICTURE "http://127.0.0.1:${port}/field.png" \\\\d`));
  const template = `{\\*\\template http://127.0.0.1:${port}/template.dot}`;
  return Buffer.from(`{\\rtf1\\ansi${template} Reaching out\\par ${fields.join('')}}`);
}

/** Takes LibreOffice far longer to lay out than to store. */
export function bombDocx(): Buffer {
  const nested = (depth: number): string =>
    depth === 0
      ? paragraph('x')
      : `<w:tbl><w:tr>${`<w:tc>${nested(depth - 1)}<w:p/></w:tc>`.repeat(3)}</w:tr></w:tbl>`;
  return docxOf(nested(9) + paragraph('word '.repeat(200)).repeat(20_000));
}
