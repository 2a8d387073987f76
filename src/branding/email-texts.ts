import type { Language } from '../platform/language.ts';
import { isPlainLine } from '../platform/plain-line.ts';
import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import { type BrandChange, changeBrand } from './brand.ts';

/** The e-mails whose texts a company can replace. */
export const textKinds = ['request', 'reminder', 'copy'] as const;
export type TextKind = (typeof textKinds)[number];

/** A company's own texts of an e-mail in one language. Null: ours. */
export interface BrandText {
  kind: TextKind;
  language: Language;
  subject: string | null;
  /** The first paragraph. */
  introduction: string | null;
}

/** The variables of a text, written as `{{recipient_name}}`. Conditions, loops and expressions do not exist. */
export const textVariables = ['recipient_name', 'document_title', 'sender_name', 'company_name'] as const;
export type TextVariable = (typeof textVariables)[number];

/** In Unicode code points. */
const brandSubjectLengthMax = 150;
const introductionLengthMax = 600;

const inBraces = /\{\{([^{}]*)\}\}/g;

/** Replaces the variables of a text. The values are not searched, so a value with braces stays as it is. */
export function fillText(text: string, values: Record<TextVariable, string>): string {
  return text.replace(inBraces, (written, name: string) =>
    isVariable(name.trim()) ? values[name.trim() as TextVariable] : written,
  );
}

/** Whether a text has this variable. */
export function usesVariable(text: string, variable: TextVariable): boolean {
  return [...text.matchAll(inBraces)].some(([, name = '']) => name.trim() === variable);
}

/** Returns the first thing in double braces that is no variable, or the brace that isn't closed. Null: there is none. */
export function findUnknownVariable(text: string): string | null {
  for (const [written, name = ''] of text.matchAll(inBraces)) if (!isVariable(name.trim())) return written;
  const [loose] = /\{\{[^{}]{0,40}|\}\}/.exec(text.replace(inBraces, ' ')) ?? [];
  return loose ?? null;
}

function isVariable(name: string): name is TextVariable {
  return (textVariables as readonly string[]).includes(name);
}

/** Whether a text can be the subject. Empty: ours. */
export function isBrandSubject(text: string): boolean {
  return text === '' || isPlainLine(text, brandSubjectLengthMax);
}

/** Whether a text can be the first paragraph, which may have line breaks. Empty: ours. */
export function isIntroduction(text: string): boolean {
  return text === '' || isPlainLine(text.replaceAll('\n', ' '), introductionLengthMax);
}

export function listBrandTexts(db: Queryable, accountId: string): Promise<BrandText[]> {
  return db.query<BrandText>({
    name: 'list_brand_texts',
    text: `select kind, language, subject, introduction from brand_texts where account_id = $1 order by kind, language`,
    values: [accountId],
  });
}

/** Sets the texts of an e-mail in one language. Returns false as `changeBrand` does. */
export function saveBrandText(world: World, tx: Tx, change: BrandChange, brandText: BrandText): Promise<boolean> {
  const { kind, language, subject, introduction } = brandText;
  return changeBrand(world, tx, change, { changed: 'text', kind, language }, async () => {
    await tx.query({
      name: 'remove_brand_text',
      text: 'delete from brand_texts where account_id = $1 and kind = $2 and language = $3',
      values: [change.accountId, kind, language],
    });
    if (subject === null && introduction === null) return;
    await tx.query({
      name: 'save_brand_text',
      text: `insert into brand_texts (account_id, kind, language, subject, introduction) values ($1, $2, $3, $4, $5)`,
      values: [change.accountId, kind, language, subject, introduction],
    });
  });
}
