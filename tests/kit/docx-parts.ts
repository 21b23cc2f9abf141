import { documentTypes } from '@customer-database/contract/documents';
import { recogniseContent } from '../../server/src/modules/documents/filetypes/recognise.ts';
import type { ZipEntry } from './zip-builder.ts';

export const mainType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
const relationshipType = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument';

export const types = (inner: string): ZipEntry => ({
  name: '[Content_Types].xml',
  content: `<?xml version="1.0"?><Types xmlns="x">${inner}</Types>`,
});
export const override = (part: string, type: string) =>
  `<Override PartName="${part}" ContentType="${type}"/>`;
export const relationships = (target = 'word/document.xml', type = relationshipType): ZipEntry => ({
  name: '_rels/.rels',
  content: `<Relationships><Relationship Id="r" Type="${type}" Target="${target}"/></Relationships>`,
});
export const mainPart: ZipEntry = { name: 'word/document.xml', content: '<w:document/>' };
export const wordTypes = types(override('/word/document.xml', mainType));
export const wordParts = [wordTypes, relationships(), mainPart];

/** The reason a DOCX is refused, if any. */
export async function faultOf(bytes: Buffer): Promise<string | undefined> {
  const answer = await recogniseContent({ filename: 'a.docx', mimeType: documentTypes['.docx'], bytes });
  return 'fault' in answer ? answer.fault : undefined;
}

export const accepts = async (bytes: Buffer) => (await faultOf(bytes)) === undefined;
