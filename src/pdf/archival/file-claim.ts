import { type PDF, PdfStream } from '@libpdf/core';
import { setMetadata } from './make-archival.ts';
import { type ArchivalLevel, accessibleNamespace, claim, claimNamespace } from './xmp.ts';

/** A claim as the file states it. */
interface StatedClaim {
  part: string;
  conformance: string;
}

/**
 * - `none`: the metadata of the file claims nothing.
 * - `kept`: it claims PDF/A-1, 2 or 3. `level` is the level of PDF/A-3 that it still has with unmarked parts added.
 * - `other`: it claims something else, or cannot be understood.
 */
export type FileClaim = { kind: 'none' } | { kind: 'kept'; level: ArchivalLevel } | { kind: 'other' };

const xmpBytesMax = 2 ** 20;

/** Reads the claim in the metadata of a file. The file may be wrong about itself: nothing else is checked. */
export function readClaim(pdf: PDF): FileClaim {
  const xmp = readXmp(pdf);
  if (xmp === null || !xmp.includes(claimNamespace)) return { kind: 'none' };
  const level = canReplace(xmp) ? levelOf(statedClaim(xmp)) : null;
  return level === null ? { kind: 'other' } : { kind: 'kept', level };
}

/** Replaces the claim of a file with one of PDF/A-3. Everything else in its metadata stays. */
export function replaceClaim(pdf: PDF, level: ArchivalLevel): void {
  const xmp = withoutClaim(readXmp(pdf) ?? '');
  const about = /\brdf:about\s{0,20}=\s{0,20}(?:"([^"<>]*)"|'([^'"<>]*)')/.exec(xmp);
  const end = xmp.lastIndexOf(rdfEnd(xmp) ?? '');
  setMetadata(pdf, `${xmp.slice(0, end)}${claim(level, about?.[1] ?? about?.[2])}\n${xmp.slice(end)}`);
}

/** Removes the claim of a file. Removes all its metadata when the claim can't be told from the rest. */
export function dropClaim(pdf: PDF): void {
  const xmp = readXmp(pdf);
  const rest = xmp === null ? '' : withoutClaim(xmp);
  if (xmp !== null && isWithoutClaim(rest)) setMetadata(pdf, rest);
  else pdf.context.catalog.getDict().delete('Metadata');
}

/**
 * Removes the claim of a file that all its content is marked for programs that read it aloud (PDF/UA, ISO 14289), for a file to which
 * unmarked parts are added: values, the seal, and pages of a file that has no structure.
 */
export function dropAccessibleClaim(pdf: PDF): void {
  const xmp = readXmp(pdf);
  if (xmp?.includes(accessibleNamespace)) {
    setMetadata(pdf, withoutProperties(xmp, prefixOf(xmp, accessibleNamespace, 'pdfuaid')));
  }
}

/** Returns the level in PDF/A-3. PDF/A-1 asks less of the text of a file than level U does, so its level A becomes B too. */
function levelOf(stated: StatedClaim | null): ArchivalLevel | null {
  if (stated === null || !/^[123]$/.test(stated.part) || !/^[ABU]$/.test(stated.conformance)) return null;
  return stated.part === '1' || stated.conformance === 'B' ? 'B' : 'U';
}

function statedClaim(xmp: string): StatedClaim | null {
  const [part, conformance] = ['part', 'conformance'].map((name) => {
    const found = [...xmp.matchAll(property(prefixOf(xmp), name))];
    const [, ...values] = found[0] ?? [];
    return found.length === 1 ? values.find((value) => value !== undefined)?.trim() : undefined;
  });
  return part === undefined || conformance === undefined ? null : { part, conformance };
}

/** Whether the claim can be removed and another added. */
function canReplace(xmp: string): boolean {
  const end = rdfEnd(xmp);
  return end !== null && xmp.indexOf(end) === xmp.lastIndexOf(end) && isWithoutClaim(withoutClaim(xmp));
}

function withoutClaim(xmp: string): string {
  return withoutProperties(xmp, prefixOf(xmp));
}

function withoutProperties(xmp: string, prefix: string): string {
  return xmp.replace(property(prefix, String.raw`[\w.-]+`), ' ');
}

/** Whether no name has the prefix of claims any more. Its declaration may stay. */
function isWithoutClaim(xmp: string): boolean {
  return prefixesOf(xmp).size <= 1 && !xmp.includes(`${prefixOf(xmp)}:`);
}

function prefixesOf(xmp: string, namespace = claimNamespace): Set<string> {
  const declaration = new RegExp(String.raw`\bxmlns:([\w.-]+)\s*=\s*["']${namespace}["']`, 'g');
  return new Set(Array.from(xmp.matchAll(declaration), ([, prefix = '']) => prefix));
}

function prefixOf(xmp: string, namespace = claimNamespace, usual = 'pdfaid'): string {
  return [...prefixesOf(xmp, namespace)][0] ?? usual;
}

/** Matches a property with a simple value, as an attribute or as an element. */
function property(prefix: string, name: string): RegExp {
  const full = `${prefix.replaceAll('.', String.raw`\.`)}:${name}`;
  return new RegExp(
    String.raw`\s${full}${space}=${space}"([^"<>]*)"|\s${full}${space}=${space}'([^'<>]*)'|<${full}${space}>([^<>]*)</${full}${space}>`,
    'g',
  );
}

/** Limited, so that a packet full of spaces takes no time. */
const space = String.raw`\s{0,20}`;

function rdfEnd(xmp: string): string | null {
  return /<\/[\w.-]+:RDF\s*>/.exec(xmp)?.[0] ?? null;
}

/** Returns the metadata of a file as text. Metadata that can't be read, or is huge, counts as a claim that can't be understood. */
function readXmp(pdf: PDF): string | null {
  const stream = pdf.context.catalog.getDict().get('Metadata', (ref) => pdf.context.resolve(ref));
  if (!(stream instanceof PdfStream)) return null;
  try {
    const bytes = stream.getDecodedData();
    return bytes.length > xmpBytesMax ? claimNamespace : decode(Buffer.from(bytes));
  } catch {
    return claimNamespace;
  }
}

function decode(bytes: Buffer): string {
  const [first, second] = [bytes[0], bytes[1]];
  const isLittle = (first === 0xff && second === 0xfe) || (first === 0x3c && second === 0);
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c);
  return new TextDecoder(isBig ? 'utf-16be' : isLittle ? 'utf-16le' : 'utf-8').decode(bytes);
}
