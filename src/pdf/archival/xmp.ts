/** What the metadata of a document says. Equal to its document information dictionary. */
export interface DocumentFacts {
  title: string;
  author: string | null;
  subject: string | null;
  language: string | null;
  program: string;
  at: Date;
}

/**
 * The level of conformance to PDF/A-3. B: it looks as it should. U: its text can also be searched and copied. A: it also has a
 * logical structure.
 */
export type ArchivalLevel = 'B' | 'U' | 'A';

/** The namespace of the PDF/A claim (ISO 19005-3, 6.6.4). */
export const claimNamespace = 'http://www.aiim.org/pdfa/ns/id/';
const rdfNamespace = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';

/** The namespace of the PDF/UA claim (ISO 14289-1, 5). */
export const accessibleNamespace = 'http://www.aiim.org/pdfua/ns/id/';

/**
 * Makes the XMP metadata of a document that claims PDF/A-3 (ISO 19005-3, 6.6), and at level A also PDF/UA-1, the standard for
 * documents that programs can read aloud.
 */
export function makeXmp(facts: DocumentFacts, level: ArchivalLevel): string {
  const { title, author, subject, language, program } = facts;
  const at = `${facts.at.toISOString().slice(0, 19)}Z`;
  const properties = [
    '<dc:format>application/pdf</dc:format>',
    `<dc:title>${alternatives(title)}</dc:title>`,
    author === null ? '' : `<dc:creator><rdf:Seq><rdf:li>${escaped(author)}</rdf:li></rdf:Seq></dc:creator>`,
    subject === null ? '' : `<dc:description>${alternatives(subject)}</dc:description>`,
    language === null ? '' : `<dc:language><rdf:Bag><rdf:li>${escaped(language)}</rdf:li></rdf:Bag></dc:language>`,
    `<xmp:CreatorTool>${escaped(program)}</xmp:CreatorTool>`,
    `<xmp:CreateDate>${at}</xmp:CreateDate>`,
    `<xmp:ModifyDate>${at}</xmp:ModifyDate>`,
    `<pdf:Producer>${escaped(program)}</pdf:Producer>`,
  ];
  return packet(
    `<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/">
${properties.filter((property) => property !== '').join('\n')}
</rdf:Description>
${claim(level)}${level === 'A' ? accessibleClaim : ''}`,
  );
}

/** The claim of PDF/UA-1, with the description that PDF/A demands of properties it doesn't know (ISO 19005-3, 6.6.2.3). */
const accessibleClaim = `
<rdf:Description rdf:about="" xmlns:pdfuaid="${accessibleNamespace}">
<pdfuaid:part>1</pdfuaid:part>
</rdf:Description>
<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>PDF/UA identification schema</pdfaSchema:schema>
<pdfaSchema:namespaceURI>${accessibleNamespace}</pdfaSchema:namespaceURI>
<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>
<pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource">
<pdfaProperty:name>part</pdfaProperty:name>
<pdfaProperty:valueType>Integer</pdfaProperty:valueType>
<pdfaProperty:category>internal</pdfaProperty:category>
<pdfaProperty:description>The part of ISO 14289</pdfaProperty:description>
</rdf:li></rdf:Seq></pdfaSchema:property>
</rdf:li></rdf:Bag></pdfaExtension:schemas>
</rdf:Description>`;

/** Makes XMP metadata that has only the claim. */
export function makeClaimXmp(level: ArchivalLevel): string {
  return packet(claim(level));
}

/** Makes the RDF of the claim. `about`: the name of the resource in the other descriptions of the packet, as XML. */
export function claim(level: ArchivalLevel, about = ''): string {
  return `<rdf:Description xmlns:rdf="${rdfNamespace}" rdf:about="${about}" xmlns:pdfaid="${claimNamespace}">
<pdfaid:part>3</pdfaid:part>
<pdfaid:conformance>${level}</pdfaid:conformance>
</rdf:Description>`;
}

/** Removes what XML, and so XMP, can't hold: control characters, and code points that are no characters. */
export function xmlText(text: string): string {
  return text.toWellFormed().replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '');
}

function packet(descriptions: string): string {
  return `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="${rdfNamespace}">
${descriptions}
</rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>`;
}

function alternatives(text: string): string {
  return `<rdf:Alt><rdf:li xml:lang="x-default">${escaped(text)}</rdf:li></rdf:Alt>`;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' };

function escaped(text: string): string {
  return xmlText(text).replace(/[&<>"\r]/g, (character) => entities[character] as string);
}
