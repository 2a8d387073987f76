import { anyNumber, formatNumber, type NumberForm, readNumber } from './number-value.ts';

// The signing page's script and the console import this file, so it imports nothing that needs Node.js.

/**
 * Parser of the formulas of calculated fields: `+ - * /`, parentheses, decimals, `{reference}` to a field, and
 * `sum({reference}, …)`. `calculate.ts` evaluates what it returns.
 */
export const formulaLengthMax = 500;
/** The maximum depth of parentheses and signs. */
export const depthMax = 20;

export type FormulaProblem =
  | 'empty'
  | 'too_long'
  | 'too_deep'
  | 'not_number'
  | 'unexpected'
  | 'unfinished'
  | 'no_field'
  | 'not_in_sum';

/** Why a formula can't be read. `at`: the part that is wrong, or an empty string. `formula-sentence.ts` and the console have the words. */
export class FormulaError extends Error {
  readonly problem: FormulaProblem;
  readonly at: string;

  constructor(problem: FormulaProblem, at = '') {
    super(problem);
    this.name = 'FormulaError';
    this.problem = problem;
    this.at = at;
  }
}

export type Expression =
  | { kind: 'number'; value: string }
  | { kind: 'field'; reference: string }
  | { kind: 'sum'; references: readonly string[] }
  | { kind: 'negation'; operand: Expression }
  | { kind: Operator; left: Expression; right: Expression };

export type Operator = '+' | '-' | '*' | '/';

type Token =
  | { kind: 'number'; value: string }
  | { kind: 'field'; reference: string }
  | { kind: 'sign'; sign: Operator | '(' | ')' | ',' | 'sum' };

export interface Formula {
  root: Expression;
  /** What stands between braces, each once, in the order of the formula. */
  references: readonly string[];
  /** Writes the formula with other references, and with the decimal sign of the form. */
  write(form: NumberForm, rename: (reference: string) => string): string;
}

/** A reference, a number, a name, or one sign. White space separates them. */
const pattern = /\s*(?:\{([^{}]*)\}|(\d[\d.,]*|[.,]\d[\d.,]*)|([A-Za-z]+)|(\S))/uy;
const signs: Record<string, Operator | '(' | ')' | ','> = {
  ...{ '+': '+', '-': '-', '\u2212': '-', '*': '*', '\u00d7': '*', '\u00b7': '*', '/': '/', '\u00f7': '/', ':': '/' },
  ...{ '(': '(', ')': ')', ',': ',', ';': ',' },
};
/** The name of the sum, in English and in Spanish. */
const sumNames = ['sum', 'suma'];

/** Reads a formula. `form`: how its decimals are written. Throws a `FormulaError`. */
export function parseFormula(text: string, form: NumberForm = 'canonical'): Formula {
  if (text.trim() === '') throw new FormulaError('empty');
  if (text.length > formulaLengthMax) throw new FormulaError('too_long');
  const tokens = tokensOf(text, form);
  const root = new Parser(tokens).parse();
  const references = tokens.flatMap((token) => (token.kind === 'field' ? [token.reference] : []));
  if (references.length === 0) throw new FormulaError('no_field');
  return {
    root,
    references: [...new Set(references)],
    write: (form, rename) => written(tokens, form, rename),
  };
}

function tokensOf(text: string, form: NumberForm): Token[] {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  pattern.lastIndex = 0;
  while (pattern.lastIndex < end) {
    const [, reference, digits, name, sign = ''] = pattern.exec(text) ?? [];
    if (reference !== undefined) tokens.push({ kind: 'field', reference });
    else if (digits !== undefined) tokens.push({ kind: 'number', value: numberOf(digits, form) });
    else if (name !== undefined && sumNames.includes(name.toLowerCase())) tokens.push({ kind: 'sign', sign: 'sum' });
    else if (Object.hasOwn(signs, sign)) tokens.push({ kind: 'sign', sign: signs[sign] as ',' });
    else throw new FormulaError('unexpected', name ?? sign);
  }
  return tokens;
}

function numberOf(digits: string, form: NumberForm): string {
  const value = readNumber(digits, form, anyNumber);
  if (value === null) throw new FormulaError('not_number', digits);
  return value;
}

function written(tokens: readonly Token[], form: NumberForm, rename: (reference: string) => string): string {
  return tokens
    .map((token, index) => {
      if (token.kind === 'number') return formatNumber(token.value, form);
      if (token.kind === 'field') return `{${rename(token.reference)}}`;
      const { sign } = token;
      if (sign === '(' || sign === ')' || sign === 'sum') return sign;
      if (sign === ',') return ', ';
      return isNegation(tokens[index - 1]) ? sign : ` ${sign} `;
    })
    .join('');
}

/** Whether a minus after this token is a sign, and not a subtraction. */
function isNegation(before: Token | undefined): boolean {
  return before === undefined || (before.kind === 'sign' && before.sign !== ')');
}

/** Recursive descent: a sum of products of factors. */
class Parser {
  private index = 0;
  private depth = 0;
  private readonly tokens: readonly Token[];

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  parse(): Expression {
    const root = this.chain(['+', '-'], () => this.product());
    const left = this.tokens[this.index];
    if (left !== undefined) throw new FormulaError('unexpected', nameOf(left));
    return root;
  }

  private product(): Expression {
    return this.chain(['*', '/'], () => this.factor());
  }

  private chain(operators: readonly Operator[], operand: () => Expression): Expression {
    let result = operand();
    for (;;) {
      const kind = operators.find((sign) => this.take(sign));
      if (kind === undefined) return result;
      result = { kind, left: result, right: operand() };
    }
  }

  private factor(): Expression {
    this.depth += 1;
    if (this.depth > depthMax) throw new FormulaError('too_deep');
    const result = this.inner();
    this.depth -= 1;
    return result;
  }

  private inner(): Expression {
    if (this.take('-')) return { kind: 'negation', operand: this.factor() };
    if (this.take('+')) return this.factor();
    if (this.take('(')) {
      const result = this.chain(['+', '-'], () => this.product());
      this.expect(')');
      return result;
    }
    if (this.take('sum')) return this.sum();
    const token = this.next();
    if (token.kind === 'sign') throw new FormulaError('unexpected', nameOf(token));
    return token;
  }

  private sum(): Expression {
    this.expect('(');
    const references: string[] = [];
    do {
      const token = this.next();
      if (token.kind !== 'field') throw new FormulaError('not_in_sum', nameOf(token));
      references.push(token.reference);
    } while (this.take(','));
    this.expect(')');
    return { kind: 'sum', references };
  }

  private take(sign: (Token & { kind: 'sign' })['sign']): boolean {
    const token = this.tokens[this.index];
    if (token?.kind !== 'sign' || token.sign !== sign) return false;
    this.index += 1;
    return true;
  }

  private expect(sign: '(' | ')'): void {
    if (!this.take(sign)) throw new FormulaError('unexpected', nameOf(this.next()));
  }

  private next(): Token {
    const token = this.tokens[this.index];
    if (token === undefined) throw new FormulaError('unfinished');
    this.index += 1;
    return token;
  }
}

function nameOf(token: Token): string {
  if (token.kind === 'field') return `{${token.reference}}`;
  return token.kind === 'number' ? token.value : token.sign;
}
