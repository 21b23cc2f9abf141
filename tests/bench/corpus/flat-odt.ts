/** A document as LibreOffice reads it from one XML file, with a word of the text in every place where words can be. */
export type Draft = {
  font: string;
  rightToLeft: boolean;
  /** Each begins a page. */
  paragraphs: string[];
  cells: string[][];
  header: string;
  footnote: string;
  endnote: string;
  textBox: string;
  comment: string;
  /** With a hyphen that shows only at the end of a line. */
  divided: [string, string];
};

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const paragraph = (inner: string, style = 'Text') => `<text:p text:style-name="${style}">${inner}</text:p>`;

const namespaces = [
  ...['office', 'style', 'text', 'table'].map((name) => [name, `opendocument:xmlns:${name}:1.0`]),
  ['draw', 'opendocument:xmlns:drawing:1.0'],
  ['fo', 'opendocument:xmlns:xsl-fo-compatible:1.0'],
  ['svg', 'opendocument:xmlns:svg-compatible:1.0'],
]
  .map(([prefix, name]) => `xmlns:${prefix}="urn:oasis:names:tc:${name}"`)
  .join(' ');

const note = (kind: 'footnote' | 'endnote', text: string) =>
  `<text:note text:note-class="${kind}"><text:note-citation>1</text:note-citation><text:note-body>${paragraph(escapeXml(text))}</text:note-body></text:note>`;

const tableOf = (rows: string[][]) =>
  `<table:table><table:table-column table:number-columns-repeated="${rows[0]?.length ?? 0}"/>${rows
    .map(
      (cells) =>
        `<table:table-row>${cells
          .map(
            (cell) =>
              `<table:table-cell office:value-type="string">${paragraph(escapeXml(cell))}</table:table-cell>`,
          )
          .join('')}</table:table-row>`,
    )
    .join('')}</table:table>`;

const textBox = (text: string) =>
  `<draw:frame text:anchor-type="paragraph" svg:width="6cm" svg:height="2cm"><draw:text-box>${paragraph(escapeXml(text))}</draw:text-box></draw:frame>`;

export function flatOdt(draft: Draft): string {
  const { font, rightToLeft, paragraphs, cells, header, footnote, endnote, comment, divided } = draft;
  const fonts = ['font-name', 'font-name-asian', 'font-name-complex']
    .map((name) => `style:${name}="${font}"`)
    .join(' ');
  const direction = rightToLeft ? 'style:writing-mode="rl-tb"' : '';
  const pages = paragraphs.map((text) => paragraph(escapeXml(text), 'Page')).join('');
  const link = '<text:a xlink:type="simple" xlink:href="https://example.com/hidden">';
  return `<?xml version="1.0" encoding="UTF-8"?>
<office:document ${namespaces} xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/" office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.text">
<office:meta><dc:title>untold title</dc:title></office:meta>
<office:font-face-decls><style:font-face style:name="${font}" svg:font-family="'${font}'"/></office:font-face-decls>
<office:styles><style:style style:name="Text" style:family="paragraph"><style:paragraph-properties ${direction}/><style:text-properties ${fonts}/></style:style></office:styles>
<office:automatic-styles>
<style:style style:name="Page" style:family="paragraph" style:parent-style-name="Text"><style:paragraph-properties fo:break-before="page"/></style:style>
<style:page-layout style:name="Layout"><style:page-layout-properties fo:page-width="21cm" fo:page-height="29.7cm"/><style:header-style/></style:page-layout>
</office:automatic-styles>
<office:master-styles><style:master-page style:name="Standard" style:page-layout-name="Layout"><style:header>${paragraph(escapeXml(header))}</style:header></style:master-page></office:master-styles>
<office:body><office:text>
${paragraph(`${escapeXml(divided[0])}\u00ad${escapeXml(divided[1])} ${note('footnote', footnote)} ${note('endnote', endnote)} <office:annotation><dc:creator>untold author</dc:creator>${paragraph(escapeXml(comment))}</office:annotation> ${link}link</text:a>.`)}
${paragraph(textBox(draft.textBox))}
${tableOf(cells)}
${pages}
</office:text></office:body></office:document>`;
}
