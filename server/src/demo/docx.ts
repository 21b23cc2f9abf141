import { strToU8, zipSync } from 'fflate';

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE_DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006';
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const WORD_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml';

const CONTENT_TYPES = `${XML}<Types xmlns="${PACKAGE}/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/>
<Override PartName="/word/document.xml" ContentType="${WORD_TYPE}.document.main+xml"/>
<Override PartName="/word/styles.xml" ContentType="${WORD_TYPE}.styles+xml"/>
<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>
</Types>`;

const PACKAGE_RELATIONSHIPS = `${XML}<Relationships xmlns="${PACKAGE}/relationships">
<Relationship Id="rId1" Type="${OFFICE_DOCUMENT}/relationships/officeDocument" Target="word/document.xml"/>
<Relationship Id="rId2" Type="${PACKAGE}/relationships/metadata/core-properties" Target="docProps/core.xml"/>
</Relationships>`;

const DOCUMENT_RELATIONSHIPS = `${XML}<Relationships xmlns="${PACKAGE}/relationships">
<Relationship Id="rId1" Type="${OFFICE_DOCUMENT}/relationships/styles" Target="styles.xml"/>
</Relationships>`;

const STYLES = `${XML}<w:styles xmlns:w="${WORD}">
<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Calibri" w:hAnsi="Calibri"/><w:sz w:val="22"/></w:rPr></w:rPrDefault>
<w:pPrDefault><w:pPr><w:spacing w:after="160"/></w:pPr></w:pPrDefault></w:docDefaults>
<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>
<w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/><w:basedOn w:val="Normal"/>
<w:rPr><w:b/><w:sz w:val="36"/></w:rPr></w:style>
</w:styles>`;

const A4_PORTRAIT =
  '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1417" w:right="1417" w:bottom="1417" w:left="1417" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr>';

export function docxFile(title: string, paragraphs: string[]): Buffer {
  const body = [paragraph(title, 'Title'), ...paragraphs.map((text) => paragraph(text, 'Normal'))].join('');
  const parts: Record<string, string> = {
    '[Content_Types].xml': CONTENT_TYPES,
    '_rels/.rels': PACKAGE_RELATIONSHIPS,
    'word/document.xml': `${XML}<w:document xmlns:w="${WORD}"><w:body>${body}${A4_PORTRAIT}</w:body></w:document>`,
    'word/_rels/document.xml.rels': DOCUMENT_RELATIONSHIPS,
    'word/styles.xml': STYLES,
    'docProps/core.xml': coreProperties(title),
  };
  const files = Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)]));
  // Zip keeps local time: a date made from local parts gives the same bytes in every time zone.
  return Buffer.from(zipSync(files, { mtime: new Date(2024, 0, 1) }));
}

function paragraph(text: string, style: string): string {
  return `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr><w:r><w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r></w:p>`;
}

function coreProperties(title: string): string {
  return `${XML}<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${escapeXml(title)}</dc:title></cp:coreProperties>`;
}

function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\ufffe\uffff]+/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
